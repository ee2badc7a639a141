/** Replaces a file in one piece. */
import { renameSync, writeFileSync } from 'node:fs';

/**
 * Readers see the old text or the new one, never a part. Not synced: it outlives the process, not a power cut. Where several processes may
 * write it at once, each needs a `draft` of its own. @throws Error of node:fs
 */
export function replaceFile(path: string, text: string, draft = `${path}.new`): void {
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
