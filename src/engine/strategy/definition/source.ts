/** The text of a strategy: its file and the files that it imports, as they were loaded. */
import type { AnyStrategy } from './define.ts';

export interface SourceFile {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

/** Plain JSON. */
export interface StrategySource {
  /** Of all files, in hexadecimal digits. */
  readonly sha256: string;
  /** The strategy's own file first. */
  readonly files: readonly SourceFile[];
}

/** How a strategy came to another text than that of its file when the bot started. Plain JSON. */
export interface Reload {
  /** What runs. */
  readonly source: StrategySource;
  /** Since when, in milliseconds. */
  readonly at: number;
  /** What comes back if this one fails: the last text that was not on trial. null once that came back, by itself or by an operator. */
  readonly before: StrategySource | null;
  /** What `before` had saved, or what `source` came back with by itself; null for none. */
  readonly state: string | null;
  /** Why `source` came back, and the sha256 of what failed; null if an operator loaded it. */
  readonly returned: { readonly why: string; readonly failed: string } | null;
}

/** By strategy. */
export type ReloadsByStrategy = Readonly<Record<string, Reload>>;

/** Time after a reload in which the text before comes back by itself. */
export const TRIAL_MS = 3_600_000;

/** Gives the strategy of a text that was loaded before; undefined for any other. */
export type StrategyOf = (source: StrategySource) => AnyStrategy | undefined;

/** The first digits of the hash, by which people tell texts apart. */
export function shortHash({ sha256 }: StrategySource): string {
  return sha256.slice(0, 12);
}
