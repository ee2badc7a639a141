/** The places where the bytes of a stream go: a new file, or memory. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { TapeError } from './error.ts';

export interface ByteSink {
  /** @throws TapeError unwritable */
  write(bytes: Uint8Array): void;
  /** Makes what was written durable, and closes. */
  finish(): void;
  /** Lets go of what was written, as it is. */
  close(): void;
}

/** A file that is not there yet. @throws Error of node:fs */
export class FileSink implements ByteSink {
  readonly #path: string;
  readonly #file: number;
  #isOpen = true;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'wx');
  }

  write(bytes: Uint8Array): void {
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at, bytes.length - at);
    } catch (error) {
      throw unwritable(this.#path, error);
    }
  }

  finish(): void {
    if (mayFlush) fsyncSync(this.#file);
    this.close();
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

/** False under the permission model of Node.js, which forbids fsync: what such a process writes is temporary. */
export const mayFlush = (process.permission as unknown) === undefined;

export class MemorySink implements ByteSink {
  #chunks: Buffer[] = [];

  write(bytes: Uint8Array): void {
    // A copy: the writer uses its buffer again.
    this.#chunks.push(Buffer.from(bytes));
  }

  finish(): void {}

  close(): void {}

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

export function unwritable(path: string, cause: unknown): TapeError {
  const what = `the tape was expected to be written, found ${String(cause)}`;
  return new TapeError('unwritable', what, path, 'check the space on the disk', { cause });
}
