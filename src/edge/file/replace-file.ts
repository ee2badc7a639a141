/** Replaces a file atomically. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Readers see the old text or the new text, never a mixture. Not synced: the new text survives a killed process, but not a power cut. If
 * several processes may write at the same time, each needs its own `draft`. Nothing is left of a text that could not be written. @throws Error of node:fs
 */
export function replaceFile(path: string, text: string, draft = `${path}.new`): void {
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
