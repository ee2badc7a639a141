/** Replaces a file atomically. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

export interface ReplaceOptions {
  /** Where the new content is written first. If several processes may write at the same time, each needs its own. Default: `PATH.new`. */
  readonly draft?: string | undefined;
  /** Permissions. Default: only the owner reads and writes. */
  readonly mode?: number | undefined;
  /** True: the new content also survives a power cut, not only a killed process. Default: false. */
  readonly isSynced?: boolean | undefined;
}

/**
 * Readers see the old content or the new content, never a mixture, and nothing is left of content that could not be written. Text may come
 * in pieces. @throws Error of node:fs
 */
export function replaceFile(path: string, content: string | Uint8Array | Iterable<string>, options: ReplaceOptions = {}): void {
  const { draft = `${path}.new`, mode = 0o600, isSynced = false } = options;
  try {
    const file = openSync(draft, 'w', mode);
    try {
      const isWhole = typeof content === 'string' || content instanceof Uint8Array;
      for (const piece of isWhole ? [content] : content) writeFileSync(file, piece);
      if (isSynced) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  if (isSynced) syncFolder(dirname(path));
}
