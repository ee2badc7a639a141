/**
 * Makes the report of a run. Everything except `performance` depends only on the inputs. `hash` covers fills, counts, totals and notes. It
 * does not cover the texts of reasons and what follows from the fills and the curve. Large parts are built at their first access.
 */
import { assert } from '../base/assert.ts';
import { Digest } from '../base/digest.ts';
import { directionOf, DIRECTIONS, LIQUIDITIES, SIDES } from '../domain/codes.ts';
import { formatLots, formatMoney, formatTicks, type Instrument } from '../domain/instrument.ts';
import { parseScaled } from '../domain/scale.ts';
import { MONEY_DECIMALS } from '../domain/units.ts';
import type { Attribution } from './attribution.ts';
import type { EquityCurve, EquityPoint } from './equity-curve.ts';
import type { FillLog } from './fill-log.ts';
import { breakdownsOf, funnelOf, parametersOf } from './breakdowns.ts';
import type { MarketChart } from './market-chart.ts';
import { curveFacts, periodColumns, tradeColumns } from './metric-facts.ts';
import type { MetricFacts } from './metrics/facts.ts';
import { metricNumbers, metricsOf, type MetricKey } from './metrics/metrics.ts';
import type { PeriodSeries } from './period-series.ts';
import type { OrderBrackets } from './order-brackets.ts';
import { portfolioOf, type Portfolio } from './portfolio.ts';
import { reasonFigures } from './reason-figures.ts';
import { roundTrips } from './round-trips.ts';
import type { Execution, OrderCounts, ReportedFill, RunReport, StrategyFailure } from './run-report.ts';
import { daySeries, deepestDrawdowns, equitySeries, returnSeries } from './series.ts';

export type BacktestReport = RunReport;

export interface ReportInputs {
  /** Default: backtest. */
  readonly kind?: RunReport['kind'] | undefined;
  readonly failed: readonly StrategyFailure[];
  readonly tape: RunReport['tape'];
  readonly config: RunReport['config'];
  readonly orders: OrderCounts;
  readonly instruments: readonly Instrument[];
  readonly fills: FillLog;
  readonly brackets: OrderBrackets;
  /** Reads the prices of the traded markets; called at most once. */
  readonly market: () => readonly MarketChart[];
  readonly curve: EquityCurve;
  readonly periods: PeriodSeries;
  /** The parts of several strategies; absent for one alone. */
  readonly attribution?: Attribution | null | undefined;
  /** Of the trades in order, see market-watch.ts; absent if nobody watched the market. */
  readonly excursions?: Float64Array | undefined;
  readonly execution?: Execution | undefined;
  /** Money (10⁻⁸) at the end. */
  readonly realised: number;
  readonly unrealised: number;
  readonly fees: number;
  readonly funding: number;
  /** Losses that the insurance fund of the venue paid. Default 0. */
  readonly insurance?: number | undefined;
  readonly notes: readonly string[];
  readonly wallMs: number;
}

const NO_EXECUTION: RunReport['execution'] = {
  markouts: [1_000, 5_000, 30_000].map((afterMs) => ({ afterMs, fills: 0, share: null })),
  slippage: { fills: 0, share: null, amount: '0.00000000' },
  timeToFill: { orders: 0, meanMs: null, maxMs: null },
};

/** In money units of 10⁻⁸. */
const HALF_A_CENT = 500_000n;

export function backtestReport(inputs: ReportInputs): BacktestReport {
  const { fills, instruments, curve } = inputs;
  const trips = roundTrips(fills, instruments, inputs);
  const takers = takersOf(fills);
  const head = { failed: inputs.failed, tape: inputs.tape, config: inputs.config, orders: inputs.orders };
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
      turnover: turnoverOf(fills, instruments),
    },
    stats: { trades: trips.trades.length, wins: trips.wins, losses: trips.losses, makerFills: fills.length - takers, takerFills: takers },
    notes: [...inputs.notes, ...fewness(trips.trades.length)],
  };
  const digest = new Digest();
  digest.text(fills.digest());
  digest.text(JSON.stringify({ ...head, ...figures }));
  const rows = inputs.tape.rows;
  const { trades } = trips;
  const portfolio = once(() => portfolioFor(inputs));
  const reported = once(() => reportedFills(fills, instruments));
  const series = once(() => equitySeries(curve));
  const returns = once(() => returnSeries(inputs.periods));
  const market = once(inputs.market);
  const facts = once(() => factsOf(inputs, trades));
  const metrics = once(() => metricsOf(facts()));
  const report: BacktestReport = {
    kind: inputs.kind ?? 'backtest',
    ...head,
    get fills() {
      return reported();
    },
    trades,
    reasons: reasonFigures(fills, trips.nets),
    ...figures,
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
      return breakdownsOf(trades);
    },
    funnel: funnelOf(inputs.orders),
    parameters: parametersOf(inputs.config),
    get market() {
      return market();
    },
    execution: inputs.execution ?? NO_EXECUTION,
    get metrics() {
      return metrics();
    },
    bracket: null,
    hash: digest.hex(),
    performance: {
      rows,
      wallMs: Math.round(inputs.wallMs * 100) / 100,
      rowsPerSecond: Math.round((rows / Math.max(inputs.wallMs, 0.001)) * 1000),
    },
  };
  factsByReport.set(report, facts);
  return report;
}

