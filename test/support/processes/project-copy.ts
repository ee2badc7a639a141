/** Copies the project, or parts of it, so that a mutant can be written into the copy. */
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Copies files and folders into a new temporary folder with the same dependencies. The caller removes it. */
export function copyOfProject(paths: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'tickwright-mutant-'));
  for (const path of paths) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
