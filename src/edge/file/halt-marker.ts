/**
 * A file beside the store with the halts that a person must end, so that they hold even when the store is deleted or replaced by an
 * older copy. It is written before a halt counts as durable, and rewritten only after its end is durable in the journal: whatever
 * happens in between, the bot starts halted.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** What the file keeps of a halt; the engine knows the rest. */
export interface MarkedHalt {
  readonly scope: string;
  readonly code: string;
  readonly detail: string;
  readonly since: number;
  readonly by: string;
  readonly seq: number;
  readonly until?: number;
}

export class HaltMarker {
  readonly path: string;

  /** For the store in `folder`. The file stands beside the folder, so that deleting the folder leaves it. */
  constructor(folder: string) {
    this.path = `${folder}.halts.json`;
  }

  /** The halts of the file; none when there is no file. @throws Error when it is damaged or cannot be read */
  read(): MarkedHalt[] {
    if (!existsSync(this.path)) return [];
    const { halts } = JSON.parse(readFileSync(this.path, 'utf8')) as { readonly halts?: unknown };
    if (!Array.isArray(halts) || !halts.every(isHalt)) throw new TypeError(`${this.path}: expected a list of halts`);
    return halts;
  }

  /** Replaces the file, or removes it when there is nothing to keep. On return it is on the disk. @throws Error of node:fs */
  write(halts: readonly MarkedHalt[]): void {
    const folder = dirname(this.path);
    if (halts.length === 0) {
      rmSync(this.path, { force: true });
      if (existsSync(folder)) sync(folder);
      return;
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = `${this.path}.new`;
    const file = openSync(draft, 'w', 0o600);
    writeSync(file, `${JSON.stringify({ version: 1, halts }, null, 2)}\n`);
    fsyncSync(file);
    closeSync(file);
    renameSync(draft, this.path);
    sync(folder);
  }
}

function isHalt(value: unknown): value is MarkedHalt {
  if (typeof value !== 'object' || value === null) return false;
  const { scope, code, detail, since, by, seq, until } = value as Partial<Record<keyof MarkedHalt, unknown>>;
  const texts = [scope, code, detail, by].every((text) => typeof text === 'string');
  return texts && typeof since === 'number' && typeof seq === 'number' && (until === undefined || typeof until === 'number');
}

function sync(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
