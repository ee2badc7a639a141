/**
 * Makes the report of a run. Everything except `performance` depends only on the inputs. `hash` covers fills, counts, totals and notes. It
 * does not cover the texts of reasons and what follows from the fills and the curve. Large parts are built at their first access.
 */
import { assert } from '../base/failure/assert.ts';
import { Digest } from '../base/digest.ts';
import { once } from '../base/once.ts';
import { directionOf, DIRECTIONS, LIQUIDITIES, SIDES } from '../domain/codes.ts';
import { formatLots, formatMoney, formatTicks, type Instrument } from '../domain/instrument.ts';
import { parseScaled } from '../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../domain/amounts/units.ts';
import type { Attribution } from '../domain/attribution.ts';
import type { StrategyFunnel } from '../domain/messages/why.ts';
import type { EquityCurve, EquityPoint } from './equity/equity-curve.ts';
import type { FillLog } from './fills/fill-log.ts';
import { fillSums, type FillSums } from './trades/fill-sums.ts';
import type { ManagedTrade } from './trades/managed-trades.ts';
import { breakdownsOf, funnelOf, parametersOf } from './breakdowns.ts';
import type { ChartedTrade } from './market/chart-collector.ts';
import { chartTrades } from './market/chart-trades.ts';
import type { MarketChart } from './market/market-chart.ts';
import { curveFacts, periodColumns } from './equity/metric-facts.ts';
import type { MetricFacts } from './metrics/facts.ts';
import { metricNumbers, metricsOf, type MetricKey } from './metrics/metrics.ts';
import type { MetricResults } from './metrics/results.ts';
import { sideMetrics } from './metrics/side-metrics.ts';
import { notesAbout, type Note } from './notes.ts';
import type { PeriodSeries } from './equity/period-series.ts';
import type { OrderBrackets } from './fills/order-brackets.ts';
import type { ReportedUniverse } from './universe-choices.ts';
import { portfolioOf, type Portfolio } from './equity/portfolio.ts';
import type { RoundTrips } from './trades/round-trips.ts';
import type { OpenTrade, RoundTrip } from './trades/trade.ts';
import { rowsOfTrades, type TradeRows } from './trades/trade-rows.ts';
import { reasonFigures } from './trades/reason-figures.ts';
import type { RowPages } from './fills/row-pages.ts';
import type { Execution, OrderCounts, ReportedFill, RunReport, StrategyFailure } from './run-report.ts';
import { daySeries, deepestDrawdowns, equitySeries, returnSeries } from './report-series.ts';

export type BacktestReport = RunReport;

export interface ReportInputs {
  /** Default: backtest. */
  readonly kind?: RunReport['kind'] | undefined;
  readonly failed: readonly StrategyFailure[];
  readonly threw?: readonly StrategyFailure[] | undefined;
  readonly tape: RunReport['tape'];
  readonly config: RunReport['config'];
  readonly orders: OrderCounts;
  readonly strategyFunnels?: readonly StrategyFunnel[] | undefined;
  readonly universes?: readonly ReportedUniverse[] | undefined;
  readonly instruments: readonly Instrument[];
  readonly fills: FillLog;
  readonly brackets: OrderBrackets;
  /** Closed managed trades. */
  readonly managed?: readonly ManagedTrade[] | undefined;
  /** Reads the prices of the traded markets, finer ones around these trades; called at most once. */
  readonly market: (trades: readonly ChartedTrade[]) => readonly MarketChart[];
  readonly curve: EquityCurve;
  readonly periods: PeriodSeries;
  /** The parts of several strategies; absent for one alone. */
  readonly attribution?: Attribution | null | undefined;
  /** Of the trades in order, see market-watch.ts; absent if nobody watched the market. */
  readonly excursions?: RowPages | undefined;
  readonly execution?: Execution | undefined;
  /** Money (10⁻⁸) at the end. */
  readonly realised: number;
  readonly unrealised: number;
  readonly fees: number;
  readonly funding: number;
  /** Losses that the insurance fund of the venue paid. Default 0. */
  readonly insurance?: number | undefined;
  readonly notes: readonly Note[];
  readonly wallMs: number;
}

