/**
 * The halt marker: a file beside the store with the halts that only a person may end. They hold even if the store is deleted or replaced by
 * an older copy. The file is written before a halt counts as durable. A halt is removed only after its end is durable in the journal. A
 * crash in between therefore leaves the bot halted. A spare file keeps room for it, so that a full disk loses no halt.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import { beside } from './beside.ts';
import { SpareRoom } from './spare-room.ts';
import { syncFolder } from '../sync-folder.ts';

export class HaltMarker {
  readonly path: string;
  readonly #spare: SpareRoom;

  /** Takes the store's folder. The file lies beside that folder, so that deleting the folder keeps it. */
  constructor(folder: string) {
    this.path = beside(folder, '.halts.json');
    this.#spare = new SpareRoom(folder);
  }

  /** Keeps room on the disk for the next `write`. */
  reserve(): void {
    this.#spare.reserve();
  }

  /** Returns the halts in the file, or none if there is no file. @throws Error if it is damaged or cannot be read */
  read(): SavedHalt[] {
    if (!existsSync(this.path)) return [];
    const { halts } = JSON.parse(readFileSync(this.path, 'utf8')) as { readonly halts?: unknown };
    if (!Array.isArray(halts) || !halts.every(isHalt))
      throw new TypeError(`${this.path}: expected a list of halts, found something else: inspect the file, then restore or delete it`);
    return halts;
  }

  /**
   * Replaces the file, or removes it if `halts` is empty. Synced to the disk on return. @throws Failure disk-full, or the error of node:fs;
   * the file is as it was then
   */
  write(halts: readonly SavedHalt[]): void {
    const folder = dirname(this.path);
    if (halts.length === 0) {
      rmSync(this.path, { force: true });
      if (existsSync(folder)) syncFolder(folder);
      return;
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#spare.replace(this.path, `${JSON.stringify({ version: 1, halts }, null, 2)}\n`, `${this.path}.new`);
    syncFolder(folder);
  }
}

function isHalt(value: unknown): value is SavedHalt {
  if (typeof value !== 'object' || value === null) return false;
  const { scope, code, detail, since, by, seq, until } = value as Partial<Record<keyof SavedHalt, unknown>>;
  const texts = [scope, code, detail, by].every((text) => typeof text === 'string');
  return texts && typeof since === 'number' && typeof seq === 'number' && (until === undefined || typeof until === 'number');
}
