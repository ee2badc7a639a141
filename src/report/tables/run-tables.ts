/** The tables of the report of a run. */
import type { ReportedFill, RunReport, BreakdownRow, DrawdownEpisode } from '../run-report.ts';
import type { MetricResult } from '../metrics/results.ts';
import type { RoundTrip } from '../trades/trade.ts';
import { tableOf, type Specs, type Table } from './columns.ts';

/** Closed trades in order of closing. */
const TRADE_COLUMNS = {
  symbol: { kind: 'text', doc: 'as the venue names it', value: (t) => t.symbol },
  positionSide: { kind: 'text', doc: 'LONG, SHORT or SPOT', value: (t) => t.positionSide },
  openedAt: { kind: 'time', doc: 'time of the first fill', value: (t) => t.openedAt },
  closedAt: { kind: 'time', doc: 'time of the last fill', value: (t) => t.closedAt },
  size: { kind: 'decimal', doc: 'largest size held, in the base coin', value: (t) => t.size },
  entryPrice: { kind: 'number', doc: 'average, in the quote coin', value: (t) => t.entryPrice },
  exitPrice: { kind: 'number', doc: 'average, in the quote coin', value: (t) => t.exitPrice },
  pnl: { kind: 'decimal', doc: 'profit before fees, in the quote coin', value: (t) => t.pnl },
  fees: { kind: 'decimal', doc: 'in the quote coin', value: (t) => t.fees },
  net: { kind: 'decimal', doc: 'profit less fees, in the quote coin', value: (t) => t.net },
  strategy: { kind: 'text', doc: 'that opened it', value: (t) => t.strategy },
  entryReason: { kind: 'text', doc: 'of its first order', value: (t) => t.entryReason },
  exitReason: { kind: 'text', doc: 'of its last order', value: (t) => t.reason },
  mae: { kind: 'number', doc: 'maximum adverse excursion, as a share of the entry price', value: (t) => t.mae },
  mfe: { kind: 'number', doc: 'maximum favourable excursion, as a share of the entry price', value: (t) => t.mfe },
  stopLoss: { kind: 'number', doc: 'price of the stop-loss of its first order', value: (t) => t.stopLoss },
  takeProfit: { kind: 'number', doc: 'price of the take-profit of its first order', value: (t) => t.takeProfit },
} as const satisfies Specs<RoundTrip>;

/** Fills in order of time. */
const FILL_COLUMNS = {
  time: { kind: 'time', doc: 'of the fill', value: (f) => f.time },
  symbol: { kind: 'text', doc: 'as the venue names it', value: (f) => f.symbol },
  side: { kind: 'text', doc: 'BUY or SELL', value: (f) => f.side },
  positionSide: { kind: 'text', doc: 'LONG, SHORT or SPOT', value: (f) => f.positionSide },
  price: { kind: 'decimal', doc: 'in the quote coin', value: (f) => f.price },
  size: { kind: 'decimal', doc: 'in the base coin', value: (f) => f.size },
  fee: { kind: 'decimal', doc: 'in the quote coin', value: (f) => f.fee },
  liquidity: { kind: 'text', doc: 'maker or taker', value: (f) => f.liquidity },
  strategy: { kind: 'text', doc: 'that placed the order', value: (f) => f.strategy },
  reason: { kind: 'text', doc: 'of the order', value: (f) => f.reason },
} as const satisfies Specs<ReportedFill>;

interface EquityRow {
  readonly time: number;
  readonly equity: number;
  readonly exposure: number;
  readonly drawdown: number;
}

/** Equity over time, at most 2,000 points. */
const EQUITY_COLUMNS = {
  time: { kind: 'time', doc: 'of the sample', value: (e) => e.time },
  equity: { kind: 'number', doc: 'in the quote coin', value: (e) => e.equity },
  exposure: { kind: 'number', doc: 'value of all open positions, in the quote coin', value: (e) => e.exposure },
  drawdown: { kind: 'number', doc: 'distance from the highest equity so far, as a share of it', value: (e) => e.drawdown },
} as const satisfies Specs<EquityRow>;

interface ReturnRow {
  readonly time: number;
  readonly equity: number;
  readonly strategy: number;
  readonly hold: number;
  readonly benchmark: number;
}

/** Returns of equal periods, from which ratios are computed. */
const RETURN_COLUMNS = {
  time: { kind: 'time', doc: 'end of the period', value: (r) => r.time },
  equity: { kind: 'number', doc: 'at the end, in the quote coin', value: (r) => r.equity },
  strategy: { kind: 'number', doc: 'return of the period, as a share', value: (r) => r.strategy },
  hold: { kind: 'number', doc: 'equity of buy and hold, in the quote coin', value: (r) => r.hold },
  benchmark: { kind: 'number', doc: 'return of buy and hold, as a share', value: (r) => r.benchmark },
} as const satisfies Specs<ReturnRow>;

interface DayRow {
  readonly time: number;
  readonly strategy: number;
  readonly benchmark: number;
}

/** Returns of the calendar days (UTC). */
const DAY_COLUMNS = {
  time: { kind: 'time', doc: '00:00 UTC of the day', value: (d) => d.time },
  strategy: { kind: 'number', doc: 'return of the day, as a share', value: (d) => d.strategy },
  benchmark: { kind: 'number', doc: 'return of buy and hold, as a share', value: (d) => d.benchmark },
} as const satisfies Specs<DayRow>;

