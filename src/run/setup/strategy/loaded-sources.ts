/**
 * The texts of strategy modules, as they were loaded, and strategies that were loaded from a text: of a file that changed on disk while the
 * bot runs, or of a recording.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Failure } from '../../../base/failure/failure.ts';
import type { AnyStrategy } from '../../../engine/strategy/definition/define.ts';
import type { SourceFile, StrategySource } from '../../../engine/strategy/definition/source.ts';

/** Characters of all files of a strategy together: they are in the journal and in each snapshot. */
const MOST_CHARACTERS = 262_144;

/** By address: the text of a module, and the addresses of what it imports. */
const texts = new Map<string, string>();
const imports = new Map<string, Set<string>>();

/** By sha256. */
const loaded = new Map<string, AnyStrategy>();
/** By number of the loading: texts by path that take the place of the files. */
const given = new Map<string, ReadonlyMap<string, string>>();
let loadings = 0;

export function noteText(url: string, text: string): void {
  texts.set(url, text);
}

/** The text of a module as it was loaded; "" if it is not known. */
export function textAt(url: string): string {
  return texts.get(url) ?? '';
}

export function noteImport(parent: string, url: string): void {
  imports.set(parent, (imports.get(parent) ?? new Set()).add(url));
}

/** "?reload=3" of an address; "" for a module that was loaded with the bot. */
export function loadingOf(url: string): string {
  return /\?reload=\d+$/.exec(url)?.[0] ?? '';
}

/** The texts that take the place of files in the loading of this address; undefined if the files themselves are read. */
export function givenTexts(url: string): ReadonlyMap<string, string> | undefined {
  return given.get(loadingOf(url));
}

/** The text of a strategy as it was loaded from this file with the bot. @throws Failure if it was not, or is too long */
function sourceOf(file: string): StrategySource {
  return sourceAt(addressOf(file));
}

/** The same; null if it is too long to be kept, or was not loaded. */
export function keptSourceOf(file: string): StrategySource | null {
  try {
    return sourceOf(file);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** The text of a strategy that was loaded with the bot. From now on the text is known to give it. @throws Failure as above */
export function asLoaded(file: string, strategy: AnyStrategy): StrategySource {
  const source = sourceOf(file);
  if (!loaded.has(source.sha256)) loaded.set(source.sha256, strategy);
  return source;
}

/** Loads the file as it stands on disk now. @throws Failure if it cannot be loaded, or is too long */
export async function readSource(file: string, load: (url: string) => Promise<AnyStrategy>): Promise<StrategySource> {
  const url = `${addressOf(file)}?reload=${++loadings}`;
  const strategy = await load(url);
  const source = sourceAt(url);
  if (!loaded.has(source.sha256)) loaded.set(source.sha256, strategy);
  return source;
}

/** Loads a strategy from its text. @throws Failure if it cannot be loaded, or does not have the hash that it claims */
export async function loadSource(source: StrategySource, load: (url: string) => Promise<AnyStrategy>): Promise<void> {
  const [entry] = source.files;
  if (loaded.has(source.sha256)) return;
  if (entry === undefined || hashOf(source.files) !== source.sha256)
    throw new Failure('strategy-load', { what: 'the kept text of a strategy is damaged: its sha256 differs', where: entry?.file });
  const loading = `?reload=${++loadings}`;
  given.set(loading, new Map(source.files.map(({ file, text }) => [file, text])));
  loaded.set(source.sha256, await load(`${pathToFileURL(entry.file).href}${loading}`));
}

/** The strategy of a text that was loaded; undefined for any other. */
export function strategyOf({ sha256 }: StrategySource): AnyStrategy | undefined {
  return loaded.get(sha256);
}

/** What stands on disk, beside the text that runs. */
export function onDisk({ files }: StrategySource): 'same' | 'other' | 'missing' {
  try {
    return files.every(({ file, text }) => readFileSync(file, 'utf8') === text) ? 'same' : 'other';
  } catch {
    return 'missing';
  }
}

function addressOf(file: string): string {
  return pathToFileURL(realpathSync(resolve(file))).href;
}

function sourceAt(entry: string): StrategySource {
  const files: SourceFile[] = [];
  const seen = new Set<string>();
  const visit = (url: string): void => {
    const text = texts.get(url);
    if (text === undefined || seen.has(url)) return;
    seen.add(url);
    files.push({ file: fileURLToPath(url), text });
    for (const next of imports.get(url) ?? []) visit(next);
  };
  visit(entry);
  const where = fileURLToPath(entry);
  if (files.length === 0)
    throw new Failure('strategy-load', { what: 'the text of this strategy is not known: it was loaded otherwise', where });
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > MOST_CHARACTERS)
    throw new Failure('strategy-load', {
      what: `expected at most ${MOST_CHARACTERS} characters in a strategy and the files that it imports, found ${characters}`,
      where,
      hint: 'shorten them, or put what rarely changes into a package beside the strategy',
    });
  return { sha256: hashOf(files), files };
}

function hashOf(files: readonly SourceFile[]): string {
  // Not imported: node:crypto would take a tenth of a short backtest, which hashes nothing.
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', JSON.stringify(files.map(({ file, text }) => [file, text])));
}
