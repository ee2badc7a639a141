/**
 * The path of prices through a bar: from the open to one extreme, to the other, to the close, with steps between. Which extreme comes
 * first is decided when the bar begins.
 */
import { BUY, SELL } from '../domain/codes.ts';

/** How far bid and ask are apart: a price, a share of the price in percent, or a multiple of the average true range of 14 bars. */
export interface SpreadModel {
  readonly kind: 'fixed' | 'percent' | 'atr';
  readonly value: number;
}

export interface BarMarketOptions {
  readonly spread: SpreadModel;
  /** Whether the low of the bar that begins comes before its high; prices in ticks. */
  lowFirst(symbol: string, open: number, close: number, high: number, low: number): boolean;
}

export const DEFAULT_SPREAD: SpreadModel = { kind: 'percent', value: 0.01 };

/** Steps of each of the three ways (the straight parts of a path): a stop fills at most a fourth of a way beyond its price, a take-profit never. */
const STEPS = 4;
export const POINTS = 1 + 3 * STEPS;

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

/** Milliseconds from the start of a bar to a point of its path. */
export function offsetOf(point: number, barMs: number): number {
  return Math.floor((point * (barMs - 1)) / (POINTS - 1));
}

/** Lots that are shown on either side at each of `count` points. */
export function shownOf(volume: number, count: number): number {
  return volume > count ? Math.floor(volume / count) : 1;
}

/** Price at step `k` of a way. */
function stepAt(from: number, to: number, k: number): number {
  return Math.round(from + ((to - from) * k) / STEPS);
}

/** Number of points of a way without its first: the steps that move the price, and its end. */
function stepsOf(from: number, to: number): number {
  const far = to - from;
  if (far >= STEPS || far <= -STEPS) return STEPS;
  if (far === 0) return 0;
  let count = 1;
  for (let k = 1; k < STEPS; k++) if (stepAt(from, to, k) !== stepAt(from, to, k - 1)) count++;
  return count;
}

/** The first point of a way that moves the price. */
function firstStep(from: number, to: number): number {
  for (let k = 1; k < STEPS; k++) {
    const price = stepAt(from, to, k);
    if (price !== from) return price;
  }
  return to;
}

/** A point of the path that is an extreme, an end or the open: bars of few lots trade there alone. */
const ANCHOR = 1;

/** The points of one bar; overwritten by the next. */
export class BarPath {
  /** Points that differ from the one before, the first and the last always. */
  count = 0;
  /** Points that trade, and the lots at the first of them; of no meaning for a bar without volume. */
  trades = 0;
  firstLots = 0;
  firstSide: number = BUY;
  /** Prices after the first point, once `span` was called. */
  lowest = 0;
  highest = 0;
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
  declare private readonly spread: SpreadModel;
  /** Value of a tick. */
  declare private readonly tick: number;
  /** By point: milliseconds since the start of the bar. */
  private readonly offset = new Float64Array(POINTS);
  private readonly kind = new Uint8Array(POINTS);
  declare private readonly barMs: number;

  constructor(spread: SpreadModel, tick: number, barMs: number) {
    this.spread = spread;
    this.tick = tick;
    this.barMs = barMs;
    for (let point = 0; point < POINTS; point++) {
      this.offset[point] = offsetOf(point, barMs);
    }
  }

  /** What is known of a path before it is drawn: how many points it has, how many of them trade, and the spread. */
  outline(bar: RawBar, lowFirst: boolean): void {
    const { open, high, low, close, volume } = bar;
    this.#spreadAt(bar);
    const first = lowFirst ? low : high;
    const other = lowFirst ? high : low;
    // A way that ends at its first price has no point, but a path always has a last point.
    const last = other === close ? 1 : stepsOf(other, close);
    this.count = 1 + stepsOf(open, first) + stepsOf(first, other) + last;
    const isThin = volume < this.count;
    this.trades = isThin ? 2 + (open === first ? 0 : 1) + (first === other ? 0 : 1) : this.count;
    const share = Math.floor(volume / this.trades);
    this.firstLots = share > 0 ? share : 1;
    this.firstSide = open < bar.before ? SELL : BUY;
  }

  /** Finds the least and the largest price after the first point. */
  span({ open, high, low, close, isLowFirst }: RawBar & { readonly isLowFirst: boolean }): void {
    this.lowest = low;
    this.highest = high;
    const first = isLowFirst ? low : high;
    // The open is an extreme, and the path leaves it at once.
    if (open !== first || low === high) return;
    const next = firstStep(first, isLowFirst ? high : low);
    if (isLowFirst) this.lowest = Math.min(next, close);
    else this.highest = Math.max(next, close);
  }

  /** The bid around a price of the path; the ask is `below + above` higher. */
  bidAt(price: number): number {
    return price > this.below ? price - this.below : 1;
  }

  /** Draws the path. */
  set(bar: RawBar, lowFirst: boolean): void {
    const { open, high, low, close } = bar;
    this.#spreadAt(bar);
    this.count = 0;
    this.#add(bar.time, 0, open, ANCHOR);
    this.#way(bar.time, 0, open, lowFirst ? low : high);
    this.#way(bar.time, 1, lowFirst ? low : high, lowFirst ? high : low);
    this.#way(bar.time, 2, lowFirst ? high : low, close);
    if (this.time[this.count - 1]! < bar.time + this.barMs - 1) this.#add(bar.time, POINTS - 1, close, ANCHOR);
    this.#trade(bar.before, bar.volume);
  }

  /** The points of one of the three ways, without its beginning. */
  #way(start: number, way: number, from: number, to: number): void {
    if (from === to) return;
    let before = from;
    for (let k = 1; k < STEPS; k++) {
      const price = stepAt(from, to, k);
      if (price === before) continue;
      this.#add(start, way * STEPS + k, price, 0);
      before = price;
    }
    this.#add(start, way * STEPS + STEPS, to, ANCHOR);
  }

  #add(start: number, point: number, price: number, kind: number): void {
    const at = this.count++;
    this.time[at] = start + this.offset[point]!;
    this.price[at] = price;
    this.kind[at] = kind;
  }

  /**
   * A trade comes from the side that the price moves to; `last` is the price before the bar. Volume in equal parts, a lot each at least; one
   * of fewer lots than points goes to the turning points, so that the bar keeps its shape.
   */
  #trade(last: number, volume: number): void {
    const { count, price, side, size, kind } = this;
    const isThin = volume < count;
    this.isWhole = !isThin;
    let parts = count;
    if (isThin) {
      parts = 0;
      for (let at = 0; at < count; at++) parts += kind[at]!;
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
      if (isThin && (volume === 0 || kind[at] === 0)) {
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

  #spreadAt(bar: RawBar): void {
    const { kind, value } = this.spread;
    const wide = kind === 'fixed' ? value / this.tick : kind === 'percent' ? (bar.open * value) / 100 : bar.atr * value;
    const ticks = Math.max(1, Math.round(wide));
    this.below = Math.floor(ticks / 2);
    this.above = ticks - this.below;
  }
}
