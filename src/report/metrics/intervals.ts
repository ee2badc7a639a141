/** 95 % intervals of metrics: each metric again on 500 resamples of its rows by the stationary block bootstrap, always the same ones. */
import { Random } from '../../base/random.ts';
import { blockLength, stationaryIndices } from '../../statistics/bootstrap.ts';
import { quantileOfSorted } from '../../statistics/moments.ts';
import type { MetricFacts } from './facts.ts';
import type { Metric } from './metric.ts';

const RESAMPLES = 500;
/** Above this many rows an interval is narrow and would take seconds, so there is none. */
const ROWS_MAX = 20_000;
const SEED = 1;

type Rows = NonNullable<Metric['draws']>;
type Interval = readonly [low: number, high: number];

/** By metric, for those that have an interval. Bounds are NaN-free; a bound may be infinite. */
export function intervalsOf(metrics: readonly Metric[], facts: MetricFacts): Map<Metric, Interval> {
  const found = new Map<Metric, Interval>();
  for (const rows of ['periods', 'trades'] as const) {
    const wanted = metrics.filter(({ draws }) => draws === rows);
    const series = seriesOf(rows, facts);
    if (wanted.length === 0 || series.length < 2 || series.length > ROWS_MAX) continue;
    const drawn = wanted.map(() => new Float64Array(RESAMPLES));
    const random = new Random(SEED);
    const length = blockLength(series);
    const at = new Uint32Array(series.length);
    for (let k = 0; k < RESAMPLES; k++) {
      stationaryIndices(at, length, random);
      const resampled = { ...facts, [rows]: resample(rows, facts, at) };
      wanted.forEach((metric, m) => (drawn[m]![k] = metric.value(resampled) ?? Number.NaN));
    }
    wanted.forEach((metric, m) => {
      const sorted = drawn[m]!.filter((value) => !Number.isNaN(value)).sort();
      const interval = [quantileOfSorted(sorted, 0.025), quantileOfSorted(sorted, 0.975)] as const;
      if (interval.every(Number.isFinite)) found.set(metric, interval);
    });
  }
  return found;
}

/** The series whose dependence decides the length of blocks. */
function seriesOf(rows: Rows, { periods, trades }: MetricFacts): Float64Array {
  return rows === 'periods' ? periods.returns : trades.net;
}

function resample(rows: Rows, { periods, trades }: MetricFacts, at: Uint32Array): MetricFacts[Rows] {
  const from = (column: Float64Array): Float64Array => {
    const out = new Float64Array(at.length);
    for (let k = 0; k < at.length; k++) out[k] = column[at[k]!]!;
    return out;
  };
  if (rows === 'periods') {
    const returns = from(periods.returns);
    return { ...periods, returns, benchmark: from(periods.benchmark), sorted: returns.slice().sort() };
  }
  const { net, side, heldMs, mae, mfe } = trades;
  return { net: from(net), side: from(side), heldMs: from(heldMs), mae: from(mae), mfe: from(mfe) };
}
