/**
 * @hot State of one simulated market: its rules, the last quote and trade of the tape, our resting orders, trigger orders and brackets. Two
 * watch prices bound what matters: a row between them affects no order and no trigger.
 * size: one record with its few rules
 */
import type { Instrument } from '../../domain/instrument.ts';
import type { Tier } from '../../domain/tiers.ts';
import * as orders from './order.ts';
import type { Order } from './order.ts';
import type { Bracket } from './bracket.ts';
import * as resting from './resting.ts';
import { Resting } from './resting.ts';
import type { RecordedMarks } from './market/recorded-marks.ts';
import type { DayStats, TradeRing } from './market/stats.ts';

const { AHEAD_UNKNOWN } = orders;
const { FARTHEST, HIGH } = resting;

/** Rules and coins of a market, from the configuration. */
export interface MarketRules {
  /** True if brackets watch the mark price instead of the last trade. */
  readonly bracketsByMark: boolean;
  /** Configured funding rate of an interval, in 10⁻⁸. */
  readonly fundingRate: number;
  /** Spot: numbers of the coins, and the size of one lot in 10⁻⁸ of the base coin. */
  readonly baseCoin: number;
  readonly quoteCoin: number;
  readonly coinUnit: number;
}

/** Initial value of double fields. It is not a small integer, so V8 stores the field as a double from the start. */
const WIDE = 0.5;
const SLOW = 1_024;
/** The slow mid is kept in this many parts of a tick. */
export const SLOW_UNITS = SLOW;

export class MarketState {
  declare readonly index: number;
  declare readonly instrument: Instrument;
  declare readonly isSpot: boolean;
  declare readonly unitValue: number;
  declare readonly makerRate: number;
  declare readonly takerRate: number;
  /** Smallest size of an opening order in lots; at least 1. */
  declare readonly minSize: number;
  declare readonly maxSize: number;
  declare readonly minNotional: number;
  declare readonly tiers: readonly Tier[];
  declare readonly bracketsByMark: boolean;
  declare readonly fundingRate: number;
  declare readonly baseCoin: number;
  declare readonly quoteCoin: number;
  declare readonly coinUnit: number;

  bid = 0;
  bidSize = 0;
  /** Displayed size that our fills have not taken. Reset to the whole size when price or size of this side changes. */
  bidLeft = 0;
  /** FARTHEST if there is no ask; 0 before the first quote row. */
  ask = 0;
  askSize = 0;
  askLeft = 0;
  /** True while our fills have taken a part of one side. Then every quote row matters, because it can restore the size. */
  isDepleted = false;
  /** 0.5 before the first quote row (see WIDE). */
  quoteTime = 0.5;
  /** Price of the last trade in ticks; 0 before the first. */
  last = 0;
  /** True if the market is halted: no rows come, and triggers by mark do not fire. */
  isHalted = false;
  /** The smoothed mid of the book (core/mark.ts) in parts of a tick; 0 while nothing watches the mark. */
  slowMid = WIDE;

  /** False for spot, and for paths through bars. */
  hasSlowMid = true;

  /** Own lots that were ever filled. */
  traded = 0;

  /** Bounds of the mark for checks that are taken together (margin/idle-checks.ts); of no meaning otherwise. */
  quietLow = 0;
  quietHigh = 0;

  /** A row at or below `watchLow`, or at or above `watchHigh`, may affect a resting order or a trigger. */
  watchLow = 0;
  watchHigh = HIGH;
  /** Number of resting orders that still take. */
  taking = 0;
  readonly buys = new Resting(1);
  readonly sells = new Resting(-1);

  /** A trade at or below `triggerLow`, or at or above `triggerHigh`, may fire a trigger. */
  triggerLow = 0;
  triggerHigh = HIGH;
  /** Trigger orders in order of arrival. */
  readonly triggerOrders: Order[] = [];
  brackets: Bracket[] = [];

