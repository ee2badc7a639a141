/** Collects what the script of the page draws, thinned so that a page stays small: columns of numbers, times in seconds since 1970. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../base/time/time-spans.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import { formatMoney } from '../../../domain/instrument.ts';
import { tradeRows } from '../../backtest-report.ts';
import type { MarketDrawing, PackedPoints } from '../../market/drawings.ts';
import type { PackedBars } from '../../market/chart-bars.ts';
import { packedBars, packedPoints } from '../../market/packed-bars.ts';
import { thinned as thinnedRows } from '../../equity/equity-curve.ts';
import { rollingSeries, type RollingSeries } from '../../rolling-series.ts';
import { SHADED } from '../../document/returns/equity-sections.ts';
import type { EquitySeries, RunReport } from '../../run-report.ts';
import type { OpenTrade, RoundTrip } from '../../trades/trade.ts';
import type { TradeRows } from '../../trades/trade-rows.ts';
import { exitWords } from '../../trades/trip-exits.ts';

/** Most trades on the chart of prices, and dots of the scatter. */
const TRADES_MAX = 4_000;
const DOTS_MAX = 3_000;
/** Most points of the cumulative profit. */
const POINTS_MAX = 2_000;
/** Most bars of all charts of prices together. */
const BARS_MAX = 14_000;

export interface Line {
  readonly label: string;
  readonly time: readonly number[];
  readonly equity: readonly number[];
}

export interface ChartData {
  readonly time: readonly number[];
  readonly equity: readonly number[];
  /** Shares: 0 at a peak, negative below it. */
  readonly drawdown: readonly number[];
  readonly exposure: readonly number[];
  readonly hold: { readonly time: readonly number[]; readonly equity: readonly number[]; readonly drawdown: readonly number[] };
  /** Equity of other runs: another report, and the two readings of the bracket. */
  readonly others: readonly Line[];
  readonly returns: { readonly ms: number; readonly time: readonly number[]; readonly share: readonly number[] };
  /** Null for a run that is too short. */
  readonly rolling: RollingSeries | null;
  /** The deepest drawdowns from peak to new peak, or to the end, the deepest first: shaded. */
  readonly worst: readonly { readonly from: number; readonly to: number }[];
  /** Sums of the results of the first n trades in order of closing, of all and of each side. */
  readonly profit: {
    readonly trade: readonly number[];
    readonly all: readonly number[];
    readonly long: readonly number[];
    readonly short: readonly number[];
  };
  /** Excursions of trades as shares, by result. */
  readonly dots: { readonly wins: Dots; readonly losses: Dots; readonly shown: number; readonly of: number };
  readonly holding: {
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly wins: readonly number[];
    readonly losses: readonly number[];
  };
  readonly markets: readonly ChartMarket[];
  /** Net profit of each strategy, null for one alone. */
  readonly strategies: { readonly time: readonly number[]; readonly names: readonly string[]; readonly profit: Columns } | null;
}

type Columns = readonly (readonly number[])[];

export interface Dots {
  readonly mae: readonly number[];
  readonly mfe: readonly number[];
  readonly net: readonly string[];
}

export interface ChartMarket {
  readonly symbol: string;
  readonly decimals: number;
  /** Bars of the whole run: those that are shown at first, and finer ones if there are any. */
  readonly whole: readonly PackedBars[];
  /** The finest bars around some trades, in order of time. */
  readonly windows: readonly PackedBars[];
  /** Times in milliseconds: the script moves them to their bars. */
  readonly trades: readonly ChartTrade[];
  /** Positions that are open at the end: a trade up to the last bar, with its last price and no result. */
  readonly open: readonly ChartTrade[];
  /** Number of trades of the symbol, of which `trades` may be a part. */
  readonly of: number;
  /** What strategies said and drew, and the indicators that they declared. */
  readonly notes: MarketDrawing['notes'];
  readonly notesOf: number;
  readonly lines: readonly (PackedPoints & { readonly name: string })[];
}

