/** The drawn path of prices through a bar, as trades with sizes and quotes around them. Nobody knows the real one: it is no evidence. */
import { BUY, SELL } from '../../domain/codes.ts';
import { spreadTicks, type SpreadModel } from './bar-reader.ts';
import { drawLevels, LEVELS_MOST, STEPS_MOST, stepsFor } from './drawn-walk.ts';

export interface BarMarketOptions {
  readonly spread: SpreadModel;
  /** Of what is drawn inside the bars. */
  readonly seed: number;
}

/** Most points of a path. */
export const POINTS = STEPS_MOST + 1;

/** One bar in ticks and lots. */
export interface RawBar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Close of the previous bar, and the average true range up to it, because at its open nothing else of a bar is known. */
  readonly before: number;
  readonly atr: number;
}

/** Lots that are shown on either side at each of `count` points. */
export function shownOf(volume: number, count: number): number {
  return volume > count ? Math.floor(volume / count) : 1;
}

/** The points of one bar; overwritten by the next. */
export class BarPath {
  count = 0;
  readonly time = new Float64Array(POINTS);
  readonly price = new Float64Array(POINTS);
  /** Lots traded at each point; 0 where there are fewer lots than points, and for a bar without volume. */
  readonly size = new Float64Array(POINTS);
  readonly side = new Uint8Array(POINTS);
  /** True if every point trades. */
  isWhole = false;
  /** Bid and ask around a price: so many ticks below and above. */
  below = 0;
  above = 1;
  readonly spread: SpreadModel;
  /** Value of a tick. */
  readonly tick: number;
  private readonly barMs: number;
  private readonly level = new Uint8Array(POINTS);
  /** 1 at the open, the first high, the first low and the close: bars of few lots trade there alone. */
  private readonly anchor = new Uint8Array(POINTS);

  constructor(spread: SpreadModel, tick: number, barMs: number) {
    this.spread = spread;
    this.tick = tick;
    this.barMs = barMs;
  }

  /** The bid around a price of the path; the ask is `below + above` higher. */
  bidAt(price: number): number {
    return price > this.below ? price - this.below : 1;
  }

  /** Draws the path; `random` gives numbers from 0 to below 1. */
  set(bar: RawBar, random: () => number): void {
    const { open, high, low, close } = bar;
    const wide = spreadTicks(this, open, bar.atr);
    this.below = Math.floor(wide / 2);
    this.above = wide - this.below;
    const range = high - low;
    const levels = Math.min(range, LEVELS_MOST);
    const levelOf = (price: number): number => (range === 0 ? 0 : Math.round(((price - low) * levels) / range));
    const steps = stepsFor(levels, levelOf(open), levelOf(close));
    this.count = steps + 1;
    drawLevels(this.level, levels, levelOf(open), levelOf(close), steps, random);
    for (let at = 0; at <= steps; at++) {
      this.time[at] = bar.time + Math.floor((at * (this.barMs - 1)) / steps);
      this.price[at] = range === 0 ? low : low + Math.round((this.level[at]! * range) / levels);
    }
    this.price[0] = open;
    this.price[steps] = close;
    this.#findAnchors(high, low);
    this.#trade(bar.before, bar.volume);
  }

  /** The first and the last point, and the first at the high and at the low. Open and close may have rounded to the extremes. */
  #findAnchors(high: number, low: number): void {
    const { anchor, price, count } = this;
    anchor.fill(0, 0, count);
    anchor[0] = 1;
    anchor[count - 1] = 1;
    for (const extreme of [high, low]) {
      let at = 0;
      while (at < count && price[at] !== extreme) at++;
      // The walk touched the extreme at its ends alone, where the exact price stands now: the nearest point takes it.
      if (at === count) price[(at = extreme === high ? this.#most(1) : this.#most(-1))] = extreme;
      anchor[at] = 1;
    }
  }

  /** The inner point with the highest price (`sign` 1), or the lowest (−1). */
  #most(sign: number): number {
    let best = 1;
    for (let at = 2; at < this.count - 1; at++) if ((this.price[at]! - this.price[best]!) * sign > 0) best = at;
    return best;
  }

  /**
   * A trade comes from the side that the price moves to; `last` is the price before the bar. Volume in equal parts, a lot each at least; one
   * of fewer lots than points goes to the anchors, so that the bar keeps its shape.
   */
  #trade(last: number, volume: number): void {
    const { count, price, side, size, anchor } = this;
    const isThin = volume < count;
    this.isWhole = !isThin;
    let parts = count;
    if (isThin) {
      parts = 0;
      for (let at = 0; at < count; at++) parts += anchor[at]!;
    }
    // Of the first k parts together: floor(volume · k / parts).
    const share = Math.floor(volume / parts);
    const rest = volume - share * parts;
    let owed = 0;
    let before = last;
    let taker: number = BUY;
    for (let at = 0; at < count; at++) {
      const now = price[at]!;
      if (now !== before) taker = now > before ? BUY : SELL;
      before = now;
      side[at] = taker;
      if (isThin && (volume === 0 || anchor[at] === 0)) {
        size[at] = 0;
        continue;
      }
      owed += rest;
      const isMore = owed >= parts;
      if (isMore) owed -= parts;
      const lots = isMore ? share + 1 : share;
      size[at] = lots > 0 ? lots : 1;
    }
  }
}
