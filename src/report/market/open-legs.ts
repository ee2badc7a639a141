/** Open positions, and how far the price went while each was. @hot */
import { LEGS } from '../../domain/attribution.ts';
import type { RowPages } from '../fills/row-pages.ts';
import type { RowColumn } from './shown-rows.ts';

export class OpenLegs {
  /** How many are open. */
  open = 0;
  declare private readonly excursions: RowPages;
  /** By instrument: the market whose rows move it, and its ticks per tick of that market. */
  declare private readonly marketOf: Int32Array;
  declare private readonly ratio: Float64Array;
  /** By market: the instruments whose prices move with it. */
  readonly #moved: Int32Array[];
  /** By market: how many legs are open. */
  readonly #longs: Int32Array;
  readonly #shorts: Int32Array;
  /** By leg: lots, extremes of the price in ticks of its market, and 1 for long, −1 for short. */
  readonly #lots: Float64Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #sign: Float64Array;

  /** `excursions` takes the worst and the best price of each closed leg. */
  constructor(excursions: RowPages, marketOf: Int32Array, ratio: Float64Array) {
    this.excursions = excursions;
    this.marketOf = marketOf;
    this.ratio = ratio;
    const instruments = marketOf.length;
    const moved: number[][] = Array.from({ length: instruments }, () => []);
    for (const [instrument, market] of marketOf.entries()) moved[market]!.push(instrument);
    this.#moved = moved.map((one) => Int32Array.from(one));
    this.#longs = new Int32Array(instruments);
    this.#shorts = new Int32Array(instruments);
    this.#lots = new Float64Array(instruments * LEGS);
    this.#low = new Float64Array(instruments * LEGS);
    this.#high = new Float64Array(instruments * LEGS);
    this.#sign = new Float64Array(instruments * LEGS);
  }

  /** A fill closes some lots of a leg, then opens others. `sign` is 1 for a buy. */
  fill(leg: number, closing: number, opening: number, price: number, sign: number): void {
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
  }

  /** Widens the extremes of the open legs of this market: a long one would close at the bid, a short one at the ask. */
  move(market: number, bid: RowColumn, ask: RowColumn, from: number, to: number): void {
    if (this.#longs[market]! > 0) this.#followAll(market, 1, bid, from, to);
    if (this.#shorts[market]! > 0) this.#followAll(market, -1, ask, from, to);
  }

  #followAll(market: number, sign: number, price: RowColumn, from: number, to: number): void {
    const moved = this.#moved[market]!;
    for (let k = 0; k < moved.length; k++) {
      for (let leg = moved[k]! * LEGS; leg < (moved[k]! + 1) * LEGS; leg++) {
        if (this.#lots[leg]! > 0 && this.#sign[leg] === sign) this.#follow(leg, price, from, to);
      }
    }
  }

  /** Compared with the extremes so far, few rows are new ones: the processor foresees that. A side without quotes as in `#widen`. */
  #follow(leg: number, price: RowColumn, from: number, to: number): void {
    let low = this.#low[leg]!;
    let high = this.#high[leg]!;
    for (let row = from; row < to; row++) {
      const one = price[row]!;
      if (one < low) {
        if (one > 0) low = one;
      } else if (one > high && one < Number.MAX_SAFE_INTEGER) high = one;
    }
    this.#low[leg] = low;
    this.#high[leg] = high;
  }

  /** The same for rows of which only the least and the largest prices are known. */
  span(market: number, lowBid: number, highBid: number, lowAsk: number, highAsk: number): void {
    if (this.#longs[market]! > 0) this.#widenAll(market, 1, lowBid, highBid);
    if (this.#shorts[market]! > 0) this.#widenAll(market, -1, lowAsk, highAsk);
  }

  #widenAll(market: number, sign: number, low: number, high: number): void {
    const moved = this.#moved[market]!;
    for (let k = 0; k < moved.length; k++) {
      for (let leg = moved[k]! * LEGS; leg < (moved[k]! + 1) * LEGS; leg++) {
        if (this.#lots[leg]! > 0 && this.#sign[leg] === sign) this.#widen(leg, low, high);
      }
    }
  }

  /** A side without quotes has a price of 0, or one beyond every other. */
  #widen(leg: number, low: number, high: number): void {
    if (low > 0 && low < this.#low[leg]!) this.#low[leg] = low;
    if (high < Number.MAX_SAFE_INTEGER && high > this.#high[leg]!) this.#high[leg] = high;
  }

  #begin(leg: number, price: number, sign: number): void {
    this.#lots[leg] = 0;
    this.#low[leg] = price;
    this.#high[leg] = price;
    this.#sign[leg] = sign;
    this.#count(leg, sign, 1);
  }

  #finish(leg: number): void {
    const ratio = this.ratio[Math.floor(leg / LEGS)]!;
    const low = this.#low[leg]! * ratio;
    const high = this.#high[leg]! * ratio;
    const sign = this.#sign[leg]!;
    const isLong = sign > 0;
    const { excursions } = this;
    excursions.page[excursions.at] = isLong ? low : -high;
    excursions.page[excursions.at + 1] = isLong ? high : -low;
    excursions.added();
    this.#lots[leg] = 0;
    this.#count(leg, sign, -1);
  }

  #count(leg: number, sign: number, more: number): void {
    const market = this.marketOf[Math.floor(leg / LEGS)]!;
    const counts = sign > 0 ? this.#longs : this.#shorts;
    counts[market] = counts[market]! + more;
    this.open += more;
  }
}
