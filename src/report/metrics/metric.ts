/** A row of the table of metrics. */
import type { MetricFacts } from './facts.ts';
import type { MetricUnit, SampleUnit } from './results.ts';

export interface Metric {
  /** In the text of the report, at most 28 characters. */
  readonly name: string;
  readonly unit: MetricUnit;
  /** How it is computed, in words: the end of the sentence "It is …". */
  readonly formula: string;
  /** Who defined it so; "" for plain counts, sums and averages. */
  readonly source: string;
  /** What its sample consists of, and how many of them it needs at least. */
  readonly of: SampleUnit;
  readonly least: number;
  /** Null or NaN if the value does not exist. Money is in 10⁻⁸ of the quote coin. */
  readonly value: (facts: MetricFacts) => number | null;
}
