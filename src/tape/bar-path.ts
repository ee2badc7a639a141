/**
 * The way prices take through a bar: from the open to one extreme, to the other, to the close, with steps between. Which extreme comes
 * first is asked when the bar begins.
 */
import { BUY, SELL } from '../domain/codes.ts';

/** How far bid and ask are apart: a price, a share of the price in percent, or a multiple of the average true range of 14 bars. */
export interface SpreadModel {
  readonly kind: 'fixed' | 'percent' | 'atr';
  readonly value: number;
}

export interface BarMarketOptions {
  readonly spread: SpreadModel;
  /** Whether the low of the bar that begins comes before its high. */
  lowFirst(symbol: string, open: number, close: number): boolean;
}

export const DEFAULT_SPREAD: SpreadModel = { kind: 'percent', value: 0.01 };

/** Steps of each of the three ways: a stop fills at most a fourth of the way beyond its price. */
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
  /** Close of the bar before, and the average true range up to it: nothing of a bar is known at its open. */
  readonly before: number;
  readonly atr: number;
}

/** The points of one bar; overwritten by the next. */
export class BarPath {
  /** Points that differ from the one before, the first and the last always. */
  count = 0;
  /** Points at which the bar trades; 0 for a bar without volume. */
  readonly time = new Float64Array(POINTS);
  readonly price = new Float64Array(POINTS);
  readonly size = new Float64Array(POINTS);
  readonly side = new Uint8Array(POINTS);
  /** True if a point after the first is at a whole second. */
  isOnSeconds = false;
  /** Bid and ask around a price: so many ticks below and above. */
  below = 0;
  above = 1;
  readonly #spread: SpreadModel;
  /** Value of a tick. */
  readonly #tick: number;
  #isAnchor = new Uint8Array(POINTS);

  constructor(spread: SpreadModel, tick: number) {
    this.#spread = spread;
    this.#tick = tick;
  }

  set(bar: RawBar, barMs: number, lowFirst: boolean): void {
    this.#spreadAt(bar);
    this.count = 0;
    this.#add(bar, barMs, 0, bar.open, true);
    this.#way(bar, barMs, 0, bar.open, lowFirst ? bar.low : bar.high);
    this.#way(bar, barMs, 1, lowFirst ? bar.low : bar.high, lowFirst ? bar.high : bar.low);
    this.#way(bar, barMs, 2, lowFirst ? bar.high : bar.low, bar.close);
    if (this.time[this.count - 1]! < bar.time + barMs - 1) this.#add(bar, barMs, POINTS - 1, bar.close, true);
    this.#sides(bar.before);
    this.#share(bar.volume);
    this.isOnSeconds = false;
    for (let at = 1; at < this.count; at++) if (this.time[at]! % 1000 === 0) this.isOnSeconds = true;
  }

  /** The points of one of the three ways, without its beginning. */
  #way(bar: RawBar, barMs: number, way: number, from: number, to: number): void {
    if (from === to) return;
    for (let k = 1; k <= STEPS; k++) {
      const price = k === STEPS ? to : Math.round(from + ((to - from) * k) / STEPS);
      if (k === STEPS || price !== this.price[this.count - 1]) this.#add(bar, barMs, way * STEPS + k, price, k === STEPS);
    }
  }

  #add(bar: RawBar, barMs: number, point: number, price: number, isAnchor: boolean): void {
    const at = this.count++;
    this.time[at] = bar.time + Math.floor((point * (barMs - 1)) / (POINTS - 1));
    this.price[at] = price;
    this.#isAnchor[at] = isAnchor ? 1 : 0;
  }

  /** A trade comes from the side that the price moves to. */
  #sides(last: number): void {
    let before = last;
    let side: number = BUY;
    for (let at = 0; at < this.count; at++) {
      const price = this.price[at]!;
      if (price !== before) side = price > before ? BUY : SELL;
      this.side[at] = side;
      before = price;
    }
  }

  /** Volume in equal parts; a volume of fewer lots than points goes to the turning points, a lot each at least, so that the bar keeps its shape. */
  #share(volume: number): void {
    const isThin = volume < this.count;
    let anchors = 0;
    for (let at = 0; at < this.count; at++) anchors += this.#isAnchor[at]!;
    const parts = isThin ? anchors : this.count;
    let part = 0;
    for (let at = 0; at < this.count; at++) {
      if (volume === 0 || (isThin && this.#isAnchor[at] === 0)) {
        this.size[at] = 0;
        continue;
      }
      part++;
      const share = Math.floor((volume * part) / parts) - Math.floor((volume * (part - 1)) / parts);
      this.size[at] = share > 0 ? share : 1;
    }
  }

  #spreadAt(bar: RawBar): void {
    const { kind, value } = this.#spread;
    const wide = kind === 'fixed' ? value / this.#tick : kind === 'percent' ? (bar.open * value) / 100 : bar.atr * value;
    const ticks = Math.max(1, Math.round(wide));
    this.below = Math.floor(ticks / 2);
    this.above = ticks - this.below;
  }
}
