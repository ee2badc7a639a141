/**
 * The shape of a stored report: the result of a backtest or of a live session as one JSON object. Times are milliseconds since 1970. Amounts,
 * prices and sizes are decimal strings in the quote coin. Series and ratios are statistics, so they are numbers: amounts in the quote coin,
 * shares as fractions (0.01 is 1 %).
 */
import type { ReportedUniverse } from './universe-choices.ts';
import type { StrategyFunnel } from '../domain/messages/why.ts';
import type { Bracket } from './reading.ts';
import type { MarketChart } from './market/market-chart.ts';
import type { MetricResults } from './metrics/results.ts';
import type { Portfolio } from './equity/portfolio.ts';
import type { NoteTopic } from './notes.ts';
import type { ReasonFigures } from './trades/reason-figures.ts';
import type { SelectionBias, Span } from './research/search-result.ts';
import type { ManagedTrade } from './trades/managed-trades.ts';
import type { RoundTrip } from './trades/trade.ts';

export interface RunReport {
  readonly kind: 'backtest' | 'session';
  /** Strategies that were stopped because of errors, so the result is not that of a full run. Empty if there were none. */
  readonly failed: readonly StrategyFailure[];
  /** Strategies that ran on although their handlers threw, so that they did less than they should. Absent in the report of a session. */
  readonly threw?: readonly StrategyFailure[] | undefined;
  readonly tape: {
    readonly rows: number;
    /** True if the rows are bars, each one event. */
    readonly isBars?: boolean | undefined;
    readonly symbols: readonly string[];
    readonly from: number;
    readonly to: number;
  };
  readonly config: Readonly<Record<string, unknown>>;
  readonly orders: OrderCounts;
  /** Built at the first access: for millions of fills it takes longer than the run, and most readers need only `stats`. */
  readonly fills: readonly ReportedFill[];
  /** Closed trades in order of closing. */
  readonly trades: readonly RoundTrip[];
  /** Closed managed trades in order of closing; several may share a leg. Absent without one and in reports of older versions. */
  readonly managed?: readonly ManagedTrade[] | undefined;
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
  /** Equity over time for charts, at most 2,000 points. */
  readonly series: EquitySeries;
  /** Returns of equal periods, from which ratios such as Sharpe are computed. */
  readonly returns: ReturnSeries;
  /** Returns of the calendar days (UTC) of the run. The first and the last may be parts of a day. */
  readonly days: DaySeries;
  /** The ten deepest drawdowns, the deepest first. */
  readonly drawdowns: readonly DrawdownEpisode[];
  /** Closed trades by what they have in common. */
  readonly breakdowns: Breakdowns;
  /** What became of the orders, from intent to fill, in order. */
  readonly funnel: readonly FunnelStep[];
  /** What each strategy did, from bars to fills. Absent in the report of a session and of older versions. */
  readonly strategyFunnels?: readonly StrategyFunnel[] | undefined;
  /** Symbols that strategies chose, and what could not be chosen. Absent without a universe, and in the report of a session. */
  readonly universes?: readonly ReportedUniverse[] | undefined;
  /** The parameters of each strategy with the values of this run. */
  readonly parameters: readonly ReportedParameter[];
  /** The part of each strategy in the result; null for one strategy alone. */
  readonly portfolio: Portfolio | null;
  /** Prices of the traded markets for charts. Built at the first access, from the tape. */
  readonly market: readonly MarketChart[];
  /** Quality of fills. */
  readonly execution: Execution;
  /** Every metric by key (docs/reference/metrics.md). Built at the first access. */
  readonly metrics: MetricResults;
  /** The metrics that trades alone decide, of the long and spot trades and of the short ones, without intervals. Absent in reports of older versions. */
  readonly sides?: Readonly<Record<'long' | 'short', MetricResults>> | undefined;
  /** The result beside its pessimistic and its optimistic reading; null if they were not run. */
  readonly bracket: Bracket | null;
  /** Warnings that a reader needs to judge the numbers. */
  readonly notes: readonly string[];
  /** What each note is about, in their order; notes beyond its end are about the run. */
  readonly noteTopics: readonly NoteTopic[];
  /** The search that chose the parameters; null if none did. */
  readonly search: SearchOrigin | null;
  readonly hash: string;
  readonly performance: {
    readonly rows: number;
    readonly wallMs: number;
    readonly rowsPerSecond: number;
    /** Of the run and its two readings together, threads included; absent without a bracket. */
    readonly bracketMs?: number;
  };
}

/** A search of which the run has the best parameters. */
export interface SearchOrigin {
  readonly trial: number;
  readonly trials: number;
  readonly searched: Span;
  readonly selectionBias: SelectionBias | null;
}

/** Columns of equal length. */
export interface EquitySeries {
  readonly time: readonly number[];
  readonly equity: readonly number[];
  /** Value of all open positions. */
  readonly exposure: readonly number[];
  /** Distance from the highest equity so far as a share of it: 0 to 1. Of the samples that a point stands for, the largest. */
  readonly drawdown: readonly number[];
}

