/** What the venue reports of the account, in domain form: all drift of spelling and type has ended before these exist. */
import type { Money, Millis, Lots, Ticks } from './units.ts';

/**
 * How an order stands by a report. The venue's list of words is open: a word we do not know is `unknown`, which counts as
 * alive for risk and never as an end.
 */
export type ReportedStatus = 'open' | 'partial' | 'filled' | 'cancelled' | 'ended' | 'unknown';

/** A record of E17 or E18. There is no filled size in it (interface §2.9): only `filled` proves one. */
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
  /** Average filled price as a plain number (a statistic); 0 when nothing filled. */
  readonly averagePrice: number;
  readonly fee: Money;
  readonly realised: Money;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** A record of E19 or E20: one leg. */
export interface PositionReport {
  readonly instrument: number;
  readonly side: number;
  readonly total: Lots;
  readonly available: Lots;
  readonly locked: Lots;
  /** Lots of open orders of this leg still to be filled. */
  readonly opening: Lots;
  /** Average entry price as a plain number (a statistic). */
  readonly entryPrice: number;
  readonly margin: Money;
  readonly marginMode: number;
  readonly leverage: number;
  readonly realised: Money;
  readonly unrealised: Money;
  readonly funding: Money;
  readonly markPrice: number;
  /** 0 when there is none. */
  readonly liquidationPrice: number;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** E9. */
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

/** A record of E7. */
export interface QuoteReport {
  readonly instrument: number;
  readonly bid: Ticks;
  readonly bidSize: Lots;
  readonly ask: Ticks;
  readonly askSize: Lots;
  readonly venueTime: Millis;
}

/** A record of E8. `tradeId` is the wire's digits; ids grow with time. */
export interface TradeReport {
  readonly instrument: number;
  readonly tradeId: string;
  readonly price: Ticks;
  readonly size: Lots;
  /** BUY or SELL: who crossed the spread. */
  readonly aggressor: number;
  readonly venueTime: Millis;
}

/** A record of E6, the part the bot uses; prices are on the grid, `volume` is a statistic. */
export interface StatsReport {
  readonly instrument: number;
  readonly last: Ticks;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly volume: number;
  readonly venueTime: Millis;
}

/** A record of E5. The amount is a decimal string: its coin need not be one of ours. */
export interface WithdrawalReport {
  readonly id: string;
  readonly coin: string;
  readonly size: string;
  readonly status: string;
  readonly toAddress: string;
}

/** How a spot symbol of ours stands by E3; the venue's list of words is open. */
export interface SpotStatus {
  readonly instrument: number;
  readonly status: string;
}
