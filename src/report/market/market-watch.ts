/**
 * Watches the market after fills: how far the price goes while a position is open (MAE, MFE), and where the mid is 1, 5 and 30 s after a
 * fill (markouts). It gets rows in stretches after they were processed, or whole bars, and only while a position is open or a markout
 * waits. Of each stretch it only notes where it ends: it looks at many rows and fills at a time, before the columns are overwritten. @hot
 */
import { LEGS, SPOT } from '../../domain/attribution.ts';
import { CLOSE, directionOf, SELL } from '../../domain/codes.ts';
import { MarkoutQueue, MARKOUT_MS } from './markout-queue.ts';
import { OpenLegs } from './open-legs.ts';
import { RowPages, type PageStore } from '../fills/row-pages.ts';
import { firstFrom, ShownRows, type RowColumn } from './shown-rows.ts';

/** A market whose rows also move other instruments: ticks of the other per tick of its own. */
export interface WatchedMarket {
  readonly instrument: number;
  readonly mirrors: readonly { readonly instrument: number; readonly priceRatio: number }[];
}

/** The prices of a market after its last row, in ticks. */
export interface PricedMarket {
  readonly bid: number;
  readonly ask: number;
  readonly last: number;
}

/**
 * Numbers per fill that was not looked at: time, leg, closed lots, opened lots, price in ticks of the market, market, sign, and how
 * far the waiting rows of its market had come, 0 if none waits.
 */
const EVENT = 8;
/** With as many fills, rows and fills are still in the cache when they are looked at. */
const MANY = 256 * EVENT;

export class MarketWatch {
  /** True if the rows are paths of bars, whose prices between open and close are synthetic: then markouts are unknown. */
  isOnPaths = false;
  /** True while rows matter. */
  isActive = false;
  /** By horizon of MARKOUT_MS: sum of the shares, and number of fills. */
  readonly markoutSums = new Float64Array(MARKOUT_MS.length);
  readonly markoutFills = new Float64Array(MARKOUT_MS.length);
  /** Two numbers per closed leg, in order: worst and best price that closing would have got, in ticks, negative for a short one. */
  readonly excursions: RowPages;
  /** By instrument: the market whose rows move it, and its ticks per tick of that market. */
  readonly #marketOf: Int32Array;
  readonly #ratio: Float64Array;
  readonly #queues: MarkoutQueue[];
  readonly #shown: ShownRows[];
  #prices: readonly PricedMarket[] = [];
  readonly #legs: OpenLegs;
  readonly #spotLots: Float64Array;
  #events = new Float64Array(64 * EVENT);
  #eventEnd = 0;
  /** Fills before this one are among the rows that were given, the others after them. */
  #placed = 0;
  #waiting = 0;

  constructor(instruments: number, markets: readonly WatchedMarket[], openStore: (() => PageStore) | null = null) {
    this.excursions = new RowPages(2, openStore);
    this.#marketOf = Int32Array.from({ length: instruments }, (_, k) => k);
    this.#ratio = new Float64Array(instruments).fill(1);
    this.#queues = Array.from({ length: instruments }, () => new MarkoutQueue(this.markoutSums, this.markoutFills));
    this.#shown = Array.from({ length: instruments }, () => new ShownRows());
    for (const { instrument, mirrors } of markets) {
      for (const mirror of mirrors) {
        this.#marketOf[mirror.instrument] = instrument;
        this.#ratio[mirror.instrument] = mirror.priceRatio;
      }
    }
    this.#legs = new OpenLegs(this.excursions, this.#marketOf, this.#ratio);
    this.#spotLots = new Float64Array(instruments);
  }

  /** A fill. `isSpot`: the leg is a holding, and a fill may close it and open one on the other side. */
  fill(time: number, instrument: number, isSpot: boolean, side: number, effect: number, price: number, size: number): void {
    if (!this.isActive) this.#wake();
    const sign = directionOf(side, effect) === SELL ? -1 : 1;
    const at = price / this.#ratio[instrument]!;
    const market = this.#marketOf[instrument]!;
    if (isSpot) {
      const held = this.#spotLots[instrument]!;
      const closing = held !== 0 && held < 0 === sign > 0 ? Math.min(size, Math.abs(held)) : 0;
      this.#spotLots[instrument] = held + sign * size;
      this.#event(time, instrument * LEGS + SPOT, closing, size - closing, at, market, sign);
    } else if (effect === CLOSE) this.#event(time, instrument * LEGS + side, size, 0, at, market, sign);
    else this.#event(time, instrument * LEGS + side, 0, size, at, market, sign);
  }

  /** By instrument: the prices after the last row. They are asked when the watch wakes. */
  follow(prices: readonly PricedMarket[]): void {
    this.#prices = prices;
  }

