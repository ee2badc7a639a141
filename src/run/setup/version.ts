/** The version of this program, from its package.json. */
import { readFileSync } from 'node:fs';

export function programVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
