/** Files of packages that pages are made of, as they were published. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The text of the file `path` of a package. @throws Error of node:module, of node:fs */
export function packageFile(name: string, path: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return readFileSync(manifest.replace(/package\.json$/, path), 'utf8');
}

/** The script of Lightweight Charts. */
export const candleScript = (): string => packageFile('lightweight-charts', 'dist/lightweight-charts.standalone.production.js');
