/** The value of a metric in a report. */

/** Unit of a value. `money` is an amount of the quote coin as a decimal string; `share` is a fraction, so 0.01 is 1 %. */
export type MetricUnit = 'money' | 'share' | 'ratio' | 'count' | 'ms';

/** What the sample of a metric consists of. */
export type SampleUnit =
  | 'periods'
  | 'days'
  | 'samples'
  | 'drawdowns'
  | 'trades'
  | 'wins'
  | 'losses'
  | 'longs'
  | 'shorts'
  | 'fills'
  | 'orders';

export interface MetricResult {
  readonly name: string;
  readonly unit: MetricUnit;
  /** Null if the sample is too small, or if the value does not exist, such as a division by zero. */
  readonly value: number | string | null;
  /** Size of the sample and the least that is enough: if `sample` < `least`, a reader sees "too few (7 of 30)". */
  readonly sample: number;
  readonly least: number;
  readonly of: SampleUnit;
  /** Bounds of the 95 % interval by stationary block bootstrap, in the unit of the value; null if there is none. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** By key of the metric. */
export type MetricResults = Readonly<Record<string, MetricResult>>;
