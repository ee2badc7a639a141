/**
 * @hot One instrument as the simulator knows it: its rules, the market as the tape last showed it, our resting orders, and what
 * waits for a price. Two watched prices bound what concerns anybody: a row between them is nobody's business.
 */
import type { Instrument } from '../../domain/instrument.ts';
import type { Tier } from '../../domain/tiers.ts';
import * as orders from './order.ts';
import type { Order } from './order.ts';
import type { Bracket } from './brackets.ts';
import * as resting from './resting.ts';
import { Resting } from './resting.ts';
import type { DayStats, TradeRing } from './stats.ts';

const { AHEAD_UNKNOWN } = orders;
const { FARTHEST, HIGH } = resting;

/** What a line's rules and coins are, from the configuration. */
export interface MarketRules {
  /** Whether preset exits watch the mark instead of the last trade. */
  readonly bracketsByMark: boolean;
  /** Funding rate of an interval, 10^-8: what the model starts from. */
  readonly fundingRate: number;
  /** Spot: numbers of the coins, and 10^-8 of the base coin in one lot. */
  readonly baseCoin: number;
  readonly quoteCoin: number;
  readonly coinUnit: number;
}

/** Set at first to a number that is not a small integer, so that the field never changes its representation. */
const WIDE = 0.5;
const SLOW = 1_024;
/** The slow middle is kept in this many parts of a tick. */
export const SLOW_UNITS = SLOW;

export class MarketState {
  declare readonly index: number;
  declare readonly instrument: Instrument;
  declare readonly isSpot: boolean;
  declare readonly unitValue: number;
  declare readonly makerRate: number;
  declare readonly takerRate: number;
  /** Of orders that open; at least 1. */
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
  /** What our fills left of the displayed size. It is the whole size again when the price or the size of this side changes. */
  bidLeft = 0;
  /** FARTHEST when nobody offers, 0 before the first quote row. */
  ask = 0;
  askSize = 0;
  askLeft = 0;
  /** True while our fills have used up a part of one side. Every quote row matters then: any change of the side gives it back. */
  isDepleted = false;
  /** 0.5 before the first quote row: times are wide numbers and stay so. */
  quoteTime = 0.5;
  /** Last trade, 0 before the first. */
  last = 0;
  /** Its market is closed: no row comes, and nothing that waits for its mark is set off. */
  isHalted = false;
  /** The book's middle, smoothed (core/mark.ts), in parts of a tick; 0 while nobody watches the mark. */
  slowMiddle = WIDE;

  /** A trade at or below / at or above these may concern a resting order or a trigger. */
  watchLow = 0;
  watchHigh = HIGH;
  /** Resting orders that still take. */
  taking = 0;
  readonly buys = new Resting(1);
  readonly sells = new Resting(-1);

  /** A watched price at or below / at or above these may fire something. */
  triggerLow = 0;
  triggerHigh = HIGH;
  /** Plan orders, in order of arrival. */
  readonly triggerOrders: Order[] = [];
  brackets: Bracket[] = [];

  day: DayStats | null = null;
  ring: TradeRing | null = null;

  constructor(instrument: Instrument, rules: MarketRules) {
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
    this.slowMiddle = 0;
  }

  /** The quote of a new row. What our fills took of a side stays taken while neither its price nor its size changes. */
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

  /** From the first quote row on takers fill at quotes, before it at trades. */
  get hasBook(): boolean {
    return this.ask > 0;
  }

  /** Our resting orders of one direction. */
  side(isSell: boolean): Resting {
    return isSell ? this.sells : this.buys;
  }

  /**
   * Mark price in whole ticks: the slow middle held between the last trade and the middle of the book, so neither a lone trade nor a lone
   * quote moves it: min(max(I, min(L, M)), max(L, M)), where L is the last trade, M = floor((bid + ask) / 2), or the one side
   * there is, and I = floor(slowMiddle / 1024), or M while that is 0. Without a book it is L, without a trade M, 0 before any market.
   */
  mark(): number {
    const last = this.last;
    const mid = this.mid();
    if (last === 0 || mid === 0) return last + mid;
    const slow = this.slowMiddle / SLOW;
    const low = last < mid ? last : mid;
    const high = last < mid ? mid : last;
    if (slow < low) return slow === 0 ? mid : low;
    return slow < high ? Math.floor(slow) : high;
  }

