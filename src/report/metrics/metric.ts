/** A row of the table of metrics. */
import type { MetricFacts } from './facts.ts';
import type { MetricUnit, SampleUnit } from './results.ts';

export interface Metric {
  /** In the text of the report, at most 26 characters. */
  readonly name: string;
  readonly unit: MetricUnit;
  /** How it is computed, in words. */
  readonly formula: string;
  /** Who defined it so; "" for plain counts, sums and averages. */
  readonly source: string;
  /** What its sample consists of, and how many of them it needs at least. */
  readonly of: SampleUnit;
  readonly least: number;
  /** True if a smaller value is better. A search then looks for small values, unless its command says otherwise. */
  readonly isLessBetter?: true;
  /** True for a yearly ratio of a mean return. It needs a longer run: more periods in the same time do not make a mean more certain. */
  readonly ofYear?: true;
  /** Rows that the bootstrap draws for its interval; absent if it has none. */
  readonly draws?: 'periods' | 'trades';
  /** True if it needs the prices after fills, which a run must watch for it. */
  readonly needsWatch?: true;
  /** Null, NaN or infinite if the value does not exist. Money is in 10⁻⁸ of the quote coin. */
  readonly value: (facts: MetricFacts) => number | null;
}

/** Metrics by key. */
export type MetricTable = Readonly<Record<string, Metric>>;

/** Fewest returns, trades and so on from which a ratio is computed. */
export const ENOUGH = 30;

/** Fewest whole days for a yearly ratio. A search compares such ratios of equal times, so it has no such minimum. */
export const YEAR_RATIO_DAYS = 1;
