/**
 * Decides which modules belong to strategies and what they may import. This prevents accidents, not attacks: a strategy runs in the bot's
 * process.
 */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../../base/failure/failure.ts';
import { runningNow } from '../../../engine/strategy/definition/running.ts';

/** Built-in modules that only compute. */
const HARMLESS: ReadonlySet<string> = new Set([
  'assert',
  'assert/strict',
  'buffer',
  'events',
  'path',
  'querystring',
  'string_decoder',
  'url',
  'util',
]);

const INSTEAD: Readonly<Record<string, string>> = {
  timers: 'ctx.setTimer',
  'timers/promises': 'ctx.setTimer',
  crypto: 'ctx.random()',
  perf_hooks: 'ctx.now',
  fs: 'save and restore, or a parameter',
  'fs/promises': 'save and restore, or a parameter',
};

let isGuarded = false;
/** URLs and paths of strategy modules; callers use either. */
const modules = new Set<string>();

/** Turns the import check on. */
export function guardImports(): void {
  isGuarded = true;
}

export function addStrategyModule(url: string): void {
  modules.add(url);
  if (url.startsWith('file:')) modules.add(fileURLToPath(url));
}

/** Paths of the strategies' files and of their imports. */
export function strategyFiles(): string[] {
  return [...modules].filter((place) => isAbsolute(place)).sort();
}

/** True if `place`, a URL or a path, is a strategy module. */
export function isStrategyModule(place: string | undefined): boolean {
  return place !== undefined && modules.has(place);
}

/** "path:line:column" of the first place of a strategy module in `stack`; null if there is none. */
export function placeInStrategy(stack: string): string | null {
  for (const [, url = '', at = ''] of stack.matchAll(/(file:\/\/[^\s():]+)((?::\d+)*)/g)) {
    if (isStrategyModule(url)) return `${fileURLToPath(url)}${at}`;
  }
  return null;
}

/** @throws Failure (configuration) if the strategy module `parent` may not import `specifier`, or not now */
export function checkImport(specifier: string, parent: string): void {
  if (!isGuarded) return;
  checkModule(specifier, parent);
  const handler = runningNow()?.handler ?? 'load';
  if (handler === 'load') return;
  throw new Failure('strategy-import', {
    what: `import('${specifier}') in ${handler} comes too late: nothing is waited for while a handler runs`,
    where: placeOf(specifier, parent),
    hint: 'import it at the top of the file',
  });
}

function checkModule(specifier: string, parent: string): void {
  if (!isBuiltin(specifier)) return;
  const name = specifier.replace(/^node:/, '');
  if (HARMLESS.has(name)) return;
  const instead = INSTEAD[name];
  throw new Failure('strategy-import', {
    what: `a strategy may not import ${specifier}${instead === undefined ? '' : `; use ${instead}`}`,
    where: placeOf(specifier, parent),
    hint: 'a backtest could not repeat it. With strategyGuard: off it is allowed, at your own risk',
  });
}

/** "path:line" of the import if it is found in the source, else the path. */
function placeOf(specifier: string, parent: string): string {
  const path = parent.startsWith('file:') ? fileURLToPath(parent) : parent;
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes(`'${specifier}'`) || line.includes(`"${specifier}"`));
    return at < 0 ? path : `${path}:${at + 1}`;
  } catch {
    return path;
  }
}
