/** Identifies this program: its version and a digest of its own code. Workers of a search must all be the same program. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** "0.1.0-1a2b3c4d5e6f-node26". */
export function programId(version: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((path) => /\.[jt]s$/.test(path));
  for (const path of files.sort()) hash.update(`${path}\n`).update(readFileSync(join(ROOT, path)));
  return `${version}-${hash.digest('hex').slice(0, 12)}-node${process.versions.node.split('.')[0]}`;
}
