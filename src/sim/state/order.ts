/**
 * @hot The record of an order. Records are pooled (order-pool.ts): one is reused after its order has dropped out of the history, so a new
 * order allocates nothing. Order numbers only grow.
 */
import type { Account, Leg } from './account.ts';
import type { MarketState } from './market-state.ts';

/** Queue ahead of an order whose level has not been the best since it joined: not known yet. */
export const AHEAD_UNKNOWN = -1;

/** Initial value of money and time fields. It is not a small integer, so V8 stores the field as a double from the start. */
const WIDE = 0.5;

export class Order {
  /** Index in the pool. */
  declare readonly slot: number;
  /** Next record in the list of free records. */
  below: Order | null = null;
  /** 0 when the record is free. */
  no = 0;
  tag = 0;
  /** Number of the order it came from, 0 for none. */
  parent = 0;
  declare account: Account;
  declare market: MarketState;
  /** Its futures leg; for spot any leg of the account. */
  declare leg: Leg;
  /** FUTURES, TRIGGER or SPOT. */
  kind = 0;
  /** Futures: LONG or SHORT. Spot: BUY or SELL. */
  side = 0;
  effect = 0;
  isSell = false;
  force = 0;
  isIsolated = false;
  /** True while the order takes: it crossed on arrival, and no later quote has shown that it no longer does. */
  isTaking = false;
  /** True if the venue created it: by a bracket, a liquidation or a trigger order. */
  isByVenue = false;
  isLiquidation = false;
  /** True if it has a bracket: a take-profit, a stop-loss, or both. */
  hasExits = false;
  /** WORKING, FILLED, CANCELLED or REPLACED of domain/orders/order.ts. */
  status = 0;
  /** Limit used for matching: the price; for a market order the farthest possible price. */
  key = 0;
  /** 0 for a market order. */
  price = 0;
  size = 0;
  filled = 0;
  filledValue = WIDE;
  fee = WIDE;
  realised = WIDE;
  /** Queue model: lots that must trade before it, or AHEAD_UNKNOWN. */
  ahead = 0;
  /** Money (futures margin, spot coin) held for the unfilled part. */
  hold = WIDE;
  /** Price from which `hold` is computed. */
  holdPrice = 0;
  createdAt = WIDE;
  updatedAt = WIDE;
  /** Trigger orders: trigger price; true if it fires at or above it, else at or below; true if it watches the mark. */
  trigger = 0;
  isUpward = false;
  isByMark = false;
  /** Bracket prices, valid if `hasExits`. */
  takeProfit = 0;
  takeProfitLimit = 0;
  stopLoss = 0;
  stopLossLimit = 0;

  constructor(slot: number, account: Account, market: MarketState, leg: Leg) {
    this.slot = slot;
    this.account = account;
    this.market = market;
    this.leg = leg;
  }

  /** True for an order without a limit. */
  get isMarket(): boolean {
    return this.price === 0;
  }

  /** Copies all fields of `other` except slot, number, account, market and leg. */
  copy(other: Order): void {
    this.tag = other.tag;
    this.parent = other.parent;
    this.kind = other.kind;
    this.side = other.side;
    this.effect = other.effect;
    this.isSell = other.isSell;
    this.force = other.force;
    this.isIsolated = other.isIsolated;
    this.isTaking = other.isTaking;
    this.isByVenue = other.isByVenue;
    this.isLiquidation = other.isLiquidation;
    this.hasExits = other.hasExits;
    this.status = other.status;
    this.key = other.key;
    this.price = other.price;
    this.size = other.size;
    this.filled = other.filled;
    this.filledValue = other.filledValue;
    this.fee = other.fee;
    this.realised = other.realised;
    this.ahead = other.ahead;
    this.hold = other.hold;
    this.holdPrice = other.holdPrice;
    this.createdAt = other.createdAt;
    this.updatedAt = other.updatedAt;
    this.trigger = other.trigger;
    this.isUpward = other.isUpward;
    this.isByMark = other.isByMark;
    this.takeProfit = other.takeProfit;
    this.takeProfitLimit = other.takeProfitLimit;
    this.stopLoss = other.stopLoss;
    this.stopLossLimit = other.stopLossLimit;
  }
}
