/** 95 % intervals of metrics: each metric again on up to 500 resamples of its rows by the stationary block bootstrap, always the same ones. */
import { once } from '../../base/once.ts';
import { Random } from '../../base/random.ts';
import { joined, type Column } from '../../statistics/samples/columns.ts';
import { blockLength, stationaryIndices } from '../../statistics/bootstrap.ts';
import { quantileOfSorted } from '../../statistics/samples/moments.ts';
import type { MetricFacts, PeriodColumns, TradeColumns } from './facts.ts';
import type { Metric } from './metric.ts';

const RESAMPLES = 500;
/** Long samples get fewer resamples, with `ROWS_DRAWN` rows in all: their intervals are narrow, and 200 resamples are exact enough. */
const RESAMPLES_LEAST = 200;
const ROWS_DRAWN = 2_500_000;
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
    const column = columnOf(rows, facts);
    if (wanted.length === 0 || column.length < 2 || column.length > ROWS_MAX) continue;
    const series = joined(column);
    const resamples = Math.min(RESAMPLES, Math.max(RESAMPLES_LEAST, Math.floor(ROWS_DRAWN / series.length)));
    const drawn = wanted.map(() => new Float64Array(resamples));
    const ranks = once(() => ranksOf(series));
    const random = new Random(SEED);
    const length = blockLength(series);
    const at = new Uint32Array(series.length);
    for (let k = 0; k < resamples; k++) {
      stationaryIndices(at, length, random);
      const resampled = { ...facts, [rows]: rows === 'trades' ? drawnTrades(facts.trades, at) : drawnPeriods(facts.periods, at, ranks) };
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
function columnOf(rows: Rows, { periods, trades }: MetricFacts): Column {
  return rows === 'periods' ? periods.returns : trades.net;
}

/** Columns are drawn, and ranks found, when a metric reads them. */
function drawnTrades({ net, side, heldMs, mae, mfe }: TradeColumns, at: Uint32Array): TradeColumns {
  const columns = [net, side, heldMs, mae, mfe].map((column) => once(() => columnAt(joined(column), at)));
  return {
    get net() {
      return columns[0]!();
    },
    get side() {
      return columns[1]!();
    },
    get heldMs() {
      return columns[2]!();
    },
    get mae() {
      return columns[3]!();
    },
    get mfe() {
      return columns[4]!();
    },
  };
}

function drawnPeriods(periods: PeriodColumns, at: Uint32Array, ranks: () => Uint32Array): PeriodColumns {
  const sorted = once(() => drawnSorted(periods.sorted, at, ranks()));
  const benchmark = once(() => columnAt(periods.benchmark, at));
  return {
    perYear: periods.perYear,
    periodMs: periods.periodMs,
    returns: columnAt(periods.returns, at),
    get benchmark() {
      return benchmark();
    },
    get sorted() {
      return sorted();
    },
  };
}

function columnAt(column: Float64Array, at: Uint32Array): Float64Array {
  const out = new Float64Array(at.length);
  for (let k = 0; k < at.length; k++) out[k] = column[at[k]!]!;
  return out;
}

/** The place of each value among all of them sorted upwards. */
function ranksOf(column: Float64Array): Uint32Array {
  const ranks = new Uint32Array(column.length);
  const order = Uint32Array.from(column, (_, k) => k).sort((a, b) => column[a]! - column[b]!);
  for (const [rank, k] of order.entries()) ranks[k] = rank;
  return ranks;
}

/** The drawn values sorted upwards: how often each rank was drawn, in the order of the ranks. */
function drawnSorted(sorted: Float64Array, at: Uint32Array, ranks: Uint32Array): Float64Array {
  const counts = new Uint32Array(sorted.length);
  for (let k = 0; k < at.length; k++) counts[ranks[at[k]!]!]!++;
  const out = new Float64Array(at.length);
  let to = 0;
  for (let rank = 0; rank < counts.length; rank++) for (let n = counts[rank]!; n > 0; n--) out[to++] = sorted[rank]!;
  return out;
}