  /** What triggers "by last" watch: the last trade, or the mark on a tape without trades. */
  lastOrMark(): number {
    return this.last > 0 ? this.last : this.mark();
  }

  /** The price for margin and value of a market order: what it would take, else the mark; 0 without a market. */
  reference(isSell: boolean): number {
    const opposite = isSell ? this.bid : this.ask;
    return opposite > 0 && opposite < FARTHEST ? opposite : this.mark();
  }

  /**
   * The price for margin and value of an opening order. A market order (`price` 0): what it would take. A
   * buy: its limit. A sale gets its limit at least, and what it would take where that is more. 0 where it has no price yet.
   */
  computed(isSell: boolean, price: number): number {
    if (!isSell && price > 0) return price;
    const taken = this.reference(isSell);
    return taken === 0 || taken > price ? taken : price;
  }

  /** Whether an order of this limit would take: it reaches the opposite quote or, without a book, the last trade. */
  crosses(isSell: boolean, key: number): boolean {
    if (this.hasBook) return isSell ? key <= this.bid : key >= this.ask;
    if (this.last === 0) return isSell ? key === 0 : key === FARTHEST;
    return isSell ? key <= this.last : key >= this.last;
  }

  /** Lots of others that trade before a buy that joins now at this price. */
  aheadOfBuy(key: number): number {
    if (key === this.bid) return this.bidSize;
    return key > this.bid || !this.hasBook ? 0 : AHEAD_UNKNOWN;
  }

  /** The same before a sale. */
  aheadOfSell(key: number): number {
    if (key === this.ask) return this.askSize;
    return key < this.ask || !this.hasBook ? 0 : AHEAD_UNKNOWN;
  }

  /** The order rests as a maker. */
  rest(order: Order): void {
    const key = order.key;
    if (order.isSell) {
      order.ahead = this.aheadOfSell(key);
      this.sells.insert(order);
      if (key < this.watchHigh) this.watchHigh = key;
    } else {
      order.ahead = this.aheadOfBuy(key);
      this.buys.insert(order);
      if (key > this.watchLow) this.watchLow = key;
    }
  }

  /** The order, the best of its side, rests where it rested, at its new price. */
  stay(order: Order): void {
    const key = order.key;
    if (order.isSell) {
      order.ahead = this.aheadOfSell(key);
      this.sells.top = key;
      if (this.taking === 0) this.#watchAbove();
    } else {
      order.ahead = this.aheadOfBuy(key);
      this.buys.top = key;
      if (this.taking === 0) this.#watchBelow();
    }
  }

  /** Sets the two prices between which a row concerns no order and no trigger. */
  watch(): void {
    if (this.taking > 0) {
      this.watchLow = HIGH;
      this.watchHigh = 0;
      return;
    }
    this.#watchBelow();
    this.#watchAbove();
  }

  /** The order at place `at` of its side rests no more. */
  leave(order: Order, at: number): void {
    if (order.isTaking) return this.#stopTaking(order, at);
    if (order.isSell) {
      this.sells.removeAt(at);
      if (this.taking === 0) this.#watchAbove();
    } else {
      this.buys.removeAt(at);
      if (this.taking === 0) this.#watchBelow();
    }
  }

  #stopTaking(order: Order, at: number): void {
    this.side(order.isSell).removeAt(at);
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

  /** The middle of the book, rounded down to a tick, or the one side there is; 0 without a book. */
  mid(): number {
    if (this.ask === FARTHEST) return this.bid;
    if (this.bid === 0) return this.ask;
    const sum = this.bid + this.ask;
    return (sum - (sum & 1)) / 2;
  }
}
