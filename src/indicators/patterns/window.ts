/**
 * The last bars, with the measures that candlestick patterns use: bodies, shadows, gaps, and how long is long. `k` is how many bars ago.
 * "Long", "short" and "near" compare a bar with a multiple of the mean of the bars before it. @hot
 */
import type { Candle } from '../core/inputs.ts';
import { Part } from '../core/part.ts';

const SIZE = 32;
const LAST = SIZE - 1;

export class Window extends Part {
  opens = new Float64Array(SIZE);
  highs = new Float64Array(SIZE);
  lows = new Float64Array(SIZE);
  closes = new Float64Array(SIZE);
  count = 0;

  push(bar: Candle): void {
    const at = this.count++ & LAST;
    this.opens[at] = bar.open;
    this.highs[at] = bar.high;
    this.lows[at] = bar.low;
    this.closes[at] = bar.close;
  }

  open(k: number): number {
    return this.opens[(this.count - 1 - k) & LAST]!;
  }

  high(k: number): number {
    return this.highs[(this.count - 1 - k) & LAST]!;
  }

  low(k: number): number {
    return this.lows[(this.count - 1 - k) & LAST]!;
  }

  close(k: number): number {
    return this.closes[(this.count - 1 - k) & LAST]!;
  }

  /** 1 for white (the close is not below the open), −1 for black. */
  color(k: number): number {
    return this.close(k) >= this.open(k) ? 1 : -1;
  }

  isWhite(k: number): boolean {
    return this.close(k) >= this.open(k);
  }

  isBlack(k: number): boolean {
    return this.close(k) < this.open(k);
  }

  body(k: number): number {
    return Math.abs(this.close(k) - this.open(k));
  }

  range(k: number): number {
    return this.high(k) - this.low(k);
  }

  /** Upper end of the body. */
  top(k: number): number {
    return Math.max(this.open(k), this.close(k));
  }

  /** Lower end of the body. */
  bottom(k: number): number {
    return Math.min(this.open(k), this.close(k));
  }

  upper(k: number): number {
    return this.high(k) - this.top(k);
  }

  lower(k: number): number {
    return this.bottom(k) - this.low(k);
  }

  /** The body of bar k lies above that of bar j. */
  isGapUp(k: number, j: number): boolean {
    return this.bottom(k) > this.top(j);
  }

  isGapDown(k: number, j: number): boolean {
    return this.top(k) < this.bottom(j);
  }

  /** The same with shadows. */
  isWholeGapUp(k: number, j: number): boolean {
    return this.low(k) > this.high(j);
  }

  isWholeGapDown(k: number, j: number): boolean {
    return this.high(k) < this.low(j);
  }

  meanBody(k: number): number {
    let sum = 0;
    for (let j = k + 10; j > k; j--) sum += this.body(j);
    return sum / 10;
  }

  meanRange(k: number, count: number): number {
    let sum = 0;
    for (let j = k + count; j > k; j--) sum += this.range(j);
    return sum / count;
  }

  isLong(k: number): boolean {
    return this.body(k) > this.meanBody(k);
  }

  /** Not long; `isShorter` is the strict form. */
  isShort(k: number): boolean {
    return this.body(k) <= this.meanBody(k);
  }

  isShorter(k: number): boolean {
    return this.body(k) < this.meanBody(k);
  }

  isDoji(k: number): boolean {
    return this.body(k) <= 0.1 * this.meanRange(k, 10);
  }

  /** Half of the mean of both shadows. */
  shortShadow(k: number): number {
    let sum = 0;
    for (let j = k + 10; j > k; j--) sum += this.range(j) - this.body(j);
    return sum / 10 / 2;
  }

  /** A shadow below this is as good as none. */
  noShadow(k: number): number {
    return 0.1 * this.meanRange(k, 10);
  }

  hasNoUpper(k: number): boolean {
    return this.upper(k) < this.noShadow(k);
  }

  hasNoLower(k: number): boolean {
    return this.lower(k) < this.noShadow(k);
  }

  near(k: number): number {
    return 0.2 * this.meanRange(k, 5);
  }

  far(k: number): number {
    return 0.6 * this.meanRange(k, 5);
  }

  /** `price` is `other`, give or take a twentieth of the bars before bar k. */
  isEqual(price: number, other: number, k: number): boolean {
    const slack = 0.05 * this.meanRange(k, 5);
    return price <= other + slack && price >= other - slack;
  }
}
