/** The texts that strategies were given while a session was recorded, in a file beside its segments. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../edge/file/replace-file.ts';
import type { StrategySource } from '../../engine/strategy/definition/source.ts';

/** Of one reload. */
export interface ReloadedTexts {
  readonly strategy: string;
  readonly source: StrategySource;
  readonly before: StrategySource;
}

const FILE = 'texts.json';

/** All of the session so far. @throws Error of node:fs */
export function writeTexts(folder: string, texts: readonly ReloadedTexts[]): void {
  replaceFile(join(folder, FILE), JSON.stringify(texts));
}

/** In the order of the reloads. */
export function readTexts(folder: string): readonly ReloadedTexts[] {
  const path = join(folder, FILE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ReloadedTexts[]) : [];
}
