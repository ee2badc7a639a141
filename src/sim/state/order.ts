/**
 * @hot Every order of every account as pooled records: an object is used again when its order falls out of the history, so an
 * order allocates nothing. Numbers grow for ever; a number finds its order by its low bits, older ones by a map.
 */
import type { Account, Leg } from './account.ts';
import type { MarketState } from './market-state.ts';

/** Queue ahead of an order on a level that has not been the best since it joined. */
export const AHEAD_UNKNOWN = -1;

/** Set at first to numbers that are not small integers, so that fields of money and time never change their representation. */
const WIDE = 0.5;

export class Order {
  /** Place in the pool. */
  declare readonly slot: number;
  /** The free record that was free before this one, while this one is free. */
  below: Order | null = null;
  /** 0 when the record is free. */
  no = 0;
  tag = 0;
  /** Number of the order it came from, 0 for none. */
  parent = 0;
  declare account: Account;
  declare market: MarketState;
  /** The futures leg it works on; for spot, any of the account's. */
  declare leg: Leg;
  /** FUTURES, PLAN or SPOT. */
  kind = 0;
  /** Futures: LONG or SHORT. Spot: BUY or SELL. */
  side = 0;
  effect = 0;
  isSell = false;
  isPostOnly = false;
  isIsolated = false;
  /** It crossed when it arrived and no quote has shown since that it no longer does: it takes. */
  isTaking = false;
  /** The venue made it: preset exit, liquidation, child of a plan order. */
  isByVenue = false;
  isLiquidation = false;
  /** At least one preset exit is set. */
  hasExits = false;
  /** WORKING, FILLED, CANCELLED or REPLACED of domain/order.ts. */
  status = 0;
  /** Limit by which it matches: the price, or for a market order the farthest there is. */
  key = 0;
  /** 0 for a market order. */
  price = 0;
  size = 0;
  filled = 0;
  filledValue = WIDE;
  fee = WIDE;
  realised = WIDE;
  /** Queue model: lots of others that must trade before it does, or AHEAD_UNKNOWN. */
  ahead = 0;
  /** Money (futures margin, spot coin) kept back for what is unfilled. */
  hold = WIDE;
  /** Price from which `hold` is computed. */
  holdPrice = 0;
  createdAt = WIDE;
  updatedAt = WIDE;
  /** Plan orders: the trigger, whether it fires at or above it (else at or below), and whether it watches the mark. */
  trigger = 0;
  isUpward = false;
  isByMark = false;
  /** Preset exits, valid when `hasExits`. */
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

  /** It has no limit of its own. */
  get isMarket(): boolean {
    return this.price === 0;
  }

  /** Becomes the other in all but its place in the pool, its number, and whose it is. */
  copy(other: Order): void {
    this.tag = other.tag;
    this.parent = other.parent;
    this.kind = other.kind;
    this.side = other.side;
    this.effect = other.effect;
    this.isSell = other.isSell;
    this.isPostOnly = other.isPostOnly;
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
