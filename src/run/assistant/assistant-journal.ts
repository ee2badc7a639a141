/** Writes down what assistants asked for and what was approved: one line of JSON each, in the state folder of the bot, mode 0600. */
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shownJson } from '../../base/hidden.ts';
import { LineFile } from '../../edge/file/line-file.ts';

/** Above this size the file begins again, and the one before it is kept. */
const BYTES_MOST = 16 * 1_048_576;
const GIVEN_MOST = 2_000;

export interface JournalLine {
  readonly time: number;
  /** What the client calls itself, or who approved. */
  readonly by: string;
  /** Name of the tool, or "approve". */
  readonly what: string;
  readonly given: unknown;
  /** "" for one that ended well. */
  readonly error: string;
}

export class AssistantJournal {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, 'assistant', 'journal.jsonl');
  }

  /** @throws Error of node:fs */
  add({ given, ...line }: JournalLine): void {
    mkdirSync(join(this.#path, '..'), { recursive: true, mode: 0o700 });
    if ((statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) > BYTES_MOST) renameSync(this.#path, `${this.#path}.before`);
    const text = shownJson(given ?? {});
    const file = new LineFile(this.#path);
    file.append(shownJson({ ...line, given: text.length > GIVEN_MOST ? text.slice(0, GIVEN_MOST) : given }).replaceAll('\n', ' '));
    file.close();
  }
}
