/** The part of a report about what strategies chose while a run went on, and what could not be chosen. */
import type { Lack } from '../domain/universe.ts';

export interface ReportedUniverse {
  readonly strategy: string;
  readonly choices: readonly ReportedChoice[];
  /** Symbols that were left out at least once, or could never be chosen: one row for each reason. */
  readonly excluded: readonly ExcludedSymbol[];
}

export interface ReportedChoice {
  /** The moment, in milliseconds. */
  readonly at: number;
  /** Best first. */
  readonly symbols: readonly string[];
  readonly joined: readonly string[];
  readonly left: readonly string[];
  /** Number of candidates that could not be ranked. */
  readonly excluded: number;
}

export interface ExcludedSymbol {
  readonly symbol: string;
  /** Number of choices; null for all of them. */
  readonly choices: number | null;
  /** As at the first of these choices, in words. */
  readonly why: string;
  /** What it lacked; absent in reports of older versions. */
  readonly lack?: Lack['why'] | 'rules' | undefined;
}

/** Share of the symbols that the choice replaced: 0 to 1. The first one replaced none. */
export function turnoverOf({ joined, left, symbols }: ReportedChoice): number {
  const isFirst = left.length === 0 && joined.length === symbols.length;
  return isFirst ? 0 : joined.length / symbols.length;
}
