/** Every metric of a report. To add one, add a row to the table of its family, and its case to the test. */
import { DAY_MS } from '../../base/time/time-spans.ts';
import { formatMoney } from '../../domain/instrument.ts';
import { countWhere } from '../../statistics/samples/columns.ts';
import { isLoss, isWin } from '../../statistics/trades.ts';
import { ONE } from '../../domain/amounts/units.ts';
import { BENCHMARK_METRICS } from './benchmark-metrics.ts';
import { DRAWDOWN_METRICS } from './drawdown-metrics.ts';
import { EXECUTION_METRICS } from './execution-metrics.ts';
import type { MetricFacts } from './facts.ts';
import { HOLDING_METRICS } from './holding-metrics.ts';
import { intervalsOf } from './intervals.ts';
import { YEAR_RATIO_DAYS, type Metric } from './metric.ts';
import { RESULT_METRICS } from './result-metrics.ts';
import type { MetricResult, MetricResults, SampleUnit } from './results.ts';
import { RETURN_METRICS } from './return-metrics.ts';
import { TRADE_METRICS } from './trade-metrics.ts';

/** The families in the order in which they are shown. */
export const METRIC_FAMILIES = {
  Result: RESULT_METRICS,
  Returns: RETURN_METRICS,
  'Against buy and hold': BENCHMARK_METRICS,
  Drawdowns: DRAWDOWN_METRICS,
  Trades: TRADE_METRICS,
  'Holding and excursions': HOLDING_METRICS,
  Execution: EXECUTION_METRICS,
} as const;

type Family = (typeof METRIC_FAMILIES)[keyof typeof METRIC_FAMILIES];
type KeysOf<Table> = Table extends unknown ? keyof Table & string : never;
export type MetricKey = KeysOf<Family>;

export const METRICS = Object.assign({}, ...Object.values(METRIC_FAMILIES)) as Readonly<Record<MetricKey, Metric>>;

/** The metrics of `keys`, or every metric, in the order of the table. */
export function metricsOf(facts: MetricFacts, keys: readonly MetricKey[] = Object.keys(METRICS) as MetricKey[]): MetricResults {
  const enough = keys.filter((key) => {
    const { sample, least } = needOf(METRICS[key], facts);
    return sample >= least;
  });
  const intervals = intervalsOf(
    enough.map((key) => METRICS[key]),
    facts,
  );
  return resultsOf(facts, keys, intervals);
}

/** The same without intervals, which take most of the time. */
export function resultsOf(
  facts: MetricFacts,
  keys: readonly MetricKey[],
  intervals: ReturnType<typeof intervalsOf> = new Map(),
): MetricResults {
  return Object.fromEntries(
    keys.map((key): [MetricKey, MetricResult] => {
      const metric = METRICS[key];
      const { name, unit } = metric;
      const { sample, least, of } = needOf(metric, facts);
      const value = sample < least ? null : shown(unit, metric.value(facts));
      const interval = value === null ? null : (intervals.get(metric) ?? null);
      const scale = unit === 'money' ? ONE : 1;
      return [
        key,
        { name, unit, value, sample, least, of, interval: interval === null ? null : [interval[0] / scale, interval[1] / scale] },
      ];
    }),
  );
}

/** The values of `keys` as numbers, without intervals; amounts in the quote coin. Null if the sample is too small or there is no value. */
export function metricNumbers(facts: MetricFacts, keys: readonly MetricKey[]): Partial<Record<MetricKey, number | null>> {
  return Object.fromEntries(
    keys.map((key) => {
      const { of, least, unit, value } = METRICS[key];
      const found = sampleOf(of, facts) < least ? null : value(facts);
      return [key, found === null || !Number.isFinite(found) ? null : unit === 'money' ? Math.round(found) / ONE : found];
    }),
  );
}

function shown(unit: Metric['unit'], value: number | null): number | string | null {
  if (value === null || !Number.isFinite(value)) return null;
  return unit === 'money' ? amount(Math.round(value)) : value;
}

/** Beyond the exact range, which the turnover of a long run may be, to the cent. */
function amount(money: number): string {
  return Number.isSafeInteger(money) ? formatMoney(money) : (money / ONE).toFixed(2);
}

const SAMPLES: Readonly<Record<SampleUnit, (facts: MetricFacts) => number>> = {
  periods: ({ periods }) => periods.returns.length,
  days: ({ totals }) => Math.floor(totals.spanMs / DAY_MS),
  samples: ({ curve }) => curve.time.length,
  drawdowns: ({ curve }) => curve.drawdowns.length,
  trades: ({ trades }) => trades.net.length,
  wins: ({ trades }) => countWhere(trades.net, isWin),
  losses: ({ trades }) => countWhere(trades.net, isLoss),
  longs: ({ trades }) => countWhere(trades.side, (side) => side > 0),
  shorts: ({ trades }) => countWhere(trades.side, (side) => side < 0),
  fills: ({ orders }) => orders.fills,
  orders: ({ orders }) => orders.placed,
};

function sampleOf(of: SampleUnit, facts: MetricFacts): number {
  return SAMPLES[of](facts);
}

/** What the metric lacks, or has: days if it is a ratio of a year and the run is too short for one, else its own sample. */
function needOf({ of, least, ofYear }: Metric, facts: MetricFacts): Pick<MetricResult, 'sample' | 'least' | 'of'> {
  const days = sampleOf('days', facts);
  if (ofYear === true && days < YEAR_RATIO_DAYS) return { sample: days, least: YEAR_RATIO_DAYS, of: 'days' };
  return { sample: sampleOf(of, facts), least, of };
}
