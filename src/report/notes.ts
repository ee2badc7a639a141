/** The subjects of the notes of a report. */

/** Topics of notes by their title, in the order in which a page shows them. */
export const NOTE_TOPICS = {
  run: 'This run',
  sample: 'The sample',
  data: 'The data',
  end: 'Open at the end',
  sight: 'What the strategy saw',
  model: 'What the model assumes',
} as const;

export type NoteTopic = keyof typeof NOTE_TOPICS;

export interface Note {
  readonly topic: NoteTopic;
  readonly text: string;
}

export function notesAbout(topic: NoteTopic, texts: readonly string[]): Note[] {
  return texts.map((text) => ({ topic, text }));
}