/** Opened, closed, entry price, exit price, 1 for a long, stop-loss and take-profit or 0, result ("" while open), reason of entry and of exit. */
export type ChartTrade = readonly [number, number, number, number, 0 | 1, number, number, string, string, string];

export function chartDataOf(report: RunReport, others: readonly Line[]): ChartData {
  const { series, returns, tape } = report;
  const trades = tradeRows(report);
  return {
    time: seconds(series.time),
    equity: series.equity,
    drawdown: series.drawdown.map((share) => -share),
    exposure: series.exposure,
    hold: { time: seconds(returns.time), equity: returns.hold, drawdown: drawdownOf(returns.hold) },
    others: others.map(({ label, time, equity }) => ({ label, time: seconds(time), equity })),
    returns: { ms: returns.periodMs, time: seconds(returns.time), share: returns.strategy },
    rolling: rollingSeries(report),
    worst: report.drawdowns.slice(0, SHADED).map(({ from, to }) => ({ from: from / 1000, to: (to ?? tape.to) / 1000 })),
    profit: profitOf(trades),
    dots: dotsOf(trades),
    holding: histogramOf(trades),
    markets: marketsOf(report.market, trades),
    strategies: strategiesOf(report.portfolio),
  };
}

function strategiesOf(portfolio: RunReport['portfolio']): ChartData['strategies'] {
  if (portfolio === null) return null;
  const { strategies, series } = portfolio;
  return { time: seconds(series.time), names: strategies.map(({ name }) => name), profit: series.profit };
}

/** The equity of a run as a line beside that of another. */
export function lineOf(label: string, { time, equity }: Pick<EquitySeries, 'time' | 'equity'>): Line {
  return { label, time, equity };
}

function seconds(times: readonly number[]): number[] {
  return times.map((time) => time / 1000);
}

function drawdownOf(values: readonly number[]): number[] {
  let peak = -Infinity;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak > 0 ? value / peak - 1 : 0;
  });
}

/** At most `most` of the list, evenly spread. */
function thinned<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, k) => list[Math.floor((k * list.length) / most)]!);
}

/** Sums are whole, so they are exact; those of every 2ⁿ-th trade are kept, and the last. */
function profitOf({ net, side }: TradeRows): ChartData['profit'] {
  const rows = thinnedRows(net.length, POINTS_MAX);
  const sums = { all: [0], long: [0], short: [0] };
  let [longs, shorts, k] = [0, 0, 0];
  for (const row of rows) {
    for (; k <= row; k++) {
      if (side[k]! > 0) longs += net[k]!;
      else shorts += net[k]!;
    }
    sums.all.push((longs + shorts) / ONE);
    sums.long.push(longs / ONE);
    sums.short.push(shorts / ONE);
  }
  return { trade: [0, ...rows.map((row) => row + 1)], ...sums };
}

function dotsOf({ net, mae, mfe }: TradeRows): ChartData['dots'] {
  const watched = [...net.keys()].filter((k) => !Number.isNaN(mae[k]) && !Number.isNaN(mfe[k]));
  const shown = thinned(watched, DOTS_MAX);
  const of = (isWin: boolean): Dots => {
    const own = shown.filter((k) => net[k]! > 0 === isWin);
    return { mae: own.map((k) => short(mae[k]!)), mfe: own.map((k) => short(mfe[k]!)), net: own.map((k) => formatMoney(net[k]!)) };
  };
  return { wins: of(true), losses: of(false), shown: shown.length, of: watched.length };
}

