/** Pages of numbers in a temporary file without a name: the system deletes it when the process ends, in any way. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../base/failure/failure.ts';
import type { PageStore } from '../../../report/fills/row-pages.ts';

/** Closes the files of reports that nobody holds any more. */
const unused = new FinalizationRegistry<number>((file) => closeSync(file));

/** Makes stores that share one file, which is made with the first of them. */
export function pageStores(): () => PageStore {
  let file: TemporaryFile | null = null;
  return () => new PageFile((file ??= new TemporaryFile()));
}

class TemporaryFile {
  readonly number: number;
  end = 0;

  constructor() {
    this.number = attempt(() => {
      // The system makes the name: node:crypto for a random one would take 10 ms of every start.
      const folder = mkdtempSync(join(tmpdir(), 'tickwright-'));
      try {
        return openSync(join(folder, 'pages'), 'wx+', 0o600);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
    unused.register(this, this.number);
  }
}

class PageFile implements PageStore {
  readonly #file: TemporaryFile;
  /** Where each page begins. */
  readonly #starts: number[] = [];

  constructor(file: TemporaryFile) {
    this.#file = file;
  }

  write(page: Float64Array): void {
    const bytes = bytesOf(page);
    const { number, end } = this.#file;
    attempt(() => {
      for (let done = 0; done < bytes.length;) done += writeSync(number, bytes, done, bytes.length - done, end + done);
    });
    this.#starts.push(end);
    this.#file.end += bytes.length;
  }

  read(number: number, into: Float64Array): void {
    const bytes = bytesOf(into);
    const from = this.#starts[number];
    if (from === undefined) throw new RangeError(`page ${number} was not written`);
    for (let done = 0; done < bytes.length;) {
      const read = readSync(this.#file.number, bytes, done, bytes.length - done, from + done);
      if (read === 0) throw new RangeError(`page ${number} was cut`);
      done += read;
    }
  }
}

function bytesOf(page: Float64Array): Uint8Array {
  return new Uint8Array(page.buffer, page.byteOffset, page.byteLength);
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const what = `the fills of the run could not be kept in a temporary file (${(error as Error).message})`;
    const hint = 'free some space there, or name another folder in TMPDIR; a fill takes 56 bytes, a trade 168, an order up to 24';
    throw new Failure('temporary-unwritable', { what, where: tmpdir(), hint }, { cause: error });
  }
}
