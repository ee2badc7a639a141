/** Spare files beside the store keep room for the next halts, so that a full disk loses none. */
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
import { Failure } from '../../../base/failure/failure.ts';
import { fileFaultOf } from '../../../base/failure/file-fault.ts';
import { beside } from './beside.ts';

/** Bytes of a spare file: about a hundred halts. */
const SPARE_BYTES = 16_384;
/** A halt and a kill may be typed one after the other, and a folder for them be missing. */
const ENDINGS = ['.halts.spare', '.halts.spare-2', '.halts.spare-3', '.halts.spare-4'];

export class SpareRoom {
  readonly #folder: string;
  readonly #paths: readonly string[];

  /** Takes the state folder. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#paths = ENDINGS.map((ending) => beside(folder, ending));
  }

  /** Keeps room on the disk for the next calls of `replace`. Without room for that, there is none to keep. */
  reserve(): void {
    for (const path of this.#paths) {
      if (bytesOf(path) >= SPARE_BYTES) continue;
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(path, Buffer.alloc(SPARE_BYTES, ' '), { mode: 0o600, flush: true });
      } catch {
        rmSync(path, { force: true });
      }
    }
  }

  /** Gives one spare file back to the disk. */
  free(): void {
    const last = this.#paths.findLast((path) => bytesOf(path) > 0);
    if (last !== undefined) rmSync(last, { force: true });
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
      if (!this.#takes(draft, bytes.length)) {
        const what = `the halt was not recorded: ${path} cannot be written (${(error as Error).message})`;
        throw new Failure('disk-full', { what, hint: 'free space on its disk, then type the command again' }, { cause: error });
      }
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

  /** Makes a spare file the draft, so that two halts at the same moment do not write into one. False if none is left. */
  #takes(draft: string, bytes: number): boolean {
    return this.#paths.some((path) => {
      if (bytesOf(path) < bytes) return false;
      try {
        renameSync(path, draft);
        return true;
      } catch {
        // Another halt took it.
        return false;
      }
    });
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
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
