/** A word of a command that a person is told to type. */

/** The text as one word for a shell: quoted if it has a blank or a sign that a shell reads. */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return /^[\w./\\:@%+=,-]+$/.test(text) ? text : `"${text.replaceAll('"', '')}"`;
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
