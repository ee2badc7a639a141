/** What a strategy sees of a market: prices, legs and own orders; and how it writes prices and sizes. */
import type { EffectName, OrderTypeName, SideName } from '../../domain/codes.ts';
import type { OrderState } from '../../domain/order.ts';
import type { BarSeries } from '../market/series.ts';

/**
 * A price or size in an intent: an exact decimal string ("59123.4"), or a number that is rounded to the grid. A size may also be "100
 * USDT", a value in the quote coin, or "2%" of the equity. It then becomes the most lots worth no more than that.
 */
export type Amount = string | number;
/** The bot's number of an order. 0 means that no order was placed because the intent was refused. */
export type OrderNumber = number;

/** One instrument in local state, up to date inside a handler. The object stays the same. */
export interface Market {
  readonly symbol: string;
  readonly product: 'futures' | 'spot';
  /** Index of the instrument in this program. */
  readonly index: number;
  /** Best bid and ask; NaN before the first quote. */
  readonly bid: number;
  readonly bidSize: number;
  readonly ask: number;
  readonly askSize: number;
  /** Mid price: the mean of bid and ask; NaN before the first quote. */
  readonly mid: number;
  /** Price of the newest trade (or of the 24-hour ticker, whichever is newer); NaN before the first. */
  readonly last: number;
  /** 24-hour figures of the ticker, NaN if they are not polled. */
  readonly open24h: number;
  readonly high24h: number;
  readonly low24h: number;
  readonly volume24h: number;
  /** Venue time of the quote, and its age at the bot in milliseconds (Infinity before the first). */
  readonly time: number;
  readonly ageMs: number;
  readonly hasQuote: boolean;
  /** The same prices and sizes in whole ticks and lots. 0 before the first quote. */
  readonly bidTicks: number;
  readonly bidLots: number;
  readonly askTicks: number;
  readonly askLots: number;
  readonly lastTicks: number;
  /** The grid as numbers: smallest price step and size step. */
  readonly tick: number;
  readonly lot: number;
  readonly minSize: number;
  /** The two legs (position sides). */
  readonly long: Position;
  readonly short: Position;
  /** Own live orders here, oldest first. The views are valid inside the handler. */
  readonly orders: readonly OrderView[];
  /** True while opens are refused, on one leg at least: an order's outcome is unknown, or a halt waits for the operator. */
  readonly isHalted: boolean;
  /** The newest complete bars of a timeframe that a strategy declared in `needs.bars`. @throws RangeError if none did */
  bars(timeframe: string): BarSeries;
}

/** One leg (position side) of one instrument in local state. */
export interface Position {
  readonly side: SideName;
  /** Size in base coin; 0 if flat. */
  readonly size: number;
  readonly lots: number;
  /** Average entry price; NaN if flat or not yet known. */
  readonly entryPrice: number;
  /** Unrealised profit in quote coin at the current mid price (the mark price without a quote). */
  readonly unrealised: number;
  /** Position value in quote coin at the same price. */
  readonly value: number;
  /** Remaining size of live orders that open or close this leg. */
  readonly opening: number;
  readonly closing: number;
  /** Size that no live order closes yet. */
  readonly free: number;
  /** Isolated margin in quote coin as last read. */
  readonly margin: number;
  readonly liquidationPrice: number;
}

/** The newest trade of the market (not an own fill). */
export interface Trade {
  readonly price: number;
  readonly size: number;
  readonly ticks: number;
  readonly lots: number;
  /** Direction of the taker. */
  readonly aggressor: 'BUY' | 'SELL';
  readonly time: number;
}

/** One own order in local state; valid inside the handler. */
export interface OrderView {
  readonly number: OrderNumber;
  readonly kind: 'order' | 'trigger' | 'spot';
  readonly market: Market;
  readonly side: SideName;
  readonly effect: EffectName;
  readonly direction: 'BUY' | 'SELL';
  readonly type: OrderTypeName;
  /** Limit price; NaN for a market order. */
  readonly price: number;
  readonly ticks: number;
  readonly size: number;
  readonly lots: number;
  /** Size that is proven to have filled. The venue does not report it: it may be more until `filledIsFinal`. */
  readonly filled: number;
  /** True once no more can be found and an event has told all of it. */
  readonly filledIsFinal: boolean;
  readonly remaining: number;
  readonly state: OrderState;
  readonly isAlive: boolean;
  readonly isPostOnly: boolean;
  readonly createdAt: number;
  readonly clientId: string;
  /** "" until the venue has assigned one. */
  readonly venueId: string;
}

/**
 * A take-profit or stop-loss: the trigger price, or the trigger with the limit price of its order (default: market). It must lie on its own
 * side of the expected entry price: the limit, the opposite quote if that is better, or the trigger of a trigger order. For LONG a
 * stop-loss lies below, a take-profit above. A trigger at or beyond that price would close at once and is refused ("exit-side").
 */
export type BracketPrice = Amount | { readonly trigger: Amount; readonly limit?: Amount | undefined };