/**
 * Columns of equal length, one entry per period. Periods begin at whole UTC days, hours, minutes or seconds, whichever is the longest that
 * gives at least 30 of them. The first and the last period may be shorter.
 */
export interface ReturnSeries {
  readonly periodMs: number;
  /** End of the period. */
  readonly time: readonly number[];
  /** Equity at the end, and its relative change in the period. */
  readonly equity: readonly number[];
  readonly strategy: readonly number[];
  /** Buy and hold: the start equity spread evenly over the traded symbols, bought at their first price, without costs. */
  readonly hold: readonly number[];
  readonly benchmark: readonly number[];
}

/** Columns of equal length. */
export interface DaySeries {
  /** 00:00 UTC of the day. */
  readonly time: readonly number[];
  readonly strategy: readonly number[];
  readonly benchmark: readonly number[];
}

export interface DrawdownEpisode {
  /** Time of the peak, of the lowest point, and of the new peak; `to` is null if there was none. */
  readonly from: number;
  readonly trough: number;
  readonly to: number | null;
  readonly amount: number;
  /** As a share of the peak. */
  readonly share: number;
}

/** Closed trades that share a property. */
export interface BreakdownRow {
  /** The symbol, strategy, reason or side; the hour "00" to "23" or the weekday "Mon" to "Sun" in UTC. */
  readonly key: string;
  readonly trades: number;
  readonly wins: number;
  readonly net: string;
  readonly fees: string;
}

/** The parts of trades that were entered for one reason and closed for another; its key is "entry → exit". */
export interface PathRow extends BreakdownRow {
  /** Absent in reports of older versions. */
  readonly entry?: string;
  readonly exit?: string;
}

export interface Breakdowns {
  readonly symbol: readonly BreakdownRow[];
  readonly strategy: readonly BreakdownRow[];
  /** Exits by reason: a trade that was closed in parts counts once under each, with what those parts made, so all `net` add up. */
  readonly reason: readonly BreakdownRow[];
  /** Trades by the reason of their first order, and, as "entry → exit", the parts of trades that were closed for a reason. Absent in reports of older versions. */
  readonly entry?: readonly BreakdownRow[] | undefined;
  readonly path?: readonly PathRow[] | undefined;
  readonly side: readonly BreakdownRow[];
  /** Of the time when the trade was opened. */
  readonly hour: readonly BreakdownRow[];
  readonly weekday: readonly BreakdownRow[];
}

/** One step of the way of orders; `of` is the key of the step that it is a part of, "" for none. */
export interface FunnelStep {
  readonly key: 'intents' | 'refused' | 'placed' | 'unsent' | 'rejected' | 'accepted' | 'cancelled' | 'filled' | 'left';
  readonly title: string;
  readonly count: number;
  readonly of: FunnelStep['key'] | '';
}

export interface ReportedParameter {
  readonly strategy: string;
  readonly name: string;
  readonly value: string;
}

/** Null for what has no sample. Shares are relative to the price, positive when good for us. */
export interface Execution {
  /** Mid after a fill against its price, averaged over fills: below 0 means adverse selection. */
  readonly markouts: readonly { readonly afterMs: number; readonly fills: number; readonly share: number | null }[];
  /** Price that the bot saw as the mid when it decided, against the price of the fill. `amount` is in the quote coin. */
  readonly slippage: { readonly fills: number; readonly share: number | null; readonly amount: string };
  /** From the decision to the first fill of an order. */
  readonly timeToFill: { readonly orders: number; readonly meanMs: number | null; readonly maxMs: number | null };
}

/** `why` continues the sentence "the strategy was disabled …", or "it threw …". */
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
  /** Dropped by our order throttle because they waited too long. */
  readonly unsent: number;
  /** Refused by a risk rule, counted by rule. */
  readonly refused: Readonly<Record<string, number>>;
  /** The refusals after the last order that was placed; null if they are few. Absent for a session. */
  readonly blocked?: Blocked | null | undefined;
}

/** A strategy that went on to ask for orders, all of which were refused. */
export interface Blocked {
  /** Time of the first, milliseconds since 1970; at most a minute late. */
  readonly from: number;
  readonly intents: number;
  readonly rules: readonly string[];
}

export interface ReportedFill {
  /** Milliseconds. */
  readonly time: number;
  /** As the venue names it. */
  readonly symbol: string;
  /** BUY or SELL. */
  readonly side: string;
  /** LONG, SHORT or SPOT. */
  readonly positionSide: string;
  /** In quote coin. */
  readonly price: string;
  /** In base coin. */
  readonly size: string;
  /** In quote coin. */
  readonly fee: string;
  /** Whether the order waited in the book or took: "maker" or "taker". */
  readonly liquidity: string;
  /** The strategy and the reason it gave; "stop-loss", "take-profit" or "liquidation" if the venue created the order. */
  readonly strategy: string;
  /** The reason of the order; "stop-loss", "take-profit" or "liquidation" if the venue created it. */
  readonly reason: string;
}
