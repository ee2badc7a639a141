/** Puts modules of this folder into a page that is one file: there they are plain scripts, and what they export is known to the scripts after them. */
import { readFileSync } from 'node:fs';

/** The text of a module without its exports and imports. */
export function inlined(module: URL): string {
  return readFileSync(module, 'utf8')
    .replaceAll(/^import [^;]+;\n/gm, '')
    .replaceAll(/^export /gm, '');
}
