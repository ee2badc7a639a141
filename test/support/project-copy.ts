/** A copy of the project, or of parts of it, that a mutant may be written into. */
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Files and folders of `paths` in a new folder of the system's, with the same dependencies. The caller removes it. */
export function copyOfProject(paths: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'tickwright-mutant-'));
  for (const path of paths) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