const factsByReport = new WeakMap<BacktestReport, () => MetricFacts>();

/** Some metrics of a report of this process, without intervals: much faster than `report.metrics`. */
export function numbersOf(report: BacktestReport, keys: readonly MetricKey[]): Partial<Record<MetricKey, number | null>> {
  const facts = factsByReport.get(report);
  assert(facts !== undefined, 'the report was made in this process');
  return metricNumbers(facts(), keys);
}

function factsOf(inputs: ReportInputs, trades: RunReport['trades']): MetricFacts {
  const { curve, fills, instruments, fees, funding, tape } = inputs;
  const { placed, modified, cancelled, filled, rejected, refused } = inputs.orders;
  const { markouts, slippage, timeToFill } = inputs.execution ?? NO_EXECUTION;
  return {
    totals: { start: curve.start, end: curve.end, fees, funding, turnover: turnover(fills, instruments), spanMs: tape.to - tape.from },
    periods: periodColumns(inputs.periods),
    curve: curveFacts(curve),
    trades: tradeColumns(trades),
    orders: {
      placed,
      modified,
      cancelled,
      filled,
      rejected,
      refused: Object.values(refused).reduce((sum, n) => sum + n, 0),
      fills: fills.length,
      makerFills: fills.length - takersOf(fills),
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
  return portfolioOf({ attribution, equity: periods.equity, periodMs: periods.ms, ...wallet });
}

function takersOf({ liquidity }: FillLog): number {
  return liquidity.reduce((sum, isTaker) => sum + isTaker, 0);
}

/** The value of all fills as a double. */
function turnover({ price, size, instrument, length }: FillLog, instruments: readonly Instrument[]): number {
  let sum = 0;
  for (let k = 0; k < length; k++) sum += price[k]! * size[k]! * (instruments[instrument[k]!]?.unitValue ?? 0);
  return sum;
}

/** The value is made at the first call and kept. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The value of all fills, to the cent. The sum may exceed the exact range of a double, so it is kept in two parts. */
function turnoverOf(fills: FillLog, instruments: readonly Instrument[]): string {
  let whole = 0n;
  let part = 0;
  for (let k = 0; k < fills.length; k++) {
    const value = fills.price[k]! * fills.size[k]! * (instruments[fills.instrument[k]!]?.unitValue ?? 0);
    if (part + value > Number.MAX_SAFE_INTEGER) {
      whole += BigInt(part);
      part = 0;
    }
    part += value;
  }
  const cents = (whole + BigInt(part) + HALF_A_CENT) / (2n * HALF_A_CENT);
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

/** Below this many closed trades the report warns that the result says little. */
const ENOUGH_TRADES = 30;

function fewness(trades: number): string[] {
  if (trades >= ENOUGH_TRADES) return [];
  const found = trades === 1 ? '1 trade was closed' : `${trades} trades were closed`;
  return [`${found}: too few to tell skill from luck.`];
}

function reportedFills(fills: FillLog, instruments: readonly Instrument[]): ReportedFill[] {
  const { labels, label } = fills;
  const out: ReportedFill[] = [];
  for (let k = 0; k < fills.length; k++) {
    const instrument = instruments[fills.instrument[k]!]!;
    const side = fills.side[k]!;
    out.push({
      time: fills.time[k]!,
      symbol: instrument.symbol,
      side: DIRECTIONS[directionOf(side, fills.effect[k]!)] ?? 'BUY',
      positionSide: instrument.product === 'spot' ? 'SPOT' : (SIDES[side] ?? 'LONG'),
      price: formatTicks(fills.price[k]!, instrument),
      size: formatLots(fills.size[k]!, instrument),
      fee: formatMoney(fills.fee[k]!),
      liquidity: LIQUIDITIES[fills.liquidity[k]!] ?? 'taker',
      strategy: labels.all[label[k]!]!.strategy,
      reason: labels.all[label[k]!]!.reason,
    });
  }
  return out;
}