const NO_EXECUTION: RunReport['execution'] = {
  markouts: [1_000, 5_000, 30_000].map((afterMs) => ({ afterMs, fills: 0, share: null })),
  slippage: { fills: 0, share: null, amount: '0.00000000' },
  timeToFill: { orders: 0, meanMs: null, maxMs: null },
};

export function backtestReport(inputs: ReportInputs): BacktestReport {
  const { fills, instruments, curve } = inputs;
  const sums = fillSums(fills, instruments, inputs);
  const { trips, takers } = sums;
  const head = { failed: inputs.failed, threw: inputs.threw, tape: inputs.tape, config: inputs.config, orders: inputs.orders };
  const notes = [...inputs.notes, ...notesAbout('sample', fewness(trips.count))];
  const figures = {
    pnl: {
      realised: formatMoney(inputs.realised),
      unrealised: formatMoney(inputs.unrealised),
      fees: formatMoney(inputs.fees),
      funding: formatMoney(inputs.funding),
      net: formatMoney(inputs.realised + inputs.unrealised - inputs.fees + inputs.funding),
    },
    equity: {
      start: formatMoney(curve.start),
      end: formatMoney(curve.end),
      maxDrawdown: formatMoney(curve.maxDrawdown),
      maxDrawdownShare: curve.maxDrawdownShare,
      curve: curve.points.map((p: EquityPoint): readonly [number, string] => [p.time, formatMoney(p.equity)]),
    },
    exposure: {
      timeShare: curve.samples === 0 ? 0 : curve.exposed / curve.samples,
      largest: formatMoney(curve.maxExposure),
      turnover: sums.turnoverText,
    },
    stats: { trades: trips.count, wins: trips.wins, losses: trips.losses, makerFills: fills.length - takers, takerFills: takers },
    notes: notes.map(({ text }) => text),
  };
  const digest = new Digest();
  digest.text(sums.digest);
  digest.text(JSON.stringify({ ...head, ...figures }));
  const rows = inputs.tape.rows;
  const portfolio = once(() => portfolioFor(inputs));
  const trades = once(() => trips.newest());
  const reported = once(() => reportedFills(fills, instruments));
  const series = once(() => equitySeries(curve));
  const returns = once(() => returnSeries(inputs.periods));
  const market = once(() => withOpen(inputs.market(chartTrades(trips.rows())), trips.open()));
  const breakdowns = once(() => breakdownsOf(trips.parts()));
  const facts = once(() => factsOf(inputs, sums));
  const sides = once(() => sideMetrics(facts()));
  let metrics: MetricResults | null = null;
  const report: Made = {
    kind: inputs.kind ?? 'backtest',
    ...head,
    get fills() {
      return reported();
    },
    get trades() {
      return trades();
    },
    managed: inputs.managed !== undefined && inputs.managed.length > 0 ? inputs.managed : undefined,
    reasons: reasonFigures(fills.labels, sums.byLabel, trips),
    ...figures,
    noteTopics: notes.map(({ topic }) => topic),
    search: null,
    get series() {
      return series();
    },
    get portfolio() {
      return portfolio();
    },
    get returns() {
      return returns();
    },
    get days() {
      return daySeries(returns());
    },
    get drawdowns() {
      return deepestDrawdowns(curve);
    },
    get breakdowns() {
      return breakdowns();
    },
    funnel: funnelOf(inputs.orders),
    strategyFunnels: inputs.strategyFunnels,
    universes: inputs.universes,
    parameters: parametersOf(inputs.config),
    get market() {
      return market();
    },
    execution: inputs.execution ?? NO_EXECUTION,
    get metrics() {
      return (metrics ??= metricsOf(facts()));
    },
    get sides() {
      return sides();
    },
    bracket: null,
    hash: digest.hex(),
    [PARTS]: { trips, facts, metrics: () => metrics },
    performance: {
      rows,
      wallMs: Math.round(inputs.wallMs * 100) / 100,
      rowsPerSecond: Math.round((rows / Math.max(inputs.wallMs, 0.001)) * 1000),
    },
  };
  return report;
}

/** What a report of this process is made from. Copies of the report have it too, its JSON does not. */
const PARTS = Symbol('parts');

interface Made extends RunReport {
  readonly [PARTS]?: { readonly trips: RoundTrips; readonly facts: () => MetricFacts; readonly metrics: () => MetricResults | null };
}

