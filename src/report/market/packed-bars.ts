/**
 * Bars and lines as short texts, so that a page may have many: whole numbers of the last decimal, each as the difference to what is likely, in
 * groups of 7 bits of which the least comes first, as base64. `src/report/html/browser/packed.js` reads them.
 */
import type { BarColumns, PackedBars } from './chart-bars.ts';

/** More would not be exact, and no chart shows them. */
const DECIMALS_MOST = 10;
const SCALED_MOST = 2 ** 52;

/** The bars from `from` to `to`. A bar: bars without a price before it, open less the last close, close less open, and how far both wicks go. */
export function packedBars(bars: BarColumns, from: number, to: number): PackedBars {
  const { barMs, time, open, high, low, close } = bars;
  const decimals = decimalsOf([...open, ...high, ...low, ...close]);
  const scaled = (price: number): number => Math.round(price * 10 ** decimals);
  const bytes = new Bytes();
  let last = 0;
  let next = Math.floor(from / barMs) * barMs;
  for (let k = 0; k < time.length; k++) {
    const [o, h, l, c] = [scaled(open[k]!), scaled(high[k]!), scaled(low[k]!), scaled(close[k]!)];
    bytes.add((time[k]! - next) / barMs);
    bytes.signed(o - last);
    bytes.signed(c - o);
    bytes.add(h - Math.max(o, c));
    bytes.add(Math.min(o, c) - l);
    last = c;
    next = time[k]! + barMs;
  }
  return { barMs, from, to, decimals, bars: bytes.text };
}

/** A point: multiples of `barMs` since the one before less 1, and the difference of the values. */
export function packedPoints(
  time: readonly number[],
  value: readonly number[],
  barMs: number,
): { decimals: number; points: string; from: number } {
  const largest = value.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  // Six digits of the largest value: more than a chart shows.
  const decimals = largest === 0 ? 0 : Math.min(DECIMALS_MOST, Math.max(0, 5 - Math.floor(Math.log10(largest))));
  const bytes = new Bytes();
  const from = time[0] ?? 0;
  let last = 0;
  let next = from;
  for (let k = 0; k < time.length; k++) {
    const scaled = Math.round(value[k]! * 10 ** decimals);
    bytes.add((time[k]! - next) / barMs);
    bytes.signed(scaled - last);
    last = scaled;
    next = time[k]! + barMs;
  }
  return { decimals, points: bytes.text, from };
}

/** Digits behind the point that tell the prices apart. */
function decimalsOf(prices: readonly number[]): number {
  let most = 0;
  let largest = 1;
  for (const price of prices) {
    const [, fraction = ''] = String(price).split('.');
    most = Math.max(most, fraction.length);
    largest = Math.max(largest, Math.abs(price));
  }
  const exact = Math.floor(Math.log10(SCALED_MOST / largest));
  return Math.max(0, Math.min(most, DECIMALS_MOST, exact));
}

class Bytes {
  readonly #bytes: number[] = [];

  /** A whole number of at least 0. */
  add(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#bytes.push(128 + (rest % 128));
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
  }

  /** Numbers below 0 are the odd ones. */
  signed(value: number): void {
    this.add(value < 0 ? -2 * value - 1 : 2 * value);
  }

  get text(): string {
    return Buffer.from(this.#bytes).toString('base64');
  }
}
