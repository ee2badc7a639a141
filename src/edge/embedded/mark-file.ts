/**
 * The mark file beside the store, which records the last commit. It detects two losses that SQLite cannot: SQLite silently drops what
 * follows a damaged place in its log, and an older copy of the file looks undamaged. The mark is written after each commit, so it is never
 * ahead of an undamaged store. It is not synced: after a power cut it may be behind, and then it detects less but raises no false alarm.
 */
import { hash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';

export interface Marked {
  /** Number of the commit. */
  readonly commit: number;
  /** Position and link hash of the last record at that commit. */
  readonly position: number;
  readonly link: string;
}

/** Writes alternate between two slots, so that an interrupted write leaves the other one intact. */
const SLOT_BYTES = 512;

export class Mark {
  readonly path: string;
  #descriptor = -1;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns the newest intact mark, or null if there is none. */
  read(): Marked | null {
    if (!existsSync(this.path)) return null;
    const bytes = readFileSync(this.path);
    const found = [0, SLOT_BYTES].map((at) => parse(bytes.subarray(at, at + SLOT_BYTES).toString('latin1')));
    return found.reduce((best, one) => (one !== null && (best === null || one.commit > best.commit) ? one : best), null);
  }

  write(marked: Marked): void {
    if (this.#descriptor < 0) this.#descriptor = openSync(this.path, existsSync(this.path) ? 'r+' : 'w+', 0o600);
    const text = textOf(marked).padEnd(SLOT_BYTES - 1) + '\n';
    writeSync(this.#descriptor, text, (marked.commit % 2) * SLOT_BYTES, 'latin1');
  }

  close(): void {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
    this.#descriptor = -1;
  }
}

function textOf({ commit, position, link }: Marked): string {
  const facts = `${commit} ${position} ${link}`;
  return `${facts} ${hash('sha256', facts, 'base64url')}`;
}

function parse(slot: string): Marked | null {
  const [commit = '', position = '', link = '', sum] = slot.trimEnd().split(' ');
  const marked = { commit: Number(commit), position: Number(position), link };
  if (sum === undefined || textOf(marked) !== slot.trimEnd()) return null;
  return marked;
}