  /** Recorded mark prices, and the state whose time they are read at. */
  marks: RecordedMarks | null = null;
  readonly #moment: { readonly now: number };
  /** The time of the recorded mark inside a bar that is played; NaN for now. */
  markAt = Number.NaN;

  day: DayStats | null = null;
  ring: TradeRing | null = null;

  constructor(instrument: Instrument, rules: MarketRules, moment: { readonly now: number }) {
    this.#moment = moment;
    this.index = instrument.index;
    this.instrument = instrument;
    this.isSpot = instrument.product === 'spot';
    this.unitValue = instrument.unitValue;
    this.makerRate = instrument.makerFeeRate;
    this.takerRate = instrument.takerFeeRate;
    this.minSize = Math.max(instrument.minSize, 1);
    this.maxSize = instrument.maxSize;
    this.minNotional = instrument.minNotional;
    this.tiers = instrument.tiers;
    this.bracketsByMark = rules.bracketsByMark;
    this.fundingRate = rules.fundingRate;
    this.baseCoin = rules.baseCoin;
    this.quoteCoin = rules.quoteCoin;
    this.coinUnit = rules.coinUnit;
    this.slowMid = 0;
    this.hasSlowMid = !this.isSpot;
  }

  /** Stores the quote of a new row. Size that our fills took stays taken while price and size of that side do not change. */
  showQuote(bid: number, bidSize: number, ask: number, askSize: number, time: number): void {
    if (this.isDepleted) this.#keepTaken(bid, bidSize, ask, askSize);
    else {
      this.bidLeft = bidSize;
      this.askLeft = askSize;
    }
    this.bid = bid;
    this.bidSize = bidSize;
    this.ask = ask;
    this.askSize = askSize;
    this.quoteTime = time;
  }

