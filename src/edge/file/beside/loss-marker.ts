/**
 * The loss marker: a file beside the store with the counters of the loss limits. A deleted or restored store therefore forgets no loss. The
 * file is replaced atomically with each update. It is not synced, so after a power cut it may be older than the journal; it is never newer.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { beside } from './beside.ts';
import { replaceFile } from '../replace-file.ts';

export class LossMarker {
  readonly path: string;

  /** Takes the store's folder. The file lies beside that folder, so that deleting the folder keeps it. */
  constructor(folder: string) {
    this.path = beside(folder, '.losses.json');
  }

  /** Returns the saved counters, or null if there is no file. @throws Error if it is damaged or cannot be read */
  read(): unknown {
    return existsSync(this.path) ? JSON.parse(readFileSync(this.path, 'utf8')) : null;
  }

  /** @throws Error of node:fs */
  write(counted: unknown): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    replaceFile(this.path, `${JSON.stringify(counted)}\n`);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
