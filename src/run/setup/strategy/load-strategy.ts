/**
 * Loads a strategy from a file anywhere on disk. In it the import `tickwright` means this running program. Errors name the line if the
 * runtime knows it.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Failure } from '../../../base/failure/failure.ts';
import { ownModule } from '../../../base/own-module.ts';
import { didYouMean } from '../../../base/text/suggest.ts';
import { isStrategy, type AnyStrategy } from '../../../engine/strategy/definition/define.ts';
import { enroll, enter, leave, numberOf } from '../../../engine/strategy/definition/running.ts';
import type { StrategySource } from '../../../engine/strategy/definition/source.ts';
import type { SearchRun } from '../../../report/search-run.ts';
import { addStrategyModule, checkImport, isStrategyModule } from './modules.ts';
import { givenTexts, loadingOf, loadSource, noteImport, noteText, readSource, textAt } from './loaded-sources.ts';
import { strayExport } from './stray-exports.ts';

const DOOR = ownModule(new URL('../../../index.ts', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../..', import.meta.url));
const LOAD = numberOf('load');
let isHooked = false;

/**
 * Makes `import … from 'tickwright'` work in files outside this package, and TypeScript work inside packages, where the runtime does not
 * strip types by itself. Each worker needs its own call.
 */
function registerPublicDoor(): void {
  if (isHooked) return;
  isHooked = true;
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'tickwright') return { url: DOOR, shortCircuit: true };
      const { parentURL } = context;
      const isImported = parentURL !== undefined && isStrategyModule(parentURL);
      if (isImported) checkImport(specifier, parentURL);
      const kept = keptAddress(specifier, parentURL);
      const found = kept === null ? next(specifier, context) : { url: kept, shortCircuit: true };
      const loading = isImported && isOwnFile(found.url) ? loadingOf(parentURL) : '';
      const url = found.url.endsWith(loading) ? found.url : found.url + loading;
      // The same rules apply to files that a strategy imports.
      if (isImported) addStrategyModule(url);
      if (isImported) noteImport(parentURL, url);
      const format = isStrategyModule(url) ? formatOf(url, kept !== null) : undefined;
      return format === undefined ? { ...found, url } : { ...found, url, format };
    },
    load(url, context, next) {
      if (isStrategyModule(url) && isOwnFile(url)) {
        const isPackaged = isInPackage(url);
        const text = givenTexts(url)?.get(fileURLToPath(url)) ?? (isPackaged ? readFileSync(fileURLToPath(url), 'utf8') : undefined);
        if (text !== undefined) noteText(url, text);
        if (text !== undefined && isPackaged) return { format: 'module', source: stripped(url, text), shortCircuit: true };
        if (text !== undefined) return { format: context.format ?? 'module', source: text, shortCircuit: true };
        const read = next(url, context);
        if (read.source !== null && read.source !== undefined) noteText(url, textOf(read.source));
        return read;
      }
      if (!/^file:.*\/node_modules\/.*\.m?ts$/.test(url)) return next(url, context);
      return { format: 'module', source: stripped(url, readFileSync(fileURLToPath(url), 'utf8')), shortCircuit: true };
    },
  });
}

/** A strategy is an ES module even beside a package.json with "type": "commonjs", which `npm init` writes. undefined: as the runtime says. */
function formatOf(url: string, isKept: boolean): string | undefined {
  const path = url.replace(/\?reload=\d+$/, '');
  if (path.endsWith('.ts') || (isKept && path.endsWith('.mts'))) return 'module-typescript';
  return isKept ? 'module' : undefined;
}

function textOf(source: string | ArrayBuffer | NodeJS.TypedArray): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

function isInPackage(url: string): boolean {
  return url.includes('/node_modules/');
}

/** Folders in packages that have a strategy which was named, such as a ready-made bot: addresses that end in "/". */
const packaged = new Set<string>();

/**
 * True for a file that is not in a package, or is in the same package folder as a strategy that was named: it is a part of the text of the
 * strategy that imports it.
 */
function isOwnFile(url: string): boolean {
  if (!url.startsWith('file:') || url === DOOR) return false;
  return !isInPackage(url) || [...packaged].some((folder) => url.startsWith(folder) && !isInPackage(url.slice(folder.length - 1)));
}

/** The text as JavaScript: the runtime strips no types in packages. */
function stripped(url: string, text: string): string {
  return /\.m?ts(?:\?|$)/.test(url) ? nodeModule.stripTypeScriptTypes(text, { sourceUrl: url }) : text;
}

/** The address of a module in a text that was kept, which may not be on disk any more; null for any other. */
function keptAddress(specifier: string, parentURL: string | undefined): string | null {
  const isRelative = /^\.{0,2}\//.test(specifier);
  const url = specifier.startsWith('file:') ? specifier : isRelative && parentURL !== undefined ? new URL(specifier, parentURL).href : null;
  if (url === null) return null;
  const loading = loadingOf(url) || loadingOf(parentURL ?? '');
  const whole = url.endsWith(loading) ? url : url + loading;
  return givenTexts(whole)?.has(fileURLToPath(whole)) === true ? whole : null;
}

/** The default export of `file`. @throws Failure (configuration) */
export async function loadStrategy(file: string): Promise<AnyStrategy> {
  const path = fileOf(file);
  registerPublicDoor();
  const address = pathToFileURL(realpathSync(path)).href;
  if (isInPackage(address)) packaged.add(new URL('./', address).href);
  addStrategyModule(address);
  let module: Record<string, unknown>;
  enter(enroll(path), LOAD);
  try {
    module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    leave();
    throw await explain(error, path);
  } finally {
    leave();
  }
  return defaultOf(module, path, address);
}

