/** Prices of a market over a run for a chart: bars of one length. */

import type { MarketDrawing } from './drawings.ts';

/** Columns of equal length. Prices are statistics. */
export interface MarketChart {
  readonly symbol: string;
  readonly barMs: number;
  /** Begin of the bar in milliseconds since 1970; bars without a price are left out. */
  readonly time: readonly number[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
  /** What strategies said and drew; absent for nothing. */
  readonly drawing?: MarketDrawing | undefined;
}

const LENGTHS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400].map((seconds) => seconds * 1000);

/** The shortest usual length that makes at most `most` bars of `ms`; whole days beyond that. */
export function barLengthFor(ms: number, most: number): number {
  const day = 86_400_000;
  return LENGTHS.find((length) => ms / length <= most) ?? Math.ceil(ms / most / day) * day;
}

/** Collects prices in order of time into bars. */
export class BarCollector {
  readonly barMs: number;
  readonly #time: number[] = [];
  readonly #open: number[] = [];
  readonly #high: number[] = [];
  readonly #low: number[] = [];
  readonly #close: number[] = [];
  #end = -Infinity;
  #last = -1;

  constructor(barMs: number) {
    this.barMs = barMs;
  }

  add(time: number, price: number): void {
    if (time >= this.#end) {
      const start = Math.floor(time / this.barMs) * this.barMs;
      this.#end = start + this.barMs;
      this.#last = this.#time.push(start) - 1;
      this.#open.push(price);
      this.#high.push(price);
      this.#low.push(price);
      this.#close.push(price);
      return;
    }
    const k = this.#last;
    if (price > this.#high[k]!) this.#high[k] = price;
    else if (price < this.#low[k]!) this.#low[k] = price;
    this.#close[k] = price;
  }

  /** The bars; `priceOf` turns what `add` got into prices. */
  chart(symbol: string, priceOf: (price: number) => number): MarketChart {
    const columns = [this.#open, this.#high, this.#low, this.#close].map((column) => column.map(priceOf));
    const [open = [], high = [], low = [], close = []] = columns;
    return { symbol, barMs: this.barMs, time: this.#time, open, high, low, close };
  }
}
