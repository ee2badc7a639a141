/**
 * The facts that metrics are computed from: columns of numbers, so that a bootstrap can draw other rows from them. Money is in 10⁻⁸ of the
 * quote coin.
 */
import type { Column } from '../../statistics/samples/columns.ts';
import type { Drawdown } from '../../statistics/drawdown.ts';

/** Returns of equal periods, and what belongs to them. */
export interface PeriodColumns {
  /** Periods in a year of 365 days, and their mean length. */
  readonly perYear: number;
  readonly periodMs: number;
  readonly returns: Float64Array;
  readonly benchmark: Float64Array;
  /** The returns sorted upwards; the market's columns are not sorted. */
  readonly sorted: Float64Array;
}

/** Columns of the closed trades, in order of closing; of a long run they are read part by part. */
export interface TradeColumns {
  /** Result after fees. */
  readonly net: Column;
  /** −1 for a short position, else 1. */
  readonly side: Column;
  readonly heldMs: Column;
  /** Excursions as shares of the entry price; NaN if unknown. */
  readonly mae: Column;
  readonly mfe: Column;
}

/** Equity as it stood at every sample. */
export interface CurveFacts {
  readonly time: Float64Array;
  readonly equity: Float64Array;
  readonly exposure: Float64Array;
  /** Distance from the highest equity so far, as a share of it. */
  readonly underwater: Float64Array;
  readonly drawdowns: readonly Drawdown[];
  readonly maxDrawdown: number;
  readonly maxDrawdownShare: number;
  readonly maxExposure: number;
  /** Share of the samples with an open position. */
  readonly exposedShare: number;
}

export interface TotalFacts {
  readonly start: number;
  readonly end: number;
  readonly fees: number;
  /** Positive if it was received. */
  readonly funding: number;
  readonly turnover: number;
  readonly spanMs: number;
}

export interface OrderFacts {
  readonly placed: number;
  readonly modified: number;
  readonly cancelled: number;
  readonly filled: number;
  readonly rejected: number;
  readonly refused: number;
  readonly fills: number;
  readonly makerFills: number;
  /** Mean mid after 1, 5 and 30 s against the price of the fill, as a share; NaN if unknown. */
  readonly markouts: readonly { readonly fills: number; readonly share: number }[];
  readonly slippage: { readonly fills: number; readonly share: number; readonly amount: number };
  readonly timeToFill: { readonly orders: number; readonly meanMs: number; readonly maxMs: number };
}

export interface MetricFacts {
  readonly totals: TotalFacts;
  readonly periods: PeriodColumns;
  readonly curve: CurveFacts;
  readonly trades: TradeColumns;
  readonly orders: OrderFacts;
}
