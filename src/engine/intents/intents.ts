/**
 * The intents of a strategy: the orders that it can ask for, each with its fields. A price or size is a decimal string or a number, which
 * is rounded to the grid by a documented rule.
 */
import type { DirectionName, EffectName, MarginModeName, SideName, TriggerByName } from '../../domain/codes.ts';
import type { Amount, BracketPrice, Market, OrderNumber, OrderView } from './market-types.ts';

/** An order: its size, a limit price or none, and the bracket that the venue holds for it. */
export interface OrderFields {
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. */
  readonly size: Amount;
  /** Limit price; without it the order is a market order. Buys round down to the grid, sells up: never worse than requested. */
  readonly limit?: Amount | undefined;
  /** The venue refuses the order instead of letting it take liquidity. Needs `limit`. */
  readonly postOnly?: boolean | undefined;
  /** The bracket: take-profit and stop-loss orders held by the venue. Their prices round like those of an order in their direction. */
  readonly takeProfit?: BracketPrice | undefined;
  /** The stop-loss that the venue holds: closes at a loss. */
  readonly stopLoss?: BracketPrice | undefined;
  /** Default: the bot's configured mode. A closing order has the mode of its position. */
  readonly marginMode?: MarginModeName | undefined;
  /** Reason for the journal. */
  readonly reason?: string | undefined;
}

/** `ctx.place`: an order of any kind on either leg. */
export interface PlaceIntent extends OrderFields {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** OPEN adds to the leg, CLOSE takes from it. */
  readonly effect: EffectName;
}

/** `ctx.placeTrigger`: an opening order that the venue places when the price reaches `trigger`. Without `limit` it is a market order. */
export interface TriggerIntent {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. */
  readonly size: Amount;
  /** Price at which the venue places the order. */
  readonly trigger: Amount;
  /** Which price is compared with `trigger`. Default: the last price. */
  readonly triggerBy?: TriggerByName | undefined;
  /** Limit price of the order; without it it is a market order. */
  readonly limit?: Amount | undefined;
  /** Trigger price of the take-profit that the venue holds. */
  readonly takeProfit?: BracketPrice | undefined;
  /** Trigger price of the stop-loss that the venue holds. */
  readonly stopLoss?: BracketPrice | undefined;
  /** Default: the bot's configured mode. */
  readonly marginMode?: MarginModeName | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** `ctx.spot`: buys or sells coins on a spot market. Without `limit` it is a market order. */
export interface SpotIntent {
  /** A spot market. */
  readonly market: Market;
  /** BUY or SELL. */
  readonly direction: 'BUY' | 'SELL';
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. */
  readonly size: Amount;
  /** Limit price; rounded to the grid, never worse than asked. */
  readonly limit?: Amount | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** `ctx.limit` with names. */
export interface LimitFields {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** OPEN adds to the leg, CLOSE takes from it. */
  readonly effect: EffectName;
  /** Limit price; rounded to the grid, never worse than asked. */
  readonly price: Amount;
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. */
  readonly size: Amount;
  /** The venue refuses the order instead of letting it take liquidity. Default false. */
  readonly postOnly?: boolean | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** `ctx.quote` with names. */
export interface QuoteFields {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** BUY or SELL. */
  readonly direction: DirectionName;
  /** Limit price; rounded to the grid, never worse than asked. */
  readonly price: Amount;
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. 0 removes the order. */
  readonly size: Amount;
  /** The venue refuses the order instead of letting it take liquidity. Default false. */
  readonly postOnly?: boolean | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** `ctx.modify`: what changes of a resting order; what is left out stays. `limit` is its new price. */
export interface ModifyFields {
  /** The new size. An order that has filled in part cannot be modified. */
  readonly size?: Amount | undefined;
  /** The new limit price. */
  readonly limit?: Amount | undefined;
  /** The new trigger price of the take-profit. */
  readonly takeProfit?: Amount | undefined;
  /** The new trigger price of the stop-loss. */
  readonly stopLoss?: Amount | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** Orders as `ctx` places, changes and finds them. */
export interface OrderActions {
  /** Milliseconds since the Unix epoch; constant inside a handler. */
  readonly now: number;
  /** The markets that the strategy trades, in the configured order. */
  readonly markets: readonly Market[];
  /** The live (or just ended) order with this number, or null. */
  order(number: OrderNumber): OrderView | null;

  /** Places an order of any kind on either leg. Returns its number, 0 if a rule refused it. */
  place(intent: PlaceIntent): OrderNumber;
  /** Opens a leg or adds to it. */
  open(market: Market, side: SideName, fields: OrderFields): OrderNumber;
  /** Closes a leg or a part of it. `size` defaults to all that no live order closes yet. */
  close(market: Market, side: SideName, fields?: Partial<OrderFields>): OrderNumber;
  /** Places a limit order without creating an object, for quoting. `price` and `size` are rounded to the grid as usual. */
  limit(market: Market, side: SideName, effect: EffectName, price: Amount, size: Amount, postOnly?: boolean, reason?: string): OrderNumber;
  limit(fields: LimitFields): OrderNumber;
  /**
   * Keeps one limit order of this direction in the market at `price` and `size`. It places the order, modifies it (modify order, E14: half
   * the requests of cancel and place), or leaves it if it already fits, also when partly filled. `size` 0 removes it. A buy closes what is
   * free of the SHORT leg and otherwise opens LONG; a sell the other way round. A modify keeps the leg. One command at a time: a call while
   * one is in flight waits for its outcome, and the newest call wins. A filled quote is not renewed until the next call, unless one was
   * waiting. False if a rule refused it now; the resting order then stays as it is.
   */
  quote(market: Market, direction: DirectionName, price: Amount, size: Amount, postOnly?: boolean, reason?: string): boolean;
  quote(fields: QuoteFields): boolean;
  /** Replaces the order by one with these fields; returns the new order's number. */
  modify(order: OrderNumber, fields: ModifyFields): OrderNumber;
  /** True if a cancel was sent; false if the order is not live or a cancel is already in flight. */
  cancel(order: OrderNumber, reason?: string): boolean;
  /** Cancels the strategy's own live orders of one market or of all; returns the number of cancels sent. */
  cancelAll(market?: Market, reason?: string): number;
  /** Places a trigger order: it waits at the venue for its trigger price and then opens the leg. */
  placeTrigger(intent: TriggerIntent): OrderNumber;
  /** Places spot orders; returns one number per order, 0 if it was refused. */
  spot(orders: readonly SpotIntent[]): OrderNumber[];
}
