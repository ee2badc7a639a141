/** Lists which keys of the configuration name a file, and which files a bot needs elsewhere. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Settings } from './defaults.ts';
import { keystoreIn } from './files/keystore-place.ts';
import { DESCRIPTOR } from './files/private-file.ts';

/** `open`: a bot reads it. `secret`: the same, and its content is told to nobody. `made`: what a bot writes. */
export const FILE_KEYS = {
  instruments: 'open',
  limits: 'open',
  'venue.credentials': 'secret',
  'watchdog.credentials': 'secret',
  'store.folder': 'made',
  'alerts.file': 'secret',
  'webhooks.file': 'secret',
  'record.tape': 'made',
  'simulation.latency.file': 'open',
  'simulation.funding.file': 'open',
  'exchange.reference': 'open',
} as const satisfies Readonly<Record<string, 'open' | 'secret' | 'made'>>;

/** The files and folders that the settings name, strategies with what they import included. A path is there once. */
export function namedPaths(settings: Settings): { readonly open: readonly string[]; readonly secret: readonly string[] } {
  const of = (wanted: 'open' | 'secret'): string[] =>
    Object.entries(FILE_KEYS)
      .filter(([, kind]) => kind === wanted)
      .map(([key]) => pathOf(valueAt(settings, key)))
      .filter((path) => path !== '');
  const strategies = new Set<string>();
  for (const { file } of settings.strategies) addWithImports(resolve(file), strategies);
  return { open: [...new Set([...of('open'), ...settings.data, ...strategies])], secret: [...new Set(of('secret'))] };
}

function valueAt(settings: Settings, key: string): string {
  return key.split('.').reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], settings) as string;
}

/** A keystore is named with a word before it; a descriptor is no file. */
function pathOf(value: string): string {
  if (value === '' || DESCRIPTOR.test(value)) return '';
  return resolve(keystoreIn(value)?.file ?? value);
}

const IMPORT = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/** Relative imports, as their text has them: nothing is run. */
function addWithImports(file: string, into: Set<string>): void {
  if (into.has(file)) return;
  into.add(file);
  if (!existsSync(file)) return;
  for (const [, , path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) addWithImports(resolve(dirname(file), path), into);
}
