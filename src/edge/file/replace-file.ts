/** Replaces a file atomically. */
import { renameSync, writeFileSync } from 'node:fs';

/**
 * Readers see the old text or the new text, never a mixture. Not synced: the new text survives a killed process, but not a power cut. If
 * several processes may write at the same time, each needs its own `draft`. @throws Error of node:fs
 */
export function replaceFile(path: string, text: string, draft = `${path}.new`): void {
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
