/** A closed trade of a report, and what it has in common with others. */
import type { Exits, TripExit } from './trip-exits.ts';

/** A closed trade; `positionSide` is LONG, SHORT or SPOT. Amounts are decimal strings; `net` = `pnl` − `fees`. Average prices are statistics. */
export interface RoundTrip {
  readonly symbol: string;
  readonly positionSide: string;
  readonly openedAt: number;
  readonly closedAt: number;
  /** Largest size held. */
  readonly size: string;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly pnl: string;
  readonly fees: string;
  readonly net: string;
  /** The strategy that opened it, the reason of its first order, and that of its last. */
  readonly strategy: string;
  readonly entryReason: string;
  readonly reason: string;
  /** Its exits by reason, in the order of their first fills. Absent in reports of older versions. */
  readonly exits?: readonly TripExit[];
  /**
   * Maximum adverse and favourable excursion: how far the price went against the average entry price and in its favour, as shares of it.
   * Null if nobody watched the market.
   */
  readonly mae: number | null;
  readonly mfe: number | null;
  /** Prices of the bracket that its first order was placed with; null for none. */
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
}

/** What a closed trade has in common with others. Amounts in 10⁻⁸ of the quote coin. */
export interface TradeParts extends Pick<RoundTrip, 'symbol' | 'positionSide' | 'openedAt' | 'strategy' | 'entryReason'> {
  readonly net: number;
  readonly fees: number;
  readonly exits: Exits;
}

/** A position that is still open at the end. Prices as in a closed trade. */
export interface OpenTrade extends Pick<
  RoundTrip,
  'symbol' | 'positionSide' | 'openedAt' | 'entryPrice' | 'strategy' | 'entryReason' | 'stopLoss' | 'takeProfit'
> {
  /** What is held. */
  readonly size: string;
}
