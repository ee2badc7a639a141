/** Writes a snapshot to its file in small slices between other work. The finished file replaces the old one atomically. */
import { closeSync, fsync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Milliseconds of one slice. */
const TURN_MS = 2;
/** Characters collected before each write. */
const WRITE_AT = 1 << 16;

export interface StateWriterEnd {
  /** Called when the file is in place; `size` in characters. */
  done(size: number): void;
  failed(error: unknown): void;
}

export class StateWriter {
  readonly #path: string;
  readonly #pieces: Iterator<string, void>;
  readonly #end: StateWriterEnd;
  readonly #fd: number;
  #text = '';
  #size = 0;
  #isOver = false;

  /** Creates `path`.new. The iterator is always run to its end or closed. @throws Error of node:fs */
  constructor(path: string, pieces: Iterator<string, void>, end: StateWriterEnd) {
    this.#path = path;
    this.#pieces = pieces;
    this.#end = end;
    this.#fd = openSync(`${path}.new`, 'w', 0o600);
  }

  /** Starts writing in slices. */
  start(): void {
    setImmediate(() => this.#turn());
  }

  /** Writes the rest synchronously. @throws Error of node:fs */
  finish(): void {
    if (this.#isOver) return;
    while (this.#piece());
    this.#write();
    fsyncSync(this.#fd);
    this.#put();
  }

  /** Deletes the unfinished file. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pieces.return?.();
    closeSync(this.#fd);
    rmSync(`${this.#path}.new`, { force: true });
  }

  #turn(): void {
    if (this.#isOver) return;
    try {
      const until = performance.now() + TURN_MS;
      while (performance.now() < until) if (!this.#piece()) return this.#sync();
    } catch (error) {
      return this.#fail(error);
    }
    setImmediate(() => this.#turn());
  }

  /** Takes the next piece. Returns false at the end. */
  #piece(): boolean {
    const { value, done } = this.#pieces.next();
    if (done === true) return false;
    this.#text += value;
    if (this.#text.length >= WRITE_AT) this.#write();
    return true;
  }

  #write(): void {
    const bytes = Buffer.from(this.#text, 'utf8');
    this.#size += this.#text.length;
    this.#text = '';
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
  }

  #sync(): void {
    this.#write();
    fsync(this.#fd, (error) => {
      if (this.#isOver) return;
      if (error !== null) return this.#fail(error);
      try {
        this.#put();
      } catch (thrown) {
        this.#fail(thrown);
      }
    });
  }

  /** Replaces the file atomically: readers see the old state or the new one. */
  #put(): void {
    this.#isOver = true;
    closeSync(this.#fd);
    renameSync(`${this.#path}.new`, this.#path);
    this.#end.done(this.#size);
  }

  #fail(error: unknown): void {
    this.abandon();
    this.#end.failed(error);
  }
}
