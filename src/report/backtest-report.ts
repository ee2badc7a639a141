/**
 * The result of a backtest as one JSON object. Everything except `performance` depends only on the inputs. `hash` covers it, without the
 * texts of reasons and the figures that follow from the fills (`metrics`).
 */
import { Digest } from '../base/digest.ts';
import { directionOf, DIRECTIONS, LIQUIDITIES, SIDES } from '../domain/codes.ts';
import { formatLots, formatMoney, formatTicks, type Instrument } from '../domain/instrument.ts';
import type { EquityCurve, EquityPoint } from './equity-curve.ts';
import type { FillLog } from './fill-log.ts';
import { metricsOf, type Metrics } from './metrics.ts';
import { reasonFigures, type ReasonFigures } from './reason-figures.ts';
import { roundTrips, type RoundTrip } from './round-trips.ts';

/** Times are milliseconds since 1970. Amounts, prices and sizes are decimal strings. Shares are numbers from 0 to 1. */
export interface BacktestReport {
  /** Strategies that were stopped because of errors, so the result is not that of a full run. Empty if there were none. */
  readonly failed: readonly StrategyFailure[];
  readonly tape: { readonly rows: number; readonly symbols: readonly string[]; readonly from: number; readonly to: number };
  readonly config: Readonly<Record<string, unknown>>;
  readonly orders: OrderCounts;
  /** Built at the first access: for millions of fills it takes longer than the run, and most readers need only `stats`. */
  readonly fills: readonly ReportedFill[];
  readonly trades: readonly RoundTrip[];
  /** Result of the orders of each reason, most fills first. */
  readonly reasons: readonly ReasonFigures[];
  readonly pnl: {
    readonly realised: string;
    readonly unrealised: string;
    readonly fees: string;
    readonly funding: string;
    readonly net: string;
  };
  readonly equity: {
    readonly start: string;
    readonly end: string;
    readonly maxDrawdown: string;
    readonly maxDrawdownShare: number;
    readonly curve: readonly (readonly [number, string])[];
  };
  readonly exposure: { readonly timeShare: number; readonly largest: string; readonly turnover: string };
  readonly stats: {
    readonly trades: number;
    readonly wins: number;
    readonly losses: number;
    readonly makerFills: number;
    readonly takerFills: number;
  };
  /** Figures of the closed trades, see metrics.ts. Built at the first access. */
  readonly metrics: Metrics;
  /** Warnings that a reader needs to judge the numbers. */
  readonly notes: readonly string[];
  readonly hash: string;
  readonly performance: { readonly rows: number; readonly wallMs: number; readonly rowsPerSecond: number };
}

/** `why` continues the sentence "the strategy was disabled …". */
export interface StrategyFailure {
  readonly strategy: string;
  readonly why: string;
}

export interface OrderCounts {
  readonly placed: number;
  readonly modified: number;
  readonly cancelled: number;
  readonly filled: number;
  /** Rejected by the venue. */
  readonly rejected: number;
  /** Dropped by our order lane because they waited too long. */
  readonly unsent: number;
  /** Refused by a risk rule, counted by rule. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface ReportedFill {
  readonly time: number;
  readonly symbol: string;
  readonly side: string;
  readonly positionSide: string;
  readonly price: string;
  readonly size: string;
  readonly fee: string;
  readonly liquidity: string;
  /** The strategy and the reason it gave; "stop-loss", "take-profit" or "liquidation" if the venue created the order. */
  readonly strategy: string;
  readonly reason: string;
}

export interface ReportInputs {
  readonly failed: readonly StrategyFailure[];
  readonly tape: BacktestReport['tape'];
  readonly config: BacktestReport['config'];
  readonly orders: OrderCounts;
  readonly instruments: readonly Instrument[];
  readonly fills: FillLog;
  readonly curve: EquityCurve;
  /** Money (10⁻⁸) at the end. */
  readonly realised: number;
  readonly unrealised: number;
  readonly fees: number;
  readonly funding: number;
  readonly notes: readonly string[];
  readonly wallMs: number;
}

/** In money units of 10⁻⁸. */
const HALF_A_CENT = 500_000n;

export function backtestReport(inputs: ReportInputs): BacktestReport {
  const { fills, instruments, curve } = inputs;
  const trips = roundTrips(fills, instruments);
  let takers = 0;
  for (let k = 0; k < fills.length; k++) takers += fills.liquidity[k]!;
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
  let reported: readonly ReportedFill[] | null = null;
  let metrics: Metrics | null = null;
  return {
    ...head,
    get fills(): readonly ReportedFill[] {
      return (reported ??= reportedFills(fills, instruments));
    },
    trades: trips.trades,
    reasons: reasonFigures(fills, trips.nets),
    ...figures,
    get metrics(): Metrics {
      return (metrics ??= metricsOf(trips.trades));
    },
    hash: digest.hex(),
    performance: {
      rows,
      wallMs: Math.round(inputs.wallMs * 100) / 100,
      rowsPerSecond: Math.round((rows / Math.max(inputs.wallMs, 0.001)) * 1000),
    },
  };
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
