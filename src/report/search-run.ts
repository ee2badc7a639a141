/** A run of a search as the `objective` of a strategy file gets it. */
import type { MetricKey } from './metrics/metrics.ts';
import type { EquitySeries } from './run-report.ts';
import type { RoundTrip } from './trades/trade.ts';

/** What one run of a search gave: the argument of `export const objective` in a strategy file. */
export interface SearchRun {
  /**
   * Every metric of the report by its name; amounts in the quote coin. Null if the sample is too small or there is no value. `maxDrawdown` is the
   * share of the peak, as in `--by`.
   */
  readonly metrics: Readonly<Record<MetricKey, number | null>>;
  /** Closed trades in order of closing. */
  readonly trades: readonly RoundTrip[];
  /** Equity over time, at most 2,000 points. */
  readonly equity: EquitySeries;
  /** Start of the part of the tape that the run had, in milliseconds since 1970. */
  readonly from: number;
  /** End of that part, in milliseconds since 1970. */
  readonly to: number;
}
