/** Minute bars of a symbol, made of the last prices of its quotes. Prices are decimal strings. */
import { MINUTE_MS } from '../../base/time/time-spans.ts';

export type BarRow = readonly [time: number, open: string, high: string, low: string, close: string];

export class MinuteBars {
  readonly #most: number;
  readonly #rows: BarRow[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Oldest first; the newest is not complete. */
  get rows(): readonly BarRow[] {
    return this.#rows;
  }

  take(time: number, price: string): void {
    if (price === '') return;
    const minute = time - (time % MINUTE_MS);
    const last = this.#rows.at(-1);
    if (last === undefined || last[0] < minute) {
      this.#rows.push([minute, price, price, price, price]);
      if (this.#rows.length > this.#most) this.#rows.shift();
      return;
    }
    const [begin, open, high, low] = last;
    const number = Number(price);
    this.#rows[this.#rows.length - 1] = [begin, open, number > Number(high) ? price : high, number < Number(low) ? price : low, price];
  }
}
