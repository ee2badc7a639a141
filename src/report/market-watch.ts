/**
 * Watches the market after fills: how far the price goes while a position is open (MAE, MFE), and where the middle is 1, 5 and 30 s after a fill
 * (markouts). It sees rows in stretches, after they were taken, and only while something is open or waiting. @hot
 */
import { CLOSE, directionOf, SELL } from '../domain/codes.ts';
import { MarkoutQueue, MARKOUT_MS, type RowColumn } from './markout-queue.ts';
import { RowPages, type PageStore } from './row-pages.ts';

/** A market whose rows also move other instruments: ticks of the other per tick of its own. */
export interface WatchedMarket {
  readonly instrument: number;
  readonly mirrors: readonly { readonly instrument: number; readonly priceRatio: number }[];
}

/** Numbers per fill that waits for the end of its stretch: time, leg, closed lots, opened lots, price in ticks of the market, market, sign. */
const EVENT = 7;
/** Legs per instrument: long, short, spot. */
const LEGS = 3;
const SPOT = 2;

export class MarketWatch {
  /** True if not all rows will be shown: then nothing is found out, and what a report says of it is unknown. */
  isOff = false;
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
  /** By leg: lots, extremes of the price in ticks of its market, and 1 for long, −1 for short. */
  readonly #lots: Float64Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #sign: Float64Array;
  readonly #spotLots: Float64Array;
  #open = 0;
  #events = new Float64Array(64 * EVENT);
  #eventEnd = 0;
  #waiting = 0;

  constructor(instruments: number, markets: readonly WatchedMarket[], openStore: (() => PageStore) | null = null) {
    this.excursions = new RowPages(2, openStore);
    this.#marketOf = Int32Array.from({ length: instruments }, (_, k) => k);
    this.#ratio = new Float64Array(instruments).fill(1);
    this.#queues = Array.from({ length: instruments }, () => new MarkoutQueue(this.markoutSums, this.markoutFills));
    for (const { instrument, mirrors } of markets) {
      for (const mirror of mirrors) {
        this.#marketOf[mirror.instrument] = instrument;
        this.#ratio[mirror.instrument] = mirror.priceRatio;
      }
    }
    this.#lots = new Float64Array(instruments * LEGS);
    this.#low = new Float64Array(instruments * LEGS);
    this.#high = new Float64Array(instruments * LEGS);
    this.#sign = new Float64Array(instruments * LEGS);
    this.#spotLots = new Float64Array(instruments);
  }

  /** A fill. `isSpot`: the leg is a holding, and a fill may close it and open one on the other side. */
  fill(time: number, instrument: number, isSpot: boolean, side: number, effect: number, price: number, size: number): void {
    if (this.isOff) return;
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
    this.isActive = true;
  }

  /**
   * Rows `from` to `to` of the market of `instrument` were taken, and all fills until now. Without quotes, `bid` and `ask` are both the price
   * of the trades.
   */
  rows(instrument: number, time: RowColumn, bid: RowColumn, ask: RowColumn, from: number, to: number): void {
    let at = from;
    for (let e = 0; e < this.#eventEnd; e += EVENT) {
      const until = firstFrom(time, this.#events[e]!, at, to);
      this.#move(instrument, bid, ask, at, until);
      at = until;
      this.#apply(e);
    }
    this.#eventEnd = 0;
    this.#move(instrument, bid, ask, at, to);
    const queue = this.#queues[instrument]!;
    if (queue.isWaiting) this.#waiting -= queue.pass(time, bid, ask, from, to);
    this.isActive = this.#open > 0 || this.#waiting > 0;
  }

  /** No more rows come: closes what the last fills closed. */
  end(): void {
    for (let e = 0; e < this.#eventEnd; e += EVENT) this.#apply(e);
    this.#eventEnd = 0;
  }

  /** Widens the extremes of the open legs of this market. */
  #move(market: number, bid: RowColumn, ask: RowColumn, from: number, to: number): void {
    if (this.#open === 0 || from >= to) return;
    let lowBid = Infinity;
    let highBid = -Infinity;
    let lowAsk = Infinity;
    let highAsk = -Infinity;
    for (let k = from; k < to; k++) {
      const b = bid[k]!;
      const a = ask[k]!;
      if (b < lowBid) lowBid = b;
      if (b > highBid) highBid = b;
      if (a < lowAsk) lowAsk = a;
      if (a > highAsk) highAsk = a;
    }
    for (let i = 0; i < this.#marketOf.length; i++) {
      if (this.#marketOf[i] !== market) continue;
      for (let leg = i * LEGS; leg < (i + 1) * LEGS; leg++) {
        if (this.#lots[leg]! <= 0) continue;
        if (this.#sign[leg]! > 0) this.#widen(leg, lowBid, highBid);
        else this.#widen(leg, lowAsk, highAsk);
      }
    }
  }

  /** A side without quotes has a price of 0, or one beyond every other. */
  #widen(leg: number, low: number, high: number): void {
    if (low > 0 && low < this.#low[leg]!) this.#low[leg] = low;
    if (high < Number.MAX_SAFE_INTEGER && high > this.#high[leg]!) this.#high[leg] = high;
  }

  #apply(e: number): void {
    const events = this.#events;
    const leg = events[e + 1]!;
    const closing = events[e + 2]!;
    const opening = events[e + 3]!;
    const price = events[e + 4]!;
    const sign = events[e + 6]!;
    if (closing > 0) {
      // The fill that closes a leg has the opposite direction.
      if (this.#lots[leg]! <= 0) this.#begin(leg, price, -sign);
      this.#widen(leg, price, price);
      const left = this.#lots[leg]! - closing;
      this.#lots[leg] = left;
      if (left <= 0) this.#finish(leg);
    }
    if (opening > 0) {
      if (this.#lots[leg]! <= 0) this.#begin(leg, price, sign);
      this.#widen(leg, price, price);
      this.#lots[leg] = this.#lots[leg]! + opening;
    }
    this.#queues[events[e + 5]!]!.add(events[e]!, price, sign);
    this.#waiting++;
  }

  #begin(leg: number, price: number, sign: number): void {
    this.#lots[leg] = 0;
    this.#low[leg] = price;
    this.#high[leg] = price;
    this.#sign[leg] = sign;
    this.#open++;
  }

  #finish(leg: number): void {
    const ratio = this.#ratio[Math.floor(leg / LEGS)]!;
    const low = this.#low[leg]! * ratio;
    const high = this.#high[leg]! * ratio;
    const isLong = this.#sign[leg]! > 0;
    const { excursions } = this;
    excursions.page[excursions.at] = isLong ? low : -high;
    excursions.page[excursions.at + 1] = isLong ? high : -low;
    excursions.added();
    this.#lots[leg] = 0;
    this.#open--;
  }

  #event(time: number, leg: number, closing: number, opening: number, price: number, market: number, sign: number): void {
    if (this.#eventEnd === this.#events.length) this.#events = doubled(this.#events);
    const at = this.#eventEnd;
    const events = this.#events;
    events[at] = time;
    events[at + 1] = leg;
    events[at + 2] = closing;
    events[at + 3] = opening;
    events[at + 4] = price;
    events[at + 5] = market;
    events[at + 6] = sign;
    this.#eventEnd = at + EVENT;
  }
}

/** The first row of `at` to `to` that is not before `time`. */
function firstFrom(times: RowColumn, time: number, at: number, to: number): number {
  let row = at;
  while (row < to && times[row]! < time) row++;
  return row;
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2); // hot-ok: growth
  larger.set(column);
  return larger;
}
