/** The types of a market as a strategy sees it: prices, legs and own orders; and how it writes prices and sizes. */
import type { EffectName, OrderTypeName, SideName } from '../../domain/codes.ts';
import type { OrderKindName } from '../../domain/orders/command-traits.ts';
import type { OrderState } from '../../domain/orders/order.ts';
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
  /** As the venue names it: "BTCUSDT". */
  readonly symbol: string;
  /** Perpetual futures, or a spot market. */
  readonly product: 'futures' | 'spot';
  /** Index of the instrument in this program. */
  readonly index: number;
  /** Best bid and ask; NaN before the first quote. */
  readonly bid: number;
  /** Size at the best bid in base coin; NaN before the first quote. */
  readonly bidSize: number;
  /** Best ask; NaN before the first quote. */
  readonly ask: number;
  /** Size at the best ask in base coin; NaN before the first quote. */
  readonly askSize: number;
  /** Mid price: the mean of bid and ask; NaN before the first quote. */
  readonly mid: number;
  /** Price of the newest trade (or of the 24-hour ticker, whichever is newer); NaN before the first. */
  readonly last: number;
  /** 24-hour figures of the ticker, NaN if they are not polled. */
  readonly open24h: number;
  /** Highest price of 24 hours. */
  readonly high24h: number;
  /** Lowest price of 24 hours. */
  readonly low24h: number;
  /** Volume of 24 hours, as the venue counts it. */
  readonly volume24h: number;
  /** Venue time of the quote, and its age at the bot in milliseconds (Infinity before the first). */
  readonly time: number;
  /** Age of the quote at the bot in milliseconds; Infinity before the first. */
  readonly ageMs: number;
  /** True after the first quote. */
  readonly hasQuote: boolean;
  /** The same prices and sizes in whole ticks and lots. 0 before the first quote. */
  readonly bidTicks: number;
  /** Size at the best bid in lots. */
  readonly bidLots: number;
  /** Best ask in ticks. */
  readonly askTicks: number;
  /** Size at the best ask in lots. */
  readonly askLots: number;
  /** `last` in ticks. */
  readonly lastTicks: number;
  /** The grid as numbers: smallest price step and size step. */
  readonly tick: number;
  /** Smallest size step in base coin. */
  readonly lot: number;
  /** Smallest size of an order in base coin. */
  readonly minSize: number;
  /** The two legs (position sides). */
  readonly long: Position;
  /** The SHORT leg. */
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
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** Size in base coin; 0 if flat. */
  readonly size: number;
  /** `size` in lots. */
  readonly lots: number;
  /** Average entry price; NaN if flat or not yet known. */
  readonly entryPrice: number;
  /** Unrealised profit in quote coin at the current mid price (the mark price without a quote). */
  readonly unrealised: number;
  /** Position value in quote coin at the same price. */
  readonly value: number;
  /** Remaining size of live orders that open or close this leg. */
  readonly opening: number;
  /** Remaining size of live orders that close this leg. */
  readonly closing: number;
  /** Size that no live order closes yet. */
  readonly free: number;
  /** Isolated margin in quote coin as last read. */
  readonly margin: number;
  /** Price at which the venue liquidates the leg, as last read. */
  readonly liquidationPrice: number;
}

/** The newest trade of the market (not an own fill). */
export interface Trade {
  /** In quote coin. */
  readonly price: number;
  /** In base coin. */
  readonly size: number;
  /** `price` in ticks. */
  readonly ticks: number;
  /** `size` in lots. */
  readonly lots: number;
  /** Direction of the taker. */
  readonly aggressor: 'BUY' | 'SELL';
  /** Venue time in milliseconds. */
  readonly time: number;
}

/** One own order in local state; valid inside the handler. */
export interface OrderView {
  /** Number of the order in this program; never used twice. */
  readonly number: OrderNumber;
  /** Number of the order of unknown outcome that the bot repeated by this one, to close a whole leg; 0 for none. */
  readonly repeats: OrderNumber;
  /** An ordinary order, one that waits for its trigger price, or an order of a spot market. */
  readonly kind: OrderKindName;
  /** The market of the order. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** OPEN adds to the leg, CLOSE takes from it. */
  readonly effect: EffectName;
  /** BUY or SELL. */
  readonly direction: 'BUY' | 'SELL';
  /** How the venue is to execute it: LIMIT, MARKET, … */
  readonly type: OrderTypeName;
  /** Limit price; NaN for a market order. */
  readonly price: number;
  /** Limit price in ticks. */
  readonly ticks: number;
  /** Size of the order in base coin. */
  readonly size: number;
  /** `size` in lots. */
  readonly lots: number;
  /** Size that is proven to have filled. The venue does not report it: it may be more until `filledIsFinal`. */
  readonly filled: number;
  /** True once no further fills can be found, and events have reported all fills. */
  readonly filledIsFinal: boolean;
  /** Size less `filled`. */
  readonly remaining: number;
  /** Where it stands: in flight, live, ended … */
  readonly state: OrderState;
  /** True until it has ended. */
  readonly isAlive: boolean;
  /** True if it may not take liquidity. */
  readonly isPostOnly: boolean;
  /** When the strategy asked for it, in milliseconds. */
  readonly createdAt: number;
  /** The id that the bot gave it at the venue. */
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