/** Edges of the classes of holding times: lengths that people use, each about twice the one before. */
const HELD_EDGES: readonly number[] = [
  [0, 1, 2, 5, 10, 20, 50, 100, 200, 500],
  [1, 2, 5, 10, 15, 30].map((count) => count * SECOND_MS),
  [1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  [1, 2, 4, 8, 12].map((hours) => hours * HOUR_MS),
  [1, 2, 4, 7, 14, 28, 56, 112, 182, 365, Infinity].map((days) => days * DAY_MS),
].flat();

/** Trades by holding time, from the class of the shortest to that of the longest: `from` ≤ time < `to`. */
export function histogramOf({ heldMs, net }: Pick<TradeRows, 'heldMs' | 'net'>): ChartData['holding'] {
  const wins = HELD_EDGES.map(() => 0);
  const losses = HELD_EDGES.map(() => 0);
  let first = HELD_EDGES.length;
  let end = 0;
  for (const [k, held] of heldMs.entries()) {
    const bar = HELD_EDGES.findLastIndex((edge) => edge <= held);
    (net[k]! > 0 ? wins : losses)[bar]!++;
    first = Math.min(first, bar);
    end = Math.max(end, bar + 1);
  }
  const shown = (column: readonly number[]): number[] => column.slice(first, end);
  return { from: shown(HELD_EDGES), to: HELD_EDGES.slice(first + 1, end + 1), wins: shown(wins), losses: shown(losses) };
}

const NOTHING_DRAWN: MarketDrawing = { lines: [], notes: [], notesOf: 0 };

/** With more points of all finer lines together, a page has those of the shown bars alone. */
const POINTS_OF_LINES = 120_000;

function marketsOf(market: RunReport['market'], { symbols, named }: TradeRows): ChartMarket[] {
  const places = new Map<string, number[]>(market.map(({ symbol }) => [symbol, []]));
  for (const [k, symbol] of symbols.entries()) places.get(symbol)?.push(k);
  const ranked = market.toSorted((a, b) => places.get(b.symbol)!.length - places.get(a.symbol)!.length);
  const shown: ChartMarket[] = [];
  let bars = 0;
  let points = 0;
  for (const { symbol, drawing, finer, windows = [], held = [], ...columns } of ranked) {
    bars += columns.time.length;
    if (bars > BARS_MAX && shown.length > 0) break;
    const own = places.get(symbol)!;
    const trades = named(new Set(thinned(own, Math.floor(TRADES_MAX / Math.min(4, ranked.length)))));
    const drawn = drawing ?? NOTHING_DRAWN;
    const lines = drawn.lines.map(({ name, time, value, breaks, finer: packed }) => {
      // A point takes about three signs.
      points += packed === undefined ? 0 : packed.points.length / 3;
      const isFiner = packed !== undefined && points <= POINTS_OF_LINES;
      return { name, ...(isFiner ? packed : { barMs: columns.barMs, ...packedPoints(time, value, columns.barMs), breaks }) };
    });
    const end = (columns.time.at(-1) ?? 0) + columns.barMs;
    const coarse = packedBars(columns, columns.time[0] ?? 0, end);
    shown.push({
      symbol,
      decimals: coarse.decimals,
      whole: finer === undefined ? [coarse] : [coarse, finer],
      windows,
      trades: Array.from(trades.values(), tradeOf),
      open: held.map((one) => openOf(one, end - 1, columns.close.at(-1) ?? one.entryPrice)),
      of: own.length,
      notes: drawn.notes,
      notesOf: drawn.notesOf,
      lines,
    });
  }
  return shown;
}

function tradeOf(trade: RoundTrip): ChartTrade {
  const { openedAt, closedAt, entryPrice, exitPrice, positionSide, stopLoss, takeProfit, net, entryReason } = trade;
  const isLong = positionSide === 'SHORT' ? 0 : 1;
  return [
    openedAt,
    closedAt,
    long(entryPrice),
    long(exitPrice),
    isLong,
    stopLoss ?? 0,
    takeProfit ?? 0,
    net,
    entryReason,
    exitWords(trade),
  ];
}

function openOf({ positionSide, stopLoss, takeProfit, ...one }: OpenTrade, until: number, price: number): ChartTrade {
  const isLong = positionSide === 'SHORT' ? 0 : 1;
  return [one.openedAt, until, long(one.entryPrice), long(price), isLong, stopLoss ?? 0, takeProfit ?? 0, '', one.entryReason, ''];
}

/** Digits that a dot of a chart shows. */
function short(value: number): number {
  return Number(value.toPrecision(4));
}

function long(value: number): number {
  return Number(value.toPrecision(10));
}