/** The newest trades of a report, at most `most`: much less than `report.trades` if there are millions. */
export function newestTrades(report: Made, most: number): readonly RoundTrip[] {
  return report[PARTS]?.trips.newest(most) ?? report.trades.slice(-most);
}

/** The trades of a report as columns; of a report of this process none becomes an object. */
export function tradeRows(report: Made): TradeRows {
  return report[PARTS]?.trips.rows() ?? rowsOfTrades(report.trades);
}

/** The metrics of these keys; all of them if they are known already, as those of a stored report are. */
export function someMetrics(report: Made, keys: readonly MetricKey[]): MetricResults {
  const parts = report[PARTS];
  return parts === undefined ? report.metrics : (parts.metrics() ?? metricsOf(parts.facts(), keys));
}

/** The same as numbers, without intervals. The report must be of this process. */
export function numbersOf(report: Made, keys: readonly MetricKey[]): Partial<Record<MetricKey, number | null>> {
  const parts = report[PARTS];
  assert(parts !== undefined, 'the report was made in this process');
  return metricNumbers(parts.facts(), keys);
}

/** The charts with what is open at the end on them. */
function withOpen(charts: readonly MarketChart[], open: readonly OpenTrade[]): readonly MarketChart[] {
  return charts.map((chart) => {
    const own = open.filter(({ symbol }) => symbol === chart.symbol);
    return own.length === 0 ? chart : { ...chart, held: own };
  });
}

function factsOf(inputs: ReportInputs, { trips, takers, turnover }: FillSums): MetricFacts {
  const { curve, fills, fees, funding, tape } = inputs;
  const { placed, modified, cancelled, filled, rejected, refused } = inputs.orders;
  const { markouts, slippage, timeToFill } = inputs.execution ?? NO_EXECUTION;
  return {
    totals: { start: curve.start, end: curve.end, fees, funding, turnover, spanMs: tape.to - tape.from },
    periods: periodColumns(inputs.periods),
    curve: curveFacts(curve),
    trades: trips.columns,
    orders: {
      placed,
      modified,
      cancelled,
      filled,
      rejected,
      refused: Object.values(refused).reduce((sum, n) => sum + n, 0),
      fills: fills.length,
      makerFills: fills.length - takers,
      markouts: markouts.map((one) => ({ fills: one.fills, share: one.share ?? Number.NaN })),
      slippage: {
        fills: slippage.fills,
        share: slippage.share ?? Number.NaN,
        amount: slippage.fills === 0 ? Number.NaN : parseScaled(slippage.amount, MONEY_DECIMALS),
      },
      timeToFill: { orders: timeToFill.orders, meanMs: timeToFill.meanMs ?? Number.NaN, maxMs: timeToFill.maxMs ?? Number.NaN },
    },
  };
}

function portfolioFor({ attribution = null, periods, fills, insurance: more = 0, ...totals }: ReportInputs): Portfolio | null {
  if (attribution === null) return null;
  const { realised, unrealised, fees, funding } = totals;
  const wallet = { fills: fills.length, realised, unrealised, fees, funding, more };
  return portfolioOf({ attribution, equity: periods.equity, perYear: periods.perYear, ...wallet });
}

/** Below this many closed trades the report warns that the result says little. */
const ENOUGH_TRADES = 30;

function fewness(trades: number): string[] {
  if (trades >= ENOUGH_TRADES) return [];
  const found = trades === 1 ? '1 trade was closed' : `${trades} trades were closed`;
  return [`${found}: too few to tell skill from luck.`];
}

function reportedFills(fills: FillLog, instruments: readonly Instrument[]): ReportedFill[] {
  const { labels } = fills;
  const out: ReportedFill[] = [];
  fills.each(({ time, instrument: index, side, effect, liquidity, price, size, fee, label }) => {
    const instrument = instruments[index]!;
    const { strategy, reason } = labels.all[label]!;
    out.push({
      time,
      symbol: instrument.symbol,
      side: DIRECTIONS[directionOf(side, effect)] ?? 'BUY',
      positionSide: instrument.product === 'spot' ? 'SPOT' : (SIDES[side] ?? 'LONG'),
      price: formatTicks(price, instrument),
      size: formatLots(size, instrument),
      fee: formatMoney(fee),
      liquidity: LIQUIDITIES[liquidity] ?? 'taker',
      strategy,
      reason,
    });
  });
  return out;
}
