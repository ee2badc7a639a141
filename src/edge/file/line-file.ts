/**
 * An append-only file of lines. Bytes are handed to the operating system before `flush` returns, so that they survive kill -9. A last line
 * without its end is cut off when the file is opened.
 */
import { closeSync, constants, ftruncateSync, openSync, readSync, fstatSync, writeSync } from 'node:fs';

const NEWLINE = 10;
const CHUNK = 1 << 20;

/** Yields the lines of an open file from byte `from` (the start of a line) to byte `end`. An incomplete last line is left out. */
export function* linesOf(fd: number, from = 0, end = Infinity): Generator<string> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let position = from;
  let rest: Buffer = Buffer.alloc(0);
  while (position < end) {
    const count = readSync(fd, buffer, 0, Math.min(CHUNK, end - position), position);
    if (count === 0) return;
    position += count;
    const bytes = Buffer.concat([rest, buffer.subarray(0, count)]);
    let start = 0;
    for (let stop = bytes.indexOf(NEWLINE); stop >= 0; stop = bytes.indexOf(NEWLINE, start)) {
      yield bytes.toString('utf8', start, stop);
      start = stop + 1;
    }
    rest = bytes.subarray(start);
  }
}

/** True if a line of an open file starts at byte `at`, which must not be beyond its end. */
export function isLineStart(fd: number, at: number): boolean {
  if (at === 0) return true;
  const one = Buffer.alloc(1);
  readSync(fd, one, 0, 1, at - 1);
  return one[0] === NEWLINE;
}

export class LineFile {
  readonly path: string;
  readonly #fd: number;
  #size: number;
  #pending = '';

  /** Opens or creates `path`; mode 0600. @throws Error of node:fs */
  constructor(path: string) {
    this.path = path;
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
    this.#size = fstatSync(this.#fd).size;
    this.#cutTornLine();
  }

  /** Bytes in the file, without pending lines. */
  get size(): number {
    return this.#size;
  }

  /** Characters appended but not yet written. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Queues one line, which must not contain a newline. */
  append(line: string): void {
    this.#pending += `${line}\n`;
  }

  /** Writes pending lines. @throws Error of node:fs, for example on a full disk: the file may then end in an incomplete line */
  flush(): void {
    if (this.#pending === '') return;
    const bytes = Buffer.from(this.#pending, 'utf8');
    this.#pending = '';
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    this.#size += bytes.length;
  }

  /** Discards pending lines. */
  drop(): void {
    this.#pending = '';
  }

  /** Yields the written lines from byte `from` on, which must be the start of a line. */
  *lines(from: number): Generator<string> {
    yield* linesOf(this.#fd, from, this.#size);
  }

  /** True if a line starts at byte `at`, or the file ends there. */
  isLineStart(at: number): boolean {
    return at <= this.#size && isLineStart(this.#fd, at);
  }

  close(): void {
    this.flush();
    closeSync(this.#fd);
  }

  #cutTornLine(): void {
    let end = this.#size;
    const buffer = Buffer.allocUnsafe(4096);
    while (end > 0) {
      const length = Math.min(buffer.length, end);
      readSync(this.#fd, buffer, 0, length, end - length);
      const newline = buffer.subarray(0, length).lastIndexOf(NEWLINE);
      if (newline >= 0) {
        end = end - length + newline + 1;
        break;
      }
      end -= length;
    }
    if (end === this.#size) return;
    ftruncateSync(this.#fd, end);
    this.#size = end;
  }
}