  /**
   * Rows `from` to `to` of the market of `instrument` were taken, and all fills until now. Without quotes, `bid` and `ask` are both the price
   * of the trades. The columns must stay as they are until `settle`, or until rows of other columns are given.
   */
  rows(instrument: number, time: RowColumn, bid: RowColumn, ask: RowColumn, from: number, to: number): void {
    const shown = this.#shown[instrument]!;
    if (!shown.isNext(time, from)) {
      if (shown.end > shown.from) this.#lookBack();
      shown.begin(time, bid, ask, from);
    }
    shown.end = to;
    this.#placed = this.#eventEnd;
    if (this.#eventEnd >= MANY) this.#lookBack();
  }

  /** Looks at the rows of the market of `instrument`, whose columns will be overwritten. */
  settle(instrument: number): void {
    if (this.#eventEnd > 0) return this.#lookBack();
    this.#lookAt(instrument);
    this.#setActive();
  }

  /** Rows of the market of `instrument` between these prices were taken, after all fills until now. Only where `isOnPaths`. */
  between(instrument: number, lowBid: number, highBid: number, lowAsk: number, highAsk: number): void {
    if (this.#eventEnd > 0) this.end();
    else this.#lookAt(instrument);
    this.#legs.span(instrument, lowBid, highBid, lowAsk, highAsk);
    this.#setActive();
  }

  /** No more rows come: closes what the last fills closed. */
  end(): void {
    this.#placed = this.#eventEnd;
    this.#lookBack();
  }

  /** Looks at all rows that were given and the fills among them. */
  #lookBack(): void {
    const events = this.#events;
    for (let e = 0; e < this.#placed; e += EVENT) {
      const of = events[e + 5]!;
      const shown = this.#shown[of]!;
      const until = firstFrom(shown.time, events[e]!, Math.max(shown.seen, events[e + 7]!), shown.end);
      this.#legs.move(of, shown.bid, shown.ask, shown.seen, until);
      shown.seen = until;
      this.#apply(e);
    }
    this.#dropPlaced();
    for (let k = 0; k < this.#shown.length; k++) this.#lookAt(k);
    this.#setActive();
  }

  /** Looks at the rows of one market after its last fill. */
  #lookAt(market: number): void {
    const shown = this.#shown[market]!;
    const { time, bid, ask, from, seen, end } = shown;
    if (from === end) return;
    this.#legs.move(market, bid, ask, seen, end);
    this.#pass(market, time, bid, ask, from, end);
    shown.from = end;
    shown.seen = end;
  }

  #pass(market: number, time: RowColumn, bid: RowColumn, ask: RowColumn, from: number, to: number): void {
    const queue = this.#queues[market]!;
    if (queue.isWaiting) this.#waiting -= queue.pass(time, bid, ask, from, to);
    else queue.mid = (bid[to - 1]! + ask[to - 1]!) / 2;
  }

  #setActive(): void {
    this.isActive = this.#legs.open > 0 || this.#waiting > 0 || this.#eventEnd > 0;
  }

  #dropPlaced(): void {
    this.#events.copyWithin(0, this.#placed, this.#eventEnd);
    this.#eventEnd -= this.#placed;
    this.#placed = 0;
    for (let e = 0; e < this.#eventEnd; e += EVENT) this.#events[e + 7] = 0;
  }

  #apply(e: number): void {
    const events = this.#events;
    const price = events[e + 4]!;
    const sign = events[e + 6]!;
    this.#legs.fill(events[e + 1]!, events[e + 2]!, events[e + 3]!, price, sign);
    if (this.isOnPaths) return;
    this.#queues[events[e + 5]!]!.add(events[e]!, price, sign);
    this.#waiting++;
  }

  /** Until now no rows were shown. */
  #wake(): void {
    for (let market = 0; market < this.#prices.length; market++) {
      const { bid, ask, last } = this.#prices[market]!;
      this.#queues[market]!.mid = bid > 0 ? (bid + ask) / 2 : last;
    }
    this.isActive = true;
  }

  #event(time: number, leg: number, closing: number, opening: number, price: number, market: number, sign: number): void {
    if (this.#eventEnd === this.#events.length) this.#events = doubled(this.#events);
    const at = this.#eventEnd;
    const events = this.#events;
    const { from, end } = this.#shown[market]!;
    events[at] = time;
    events[at + 1] = leg;
    events[at + 2] = closing;
    events[at + 3] = opening;
    events[at + 4] = price;
    events[at + 5] = market;
    events[at + 6] = sign;
    events[at + 7] = from < end ? end : 0;
    this.#eventEnd = at + EVENT;
  }
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2); // hot-ok: growth
  larger.set(column);
  return larger;
}
