/**
 * Reads and writes the lines of a ledger over its files: closed segments `ledger-0001.jsonl`, `ledger-0002.jsonl`, …, and the current file
 * `ledger.jsonl`. An offset counts bytes from the start of the first segment. Old segments may be deleted.
 */
import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pageOf, type LedgerPage, type PageQuery } from './ledger-page.ts';
import { isLineStart, LineFile, linesOf } from '../line-file.ts';

/** Position of the current file: its segment number, and the offset of its first byte. */
export interface LedgerPlace {
  readonly segment: number;
  readonly base: number;
}

interface Segment {
  readonly number: number;
  readonly path: string;
  readonly base: number;
  readonly size: number;
}

const NAME = /^ledger-(\d{4,})\.jsonl$/;

/** Numbers of the closed segments in `folder`, ascending. */
export function segmentsIn(folder: string): number[] {
  const numbers = readdirSync(folder).map((name) => Number(NAME.exec(name)?.[1] ?? 0));
  return numbers.filter((number) => number > 0).sort((x, y) => x - y);
}

export function segmentPath(folder: string, number: number): string {
  return join(folder, `ledger-${String(number).padStart(4, '0')}.jsonl`);
}

export class LedgerFiles {
  readonly #folder: string;
  #current: LineFile;
  #number: number;
  #base: number;
  /** The closed segments that exist without a gap before the current file; the newest last. */
  readonly #closed: Segment[];

  /** `known` is the position stored in a snapshot; segments may have been closed since. @throws RangeError if one of them is missing */
  constructor(folder: string, known: LedgerPlace) {
    this.#folder = folder;
    const numbers = segmentsIn(folder);
    this.#number = Math.max(known.segment, (numbers.at(-1) ?? 0) + 1);
    this.#base = known.base;
    this.#closed = [];
    for (let number = known.segment; number < this.#number; number++) {
      if (!numbers.includes(number))
        throw new RangeError(`${segmentPath(folder, number)} is missing, but the last snapshot needs it: restore the file`);
      this.#base += this.#close(number, this.#base);
    }
    let base = known.base;
    for (let number = known.segment - 1; numbers.includes(number); number--) {
      const path = segmentPath(folder, number);
      const { size } = statSync(path);
      base -= size;
      this.#closed.unshift({ number, path, base, size });
    }
    this.#current = new LineFile(join(folder, 'ledger.jsonl'));
  }

  /** Bytes written to all files. */
  get size(): number {
    return this.#base + this.#current.size;
  }

  /** Bytes written to the current file. */
  get segmentSize(): number {
    return this.#current.size;
  }

  get place(): LedgerPlace {
    return { segment: this.#number, base: this.#base };
  }

  get pending(): number {
    return this.#current.pending;
  }

  append(line: string): void {
    this.#current.append(line);
  }

  /** @throws Error of node:fs */
  flush(): void {
    this.#current.flush();
  }

  drop(): void {
    this.#current.drop();
  }

  close(): void {
    this.#current.close();
  }

  /** Closes the current file as a segment and starts the next one. @throws Error of node:fs */
  rotate(): void {
    this.#current.close();
    renameSync(this.#current.path, segmentPath(this.#folder, this.#number));
    this.#base += this.#close(this.#number++, this.#base);
    this.#current = new LineFile(this.#current.path);
  }

  /** Deletes the oldest closed segments until `keep` are left. Keeps every segment with bytes at or after offset `needed`. */
  forget(keep: number, needed: number): void {
    while (this.#closed.length > keep) {
      const [oldest] = this.#closed;
      if (oldest === undefined || oldest.base + oldest.size > needed) return;
      rmSync(oldest.path, { force: true });
      this.#closed.shift();
    }
  }

  /** Yields the written lines from offset `from` on, which must be the start of a line. All later segments must exist. */
  *lines(from: number): Generator<string> {
    for (const { path, base, size } of this.#closed) {
      if (base + size <= from) continue;
      const fd = openSync(path, 'r');
      try {
        yield* linesOf(fd, Math.max(0, from - base));
      } finally {
        closeSync(fd);
      }
    }
    yield* this.#current.lines(Math.max(0, from - this.#base));
  }

  /** Returns a page of the segment that contains offset `from`, or of the next existing one. Null if no line starts at `from`. */
  page({ from, ...query }: PageQuery): LedgerPage | null {
    if (from > this.size) return null;
    const segment = this.#closed.find(({ base, size, path }) => base + size > from && isThere(path));
    if (segment === undefined) {
      const at = Math.max(from, this.#base);
      if (!this.#current.isLineStart(at - this.#base)) return null;
      const page = pageOf(this.#current.lines(at - this.#base), { ...query, from: at });
      return { ...page, missing: at - from, isEnd: page.next >= this.size };
    }
    const at = Math.max(from, segment.base);
    const fd = openSync(segment.path, 'r');
    try {
      if (!isLineStart(fd, at - segment.base)) return null;
      return { ...pageOf(linesOf(fd, at - segment.base), { ...query, from: at }), missing: at - from, isEnd: false };
    } finally {
      closeSync(fd);
    }
  }

  /** Adds a closed segment to the list and returns its size in bytes. */
  #close(number: number, base: number): number {
    const path = segmentPath(this.#folder, number);
    const { size } = statSync(path);
    this.#closed.push({ number, path, base, size });
    return size;
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
