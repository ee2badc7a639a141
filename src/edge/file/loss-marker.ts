/**
 * A file beside the store with what the limits of loss have counted, so that a store that is deleted or put back forgets no loss. It is
 * replaced in one piece each time they count; it is not synced, so a power cut may leave it behind, where the journal is not.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from './replace-file.ts';

export class LossMarker {
  readonly path: string;

  /** For the store in `folder`. The file stands beside the folder, so that deleting the folder leaves it. */
  constructor(folder: string) {
    this.path = `${folder}.losses.json`;
  }

  /** What was counted; null when there is no file. @throws Error when it is damaged or cannot be read */
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
