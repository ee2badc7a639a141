/** Collects the bars of one timeframe from all markets of a strategy, for `onBars`. */
import { type Bar, MutableBar } from '../../market/bar.ts';
import type { BarSlice } from '../definition/types.ts';
import type { Market } from '../../intents/market-types.ts';

/** Slices that wait for a market; older ones are given up. */
const MOST_PENDING = 1_000;

class Slice implements BarSlice {
  readonly timeframe: string;
  readonly start: number;
  readonly end: number;
  readonly markets: readonly Market[];
  readonly bars: (MutableBar | undefined)[] = [];
  missing: number;

  constructor(first: Bar, markets: readonly Market[]) {
    this.timeframe = first.timeframe;
    this.start = first.start;
    this.end = first.end;
    this.markets = markets;
    this.missing = markets.length;
  }

  bar(market: Market): Bar {
    const bar = this.bars[this.markets.indexOf(market)];
    if (bar === undefined) throw new RangeError(`${market.symbol} is not among the markets of this strategy`);
    return bar;
  }
}

export class BarSlices {
  readonly #markets: readonly Market[];
  readonly #pending = new Map<number, Slice>();

  constructor(markets: readonly Market[]) {
    this.#markets = markets;
  }

  /** Adds a bar. The slice once every market has its bar of the same period, else null. */
  add(bar: Bar, market: Market): BarSlice | null {
    const k = this.#markets.indexOf(market);
    let slice = this.#pending.get(bar.start);
    if (slice === undefined) this.#pending.set(bar.start, (slice = new Slice(bar, this.#markets)));
    if (slice.bars[k] !== undefined) return null;
    const copy = new MutableBar(bar.timeframe);
    copy.set(bar);
    slice.bars[k] = copy;
    if (--slice.missing > 0) {
      const [oldest] = this.#pending.keys();
      if (this.#pending.size > MOST_PENDING && oldest !== undefined) this.#pending.delete(oldest);
      return null;
    }
    // Slices before this one will never be complete: their market began later.
    for (const start of this.#pending.keys()) if (start <= bar.start) this.#pending.delete(start);
    return slice;
  }
}
