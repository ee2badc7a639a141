/** A spare file beside the store keeps room for the next halt, so that a full disk loses none. */
import {
  chownSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { fileFaultOf } from '../../base/file-fault.ts';
import { beside } from './beside.ts';

/** Bytes of the spare file: about a hundred halts. */
const SPARE_BYTES = 16_384;

export class SpareRoom {
  readonly #folder: string;
  readonly #path: string;

  /** Takes the state folder. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = beside(folder, '.halts.spare');
  }

  /** Keeps room on the disk for the next `replace`. Without room for that, there is none to keep. */
  reserve(): void {
    if (this.#bytes >= SPARE_BYTES) return;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      writeFileSync(this.#path, Buffer.alloc(SPARE_BYTES, ' '), { mode: 0o600, flush: true });
    } catch {
      this.free();
    }
  }

  /** Gives the room back to the disk. */
  free(): void {
    rmSync(this.#path, { force: true });
  }

  /** Replaces a file by way of `draft`, on a full disk in the spare room. @throws Failure disk-full, or the error of node:fs */
  replace(path: string, text: string, draft: string): void {
    const bytes = Buffer.from(text);
    try {
      writeSynced(draft, 'w', bytes);
      this.give(draft);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      if (fileFaultOf(error) !== 'full') throw error;
      if (this.#bytes < bytes.length) {
        const what = `the halt was not recorded: ${path} cannot be written (${(error as Error).message})`;
        throw new Failure('disk-full', { what, hint: 'free space on its disk, then type the command again' }, { cause: error });
      }
      // From here on it is ours alone: two halts at the same moment do not write into one file.
      renameSync(this.#path, draft);
      writeSynced(draft, 'r+', bytes);
      renameSync(draft, path);
    }
  }

  /** What root makes belongs to the owner of the state folder, so that the bot can read and remove it. */
  give(path: string): void {
    if (process.getuid?.() !== 0) return;
    const owner = statSync(this.#folder, { throwIfNoEntry: false });
    if (owner !== undefined && owner.uid !== 0) chownSync(path, owner.uid, owner.gid);
  }

  get #bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }
}

/** Writes all bytes from the start of the file, cuts off what follows, and syncs. */
function writeSynced(path: string, flags: 'w' | 'r+', bytes: Buffer): void {
  const file = openSync(path, flags, 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at);
    ftruncateSync(file, bytes.length);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