  #keepTaken(bid: number, bidSize: number, ask: number, askSize: number): void {
    if (bid !== this.bid || bidSize !== this.bidSize) this.bidLeft = bidSize;
    if (ask !== this.ask || askSize !== this.askSize) this.askLeft = askSize;
    this.isDepleted = this.bidLeft < bidSize || this.askLeft < askSize;
  }

  /** True from the first quote row on. Takers fill at quotes then, before it at trades. */
  get hasBook(): boolean {
    return this.ask > 0;
  }

  /** Our resting orders of one direction. */
  side(isSell: boolean): Resting {
    return isSell ? this.sells : this.buys;
  }

  /**
   * Mark price in whole ticks: the slow mid, limited to the range between last trade and mid, so that a single trade or quote does not move
   * it: min(max(I, min(L, M)), max(L, M)). L is the last trade, M = floor((bid + ask) / 2) or the only side, I = floor(slowMid / 1024)
   * or M while that is 0. Without a book it is L, without a trade M, before any row 0. Where the recording has mark prices, the last of them.
   */
  mark(): number {
    const last = this.last;
    const mid = this.mid();
    if (this.marks !== null && last + mid > 0) {
      const recorded = this.marks.at(Number.isNaN(this.markAt) ? this.#moment.now : this.markAt);
      if (recorded > 0) return recorded;
    }
    if (last === 0 || mid === 0) return last + mid;
    const slow = this.slowMid / SLOW;
    const low = last < mid ? last : mid;
    const high = last < mid ? mid : last;
    if (slow < low) return slow === 0 ? mid : low;
    return slow < high ? Math.floor(slow) : high;
  }

  /** The price that triggers "by last" watch: the last trade, or the mark before the first trade. */
  lastOrMark(): number {
    return this.last > 0 ? this.last : this.mark();
  }

  /** Price for margin and value of a market order: the opposite quote, else the mark; 0 before any row. */
  reference(isSell: boolean): number {
    const opposite = isSell ? this.bid : this.ask;
    return opposite > 0 && opposite < FARTHEST ? opposite : this.mark();
  }

  /**
   * Price for margin and value of an opening order. A market order (`price` 0): the price it would take. A buy: its limit. A sell: its
   * limit, or the price it would take if that is higher. 0 if there is no price yet.
   */
  computed(isSell: boolean, price: number): number {
    if (!isSell && price > 0) return price;
    const taken = this.reference(isSell);
    return taken === 0 || taken > price ? taken : price;
  }

  /** True if an order with this limit would take: it reaches the opposite quote or, without a book, the last trade. */
  crosses(isSell: boolean, key: number): boolean {
    if (this.hasBook) return isSell ? key <= this.bid : key >= this.ask;
    if (this.last === 0) return isSell ? key === 0 : key === FARTHEST;
    return isSell ? key <= this.last : key >= this.last;
  }

  /** Queue ahead, in lots, of a buy that joins now at this price. */
  aheadOfBuy(key: number): number {
    if (key === this.bid) return this.bidSize;
    return key > this.bid || !this.hasBook ? 0 : AHEAD_UNKNOWN;
  }

  /** The same for a sell. */
  aheadOfSell(key: number): number {
    if (key === this.ask) return this.askSize;
    return key < this.ask || !this.hasBook ? 0 : AHEAD_UNKNOWN;
  }

  /** Puts the order into the book as a maker. */
  rest(order: Order): void {
    const key = order.key;
    if (order.isSell) {
      order.ahead = this.aheadOfSell(key);
      if (this.sells.followsLevel && this.sells.top !== key) this.sells.show(this.ask, this.askSize);
      this.sells.insert(order);
      if (key < this.watchHigh) this.watchHigh = key;
    } else {
      order.ahead = this.aheadOfBuy(key);
      if (this.buys.followsLevel && this.buys.top !== key) this.buys.show(this.bid, this.bidSize);
      this.buys.insert(order);
      if (key > this.watchLow) this.watchLow = key;
    }
  }

  /** Gives the best order of its side a new price without moving it in the array. */
  stay(order: Order): void {
    const key = order.key;
    if (order.isSell) {
      order.ahead = this.aheadOfSell(key);
      if (this.sells.followsLevel) this.sells.show(this.ask, this.askSize);
      this.sells.top = key;
      if (this.taking === 0) this.#watchAbove();
    } else {
      order.ahead = this.aheadOfBuy(key);
      if (this.buys.followsLevel) this.buys.show(this.bid, this.bidSize);
      this.buys.top = key;
      if (this.taking === 0) this.#watchBelow();
    }
  }

  /** Computes the two watch prices, between which a row affects no order and no trigger. */
  watch(): void {
    if (this.taking > 0) {
      this.watchLow = HIGH;
      this.watchHigh = 0;
      return;
    }
    this.#watchBelow();
    this.#watchAbove();
  }

  /** Removes the order at index `at` of its side, or one that is FAR. */
  leave(order: Order, at: number): void {
    if (order.isTaking) return this.#stopTaking(order, at);
    if (order.isSell) {
      this.sells.removeAt(at, order);
      if (this.taking === 0) this.#watchAbove();
    } else {
      this.buys.removeAt(at, order);
      if (this.taking === 0) this.#watchBelow();
    }
  }

  #stopTaking(order: Order, at: number): void {
    this.side(order.isSell).removeAt(at, order);
    this.taking--;
    this.watch();
  }

  #watchBelow(): void {
    const buy = this.buys.top;
    this.watchLow = buy > this.triggerLow ? buy : this.triggerLow;
  }

  #watchAbove(): void {
    const sell = this.sells.top;
    this.watchHigh = sell < this.triggerHigh ? sell : this.triggerHigh;
  }

  /** Mid of the book, rounded down to a tick; the only side if one is missing; 0 without a book. */
  mid(): number {
    if (this.ask === FARTHEST) return this.bid;
    if (this.bid === 0) return this.ask;
    const sum = this.bid + this.ask;
    return (sum - (sum & 1)) / 2;
  }
}
