/** The texts of the strategies of a recorded session, in a file beside its segments. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../edge/file/replace-file.ts';
import type { StrategySource } from '../../engine/strategy/definition/source.ts';

/** A strategy by name, the text on disk, and the text that runs or ran before. */
export interface ReloadedTexts {
  readonly strategy: string;
  readonly source: StrategySource;
  readonly before: StrategySource;
}

export interface SessionTexts {
  /** As they were loaded with the bot, in the order of the configuration; null for one that is too long to be kept. */
  readonly begun: readonly (StrategySource | null)[];
  /** In the order of the reloads. */
  readonly reloads: readonly ReloadedTexts[];
}

const FILE = 'texts.json';

/** @throws Error of node:fs */
export function writeTexts(folder: string, texts: SessionTexts): void {
  replaceFile(join(folder, FILE), JSON.stringify(texts));
}

export function readTexts(folder: string): SessionTexts {
  const path = join(folder, FILE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SessionTexts) : { begun: [], reloads: [] };
}
