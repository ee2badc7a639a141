/** Records from the venue in domain form: spelling and types of the wire have been normalised. */
import type { Money, Millis, Lots, Ticks } from './amounts/units.ts';

/**
 * Reported status of an order. The venue may add words: an unknown one becomes `unknown`, which counts as alive for risk and never as an
 * end.
 */
export type ReportedStatus = 'open' | 'partial' | 'filled' | 'cancelled' | 'ended' | 'unknown';

/** True for the record of an order that has ended. */
export function hasEnded({ status }: { readonly status: ReportedStatus }): boolean {
  return status === 'filled' || status === 'cancelled' || status === 'ended';
}

/**
 * A record of the order history (E17) or of the pending orders (E18). A record of the interface has no filled size (§2.9): there only the
 * status `filled` proves the whole size.
 */
export interface OrderReport {
  readonly instrument: number;
  readonly venueId: string;
  readonly clientId: string;
  readonly side: number;
  readonly effect: number;
  readonly type: number;
  /** Ticks, 0 for a market order. */
  readonly price: Ticks;
  readonly size: Lots;
  readonly status: ReportedStatus;
  /** Lots that have filled, if the venue says so: then they are taken as proof. */
  readonly filled?: Lots;
  /** Average fill price as a number (a statistic); 0 if nothing filled. */
  readonly averagePrice: number;
  readonly fee: Money;
  readonly realised: Money;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** A record of all positions (E19) or of one symbol's positions (E20): one leg. */
export interface PositionReport {
  readonly instrument: number;
  readonly side: number;
  readonly total: Lots;
  readonly available: Lots;
  readonly locked: Lots;
  /** Lots of open orders of this leg that are not filled yet. */
  readonly opening: Lots;
  /** Average entry price as a number (a statistic). */
  readonly entryPrice: number;
  readonly margin: Money;
  readonly marginMode: number;
  readonly leverage: number;
  readonly realised: Money;
  readonly unrealised: Money;
  readonly funding: Money;
  readonly markPrice: number;
  /** 0 if there is none. */
  readonly liquidationPrice: number;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** A position in a symbol of which the file of instruments has no row: its rules are unknown. The size is as the venue writes it. */
export interface UnruledPosition {
  readonly symbol: string;
  readonly side: number;
  readonly size: string;
}

/** The account record of a symbol (E9). */
export interface AccountReport {
  readonly instrument: number;
  readonly equity: Money;
  readonly available: Money;
  readonly locked: Money;
  readonly unrealised: Money;
  readonly marginMode: number;
  readonly longLeverage: number;
  readonly shortLeverage: number;
}

/** A record of the best bid and ask (E7). */
export interface QuoteReport {
  readonly instrument: number;
  readonly bid: Ticks;
  readonly bidSize: Lots;
  readonly ask: Ticks;
  readonly askSize: Lots;
  readonly venueTime: Millis;
}

/** A record of the market trades (E8). `tradeId` has the digits of the wire; ids grow with time. */
export interface TradeReport {
  readonly instrument: number;
  readonly tradeId: string;
  readonly price: Ticks;
  readonly size: Lots;
  /** BUY or SELL: direction of the taker. */
  readonly aggressor: number;
  readonly venueTime: Millis;
}

/** A record of the futures tickers (E6), the part that the bot uses. Prices are on the grid, `volume` is a statistic. */
export interface StatsReport {
  readonly instrument: number;
  readonly last: Ticks;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly volume: number;
  readonly venueTime: Millis;
}

/** A record of the withdrawal list (E5). The amount is a decimal string, because its coin need not be a configured one. */
export interface WithdrawalReport {
  readonly id: string;
  readonly coin: string;
  readonly size: string;
  readonly status: string;
  readonly toAddress: string;
}

/** Status of a configured spot symbol in the symbol list (E3); the venue may add words. */
export interface SpotStatus {
  readonly instrument: number;
  readonly status: string;
}
