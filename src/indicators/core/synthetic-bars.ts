/**
 * Synthetic bars, the same on every machine and in every language, because they are computed with integers. For lookbacks, charts and
 * tests.
 */
import type { Candle, InputKind } from './inputs.ts';

const MULTIPLIER = 48271;
const MODULUS = 2147483647;
const MINUTE = 60_000;

/** A Lehmer generator: the next number from the one before. All products stay below 2^53. */
function lehmer(state: number): number {
  return (state * MULTIPLIER) % MODULUS;
}

/** Bars of a wandering price on a grid of 1/64, one a minute. */
export class SampleBars {
  #state: number;
  #price = 6400;
  #index = 0;

  constructor(seed = 1) {
    this.#state = seed;
  }

  next(): Required<Candle> {
    const open = this.#price + this.#draw(5) - 2;
    const close = Math.max(1000, open + this.#draw(97) - 48 + (Math.trunc(this.#index / 50) % 2 === 0 ? 3 : -3));
    const high = Math.max(open, close) + this.#draw(40);
    const low = Math.min(open, close) - this.#draw(40);
    this.#price = close;
    const volume = 100 + this.#draw(900);
    const start = this.#index++ * MINUTE;
    return { open: open / 64, high: high / 64, low: low / 64, close: close / 64, volume, start };
  }

  #draw(below: number): number {
    this.#state = lehmer(this.#state);
    return this.#state % below;
  }
}

/** `count` sample bars. */
export function sampleBars(count: number, seed = 1): Required<Candle>[] {
  const bars = new SampleBars(seed);
  return Array.from({ length: count }, () => bars.next());
}

/** What an indicator of this kind is given for a bar: the bar, its quote, its trade, or two numbers. */
export function sampleInput(kind: InputKind, bar: Required<Candle>): readonly unknown[] {
  const { open, high, low, close, volume } = bar;
  switch (kind) {
    case 'value':
    case 'bar':
    case 'volumeBar':
    case 'timedBar':
      return [bar];
    case 'pair':
      return [close, 2 + (Math.round(high * 64) % 13)];
    case 'quote':
      return [{ bid: low, ask: high + 1 / 64, bidSize: volume, askSize: 1 + (Math.round(open * 64) % 500) }];
    case 'trade':
      return [{ price: close, size: volume, side: close >= open ? 'BUY' : 'SELL' }];
  }
}