/** The ten deepest drawdowns, the deepest first. */
const DRAWDOWN_COLUMNS = {
  from: { kind: 'time', doc: 'of the peak', value: (d) => d.from },
  trough: { kind: 'time', doc: 'of the lowest point', value: (d) => d.trough },
  to: { kind: 'time', doc: 'of the new peak; none if there was none', value: (d) => d.to },
  amount: { kind: 'number', doc: 'in the quote coin', value: (d) => d.amount },
  share: { kind: 'number', doc: 'as a share of the peak', value: (d) => d.share },
} as const satisfies Specs<DrawdownEpisode>;

type MetricRow = MetricResult & { readonly key: string };

/** Every metric. */
const METRIC_COLUMNS = {
  key: { kind: 'text', doc: 'of the metric, as in metrics.md', value: (m) => m.key },
  name: { kind: 'text', doc: 'for people', value: (m) => m.name },
  unit: { kind: 'text', doc: 'money (quote coin), share, ratio, count or ms', value: (m) => m.unit },
  value: { kind: 'number', doc: 'in its unit', value: (m) => (m.value === null ? null : Number(m.value)) },
  low: { kind: 'number', doc: 'lower bound of the 95 % interval', value: (m) => m.interval?.[0] ?? null },
  high: { kind: 'number', doc: 'upper bound of the 95 % interval', value: (m) => m.interval?.[1] ?? null },
  sample: { kind: 'count', doc: 'size of the sample', value: (m) => m.sample },
  least: { kind: 'count', doc: 'the least sample that is enough', value: (m) => m.least },
} as const satisfies Specs<MetricRow>;

type GroupRow = BreakdownRow & { readonly by: string };

/** Closed trades by what they have in common. */
const BREAKDOWN_COLUMNS = {
  by: { kind: 'text', doc: 'symbol, strategy, reason, entry, path, side, hour or weekday (UTC)', value: (g) => g.by },
  key: { kind: 'text', doc: 'which of them', value: (g) => g.key },
  trades: { kind: 'count', doc: 'closed trades', value: (g) => g.trades },
  wins: { kind: 'count', doc: 'trades with a profit', value: (g) => g.wins },
  net: { kind: 'decimal', doc: 'profit less fees, in the quote coin', value: (g) => g.net },
  fees: { kind: 'decimal', doc: 'in the quote coin', value: (g) => g.fees },
} as const satisfies Specs<GroupRow>;

/** Rows of each table. */
const RUN_ROWS = {
  trades: ({ trades }: RunReport) => trades,
  fills: ({ fills }: RunReport) => fills,
  equity: ({ series: { time, equity, exposure, drawdown } }: RunReport): readonly EquityRow[] =>
    time.map((at, k) => ({ time: at, equity: equity[k]!, exposure: exposure[k]!, drawdown: drawdown[k]! })),
  returns: ({ returns: { time, equity, strategy, hold, benchmark } }: RunReport): readonly ReturnRow[] =>
    time.map((at, k) => ({ time: at, equity: equity[k]!, strategy: strategy[k]!, hold: hold[k]!, benchmark: benchmark[k]! })),
  days: ({ days: { time, strategy, benchmark } }: RunReport): readonly DayRow[] =>
    time.map((at, k) => ({ time: at, strategy: strategy[k]!, benchmark: benchmark[k]! })),
  drawdowns: ({ drawdowns }: RunReport) => drawdowns,
  metrics: ({ metrics }: RunReport): readonly MetricRow[] => Object.entries(metrics).map(([key, one]) => ({ ...one, key })),
  breakdowns: ({ breakdowns }: RunReport): readonly GroupRow[] =>
    Object.entries(breakdowns).flatMap(([by, rows]: [string, readonly BreakdownRow[] | undefined]) =>
      (rows ?? []).map((row) => ({ ...row, by })),
    ),
} as const;

/** Columns of each table, by the name of its file. */
export const RUN_TABLES = {
  trades: TRADE_COLUMNS,
  fills: FILL_COLUMNS,
  equity: EQUITY_COLUMNS,
  returns: RETURN_COLUMNS,
  days: DAY_COLUMNS,
  drawdowns: DRAWDOWN_COLUMNS,
  metrics: METRIC_COLUMNS,
  breakdowns: BREAKDOWN_COLUMNS,
} as const;

export type RunTables = typeof RUN_TABLES;

/** Tables by name. */
export function runTables(report: RunReport): Readonly<Record<string, Table>> {
  return {
    trades: tableOf(RUN_ROWS.trades(report), TRADE_COLUMNS),
    fills: tableOf(RUN_ROWS.fills(report), FILL_COLUMNS),
    equity: tableOf(RUN_ROWS.equity(report), EQUITY_COLUMNS),
    returns: tableOf(RUN_ROWS.returns(report), RETURN_COLUMNS),
    days: tableOf(RUN_ROWS.days(report), DAY_COLUMNS),
    drawdowns: tableOf(RUN_ROWS.drawdowns(report), DRAWDOWN_COLUMNS),
    metrics: tableOf(RUN_ROWS.metrics(report), METRIC_COLUMNS),
    breakdowns: tableOf(RUN_ROWS.breakdowns(report), BREAKDOWN_COLUMNS),
  };
}
