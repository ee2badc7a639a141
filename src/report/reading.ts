/** The shape of the readings of a result. */
import type { MetricResult } from './metrics/results.ts';

export const READINGS = ['pessimistic', 'as reported', 'optimistic'] as const;
export type ReadingName = (typeof READINGS)[number];

export interface Reading {
  readonly name: ReadingName;
  /** What is assumed, in words. */
  readonly terms: string;
  /** Strategies that were stopped in it. */
  readonly failed: readonly string[];
  readonly net: string;
  readonly fees: string;
  readonly maxDrawdownShare: number;
  readonly trades: number;
  readonly wins: number;
  readonly fills: number;
  readonly sharpe: MetricResult | null;
  /** Equity in the quote coin over time, thinned. */
  readonly series: { readonly time: readonly number[]; readonly equity: readonly number[] };
}

export interface Bracket {
  /** In the order of READINGS. */
  readonly readings: readonly Reading[];
  /** How far they are apart, and what follows. */
  readonly sentence: string;
}