/** The function that a strategy file exports as `objective`. @throws Failure (configuration) if there is none */
export async function loadObjective(file: string): Promise<(run: SearchRun) => unknown> {
  await loadStrategy(file);
  const path = fileOf(file);
  const { objective } = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  if (typeof objective === 'function') return objective as (run: SearchRun) => unknown;
  const found = objective === undefined ? 'there is none' : `found ${objective === null ? 'null' : typeof objective}`;
  throw fault(
    path,
    `--by or --constraint names "objective": a function that the file exports under this name was expected, ${found}`,
    'write: export const objective = (run: SearchRun) => run.metrics.sharpe',
  );
}

/** Loads `file` as it stands on disk, beside what was loaded from it before. @throws Failure (configuration) */
export async function loadAgain(file: string): Promise<StrategySource> {
  return readSource(fileOf(file), loadAddress);
}

/** Loads a strategy from its kept text. @throws Failure (configuration) */
export async function loadKept(source: StrategySource): Promise<void> {
  return loadSource(source, loadAddress);
}

/** Handlers may run meanwhile: nothing is marked as running. */
async function loadAddress(url: string): Promise<AnyStrategy> {
  const path = fileURLToPath(url);
  registerPublicDoor();
  addStrategyModule(url);
  try {
    return defaultOf((await import(url)) as Record<string, unknown>, path, url);
  } catch (error) {
    throw await explain(error, path);
  }
}

/** @throws Failure if there is no such file */
function fileOf(file: string): string {
  const path = resolve(file);
  if (!existsSync(path)) throw fault(path, 'there is no such strategy file');
  if (!statSync(path).isFile()) throw fault(path, 'a strategy file was expected, found a folder');
  return path;
}

/** @throws Failure if the module exports no strategy, or something that looks as if it were read */
function defaultOf(module: Record<string, unknown>, path: string, address: string): AnyStrategy {
  const strategy = module['default'];
  if (isStrategy(strategy)) {
    const stray = strayExport(module, strategy, textAt(address));
    if (stray === null) return strategy;
    throw fault(
      path,
      `the export "${stray.name}" is read by nothing; a file exports its strategy as default, and \`objective\``,
      stray.hint,
    );
  }
  if (strategy === undefined) {
    const names = Object.keys(module);
    const found = names.length === 0 ? 'found no export' : `found only ${names.join(', ')}`;
    throw fault(path, `a default export was expected, ${found}`, 'write: export default defineStrategy({ … })');
  }
  const kind = strategy === null ? 'null' : typeof strategy;
  throw fault(path, `the default export must be what defineStrategy gives, found ${kind}`, 'write: export default defineStrategy({ … })');
}

async function explain(error: unknown, path: string): Promise<Failure> {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return fault(path, `the file threw ${String(error)} while it was loaded`);
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const where = placeOf(error) ?? path;
  const message = error.message.split('\n', 1)[0] ?? '';
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    const hint = 'types are removed, not compiled: write a const object for an enum, and assign fields in the constructor';
    return fault(where, `this TypeScript cannot be run: ${message}`, hint, error);
  }
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return fault(path, 'a file that ends in .ts, .mts, .js or .mjs was expected', undefined, error);
  if (code === 'ERR_MODULE_NOT_FOUND') {
    const hint = message.startsWith('Cannot find package ')
      ? "a strategy imports from 'tickwright' and its own files; another package is installed beside the strategy file"
      : 'a relative import is written with its ending, for example "../signals.ts"';
    return fault(path, message.replaceAll(/ imported from .*/g, ''), hint, error);
  }
  if (message.startsWith('The requested module ')) return fault(where, message, await nearExport(message), error);
  if (code === 'ERR_INVALID_TYPESCRIPT_SYNTAX') return fault(where, `syntax error: ${message}`, undefined, error);
  const isRunning = placeOf(error) !== null;
  if (error instanceof SyntaxError && !isRunning) {
    return fault((await placeByAsking(path)) ?? path, `syntax error: ${message}`, undefined, error);
  }
  return fault(where, `the file failed while it was loaded: ${error.name}: ${message}`, undefined, error);
}

/** A hint for a name that `tickwright` does not export. */
async function nearExport(message: string): Promise<string | undefined> {
  const name = /^The requested module 'tickwright' does not provide an export named '(.*)'$/.exec(message)?.[1];
  return name === undefined
    ? undefined
    : (didYouMean(name, Object.keys(await import(DOOR))) ?? 'all names: docs/reference/api.md and docs/reference/indicators');
}

/** "path:line" of the first stack frame outside the runtime and this program. */
function placeOf(error: Error): string | null {
  for (const line of (error.stack ?? '').split('\n')) {
    const match = /(?<![\w:/])(file:\/\/\/[^\s():]*|\/[^\s():]+):(\d+)(?::(\d+))?/.exec(line);
    const [, location, row, column] = match ?? [];
    if (location === undefined || row === undefined || line.includes('node:')) continue;
    const path = location.startsWith('file:') ? fileURLToPath(location) : location;
    if (path.startsWith(PROGRAM)) continue;
    return column === undefined ? `${path}:${row}` : `${path}:${row}:${column}`;
  }
  return null;
}

/**
 * "path:line" of a syntax error. The error of an imported module has no line, but the runtime's message for a main file has. A file that
 * does not parse runs no code, so starting it is safe.
 */
async function placeByAsking(path: string): Promise<string | null> {
  const { spawnSync } = await import('node:child_process');
  const { stderr } = spawnSync(process.execPath, [path], { encoding: 'utf8', timeout: 5000 });
  return placeOf({ name: '', message: '', stack: (stderr ?? '').split('\n', 1)[0] ?? '' });
}

function fault(where: string, what: string, hint?: string, cause?: Error): Failure {
  return new Failure('strategy-load', { what, where, hint }, cause === undefined ? undefined : { cause });
}
