/**
 * Windows over the last values: sums, extremes, moments. Sums are computed again once per window, so that rounding errors do not grow
 * with the number of values; the cost stays constant per value. Whether a window is empty or flat is counted, not computed: then a sum or
 * a deviation is exactly 0.
 * @hot
 */
import { Part } from './part.ts';

/** The last `size` values. */
export class Ring extends Part {
  values: Float64Array;
  at = 0;
  count = 0;

  constructor(size: number) {
    super();
    this.values = new Float64Array(size);
  }

  /** Takes a value and returns the one that leaves (0 while the window fills). */
  push(x: number): number {
    const { values } = this;
    const old = values[this.at]!;
    values[this.at] = x;
    if (++this.at === values.length) this.at = 0;
    if (this.count < values.length) this.count++;
    return old;
  }

  get isFull(): boolean {
    return this.count === this.values.length;
  }

  /** The value `back` steps ago; 0 is the newest. */
  get(back: number): number {
    const { values } = this;
    const at = this.at - 1 - back;
    return values[at < 0 ? at + values.length : at]!;
  }

  /** The oldest value of a full window. */
  get oldest(): number {
    return this.values[this.at]!;
  }
}

/** Sum of the last `size` values. */
export class RollingSum extends Part {
  window: Float64Array;
  at = 0;
  sum = 0;
  /** Values other than 0. */
  filled = 0;
  isFull = false;

  constructor(size: number) {
    super();
    this.window = new Float64Array(size);
  }

  push(x: number): void {
    const { window } = this;
    const old = window[this.at]!;
    if (x !== 0) this.filled++;
    if (old !== 0) this.filled--;
    this.sum = this.filled === 0 ? 0 : this.sum + x - old;
    window[this.at] = x;
    if (++this.at === window.length) {
      this.at = 0;
      this.isFull = true;
      this.sum = 0;
      for (let i = 0; i < window.length; i++) this.sum += window[i]!;
    }
  }
}

/** Highest (sign 1) or lowest (sign −1) of the last `size` values. Of equal ones the newest counts, or the oldest if `isOldest`. */
export class Extreme extends Part {
  size: number;
  sign: number;
  isOldest: boolean;
  values: Float64Array;
  times: Float64Array;
  head = 0;
  length = 0;
  time = -1;

  constructor(size: number, sign: 1 | -1, isOldest = false) {
    super();
    this.size = size;
    this.sign = sign;
    this.isOldest = isOldest;
    this.values = new Float64Array(size);
    this.times = new Float64Array(size);
  }

  push(x: number): void {
    const { size, values, times } = this;
    this.time++;
    if (this.length > 0 && times[this.head]! <= this.time - size) {
      if (++this.head === size) this.head = 0;
      this.length--;
    }
    const ranked = x * this.sign;
    while (this.length > 0) {
      let last = this.head + this.length - 1;
      if (last >= size) last -= size;
      const other = values[last]! * this.sign;
      if (other > ranked || (this.isOldest && other === ranked)) break;
      this.length--;
    }
    let next = this.head + this.length;
    if (next >= size) next -= size;
    values[next] = x;
    times[next] = this.time;
    this.length++;
  }

  get isFull(): boolean {
    return this.time + 1 >= this.size;
  }

  get value(): number {
    return this.values[this.head]!;
  }

  /** How many values ago it was; 0 is the newest. */
  get age(): number {
    return this.time - this.times[this.head]!;
  }
}

/** How many values in a row are the same as the newest one. */
class Run extends Part {
  value = Number.NaN;
  length = 0;

  push(x: number): number {
    this.length = x === this.value ? this.length + 1 : 1;
    this.value = x;
    return this.length;
  }
}

/** Mean and sum of squared deviations of the last `size` values, updated by differences and computed again once per window. */
export class Moments extends Part {
  ring: Ring;
  run = new Run();
  mean = 0;
  squares = 0;

  constructor(size: number) {
    super();
    this.ring = new Ring(size);
  }

  get isFull(): boolean {
    return this.ring.isFull;
  }

  push(x: number): void {
    const { ring, run } = this;
    const { values } = ring;
    if (run.push(x) >= values.length) {
      ring.push(x);
      this.mean = x;
      this.squares = 0;
      return;
    }
    if (!ring.isFull) {
      ring.push(x);
      if (!ring.isFull) return;
    } else {
      const old = ring.push(x);
      if (ring.at !== 0) {
        const before = this.mean;
        this.mean += (x - old) / values.length;
        this.squares += (x - old) * (x - this.mean + old - before);
        return;
      }
    }
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[i]!;
    this.mean = sum / values.length;
    this.squares = 0;
    for (let i = 0; i < values.length; i++) this.squares += (values[i]! - this.mean) ** 2;
  }

  /** Population variance, never below zero. */
  get variance(): number {
    return Math.max(0, this.squares / this.ring.values.length);
  }
}

/** Means and co-moments of pairs over the last `size` of them. */
export class CoMoments extends Part {
  x: Ring;
  y: Ring;
  runX = new Run();
  runY = new Run();
  meanX = 0;
  meanY = 0;
  xx = 0;
  yy = 0;
  xy = 0;

  constructor(size: number) {
    super();
    this.x = new Ring(size);
    this.y = new Ring(size);
  }

  get isFull(): boolean {
    return this.x.isFull;
  }

  push(x: number, y: number): void {
    const wasFull = this.x.isFull;
    const oldX = this.x.push(x);
    const oldY = this.y.push(y);
    const sameX = this.runX.push(x);
    const sameY = this.runY.push(y);
    if (!this.x.isFull) return;
    const n = this.x.values.length;
    if (!wasFull || this.x.at === 0) this.compute(n);
    else this.move(x, y, oldX, oldY, n);
    if (sameX >= n) {
      this.meanX = x;
      this.xx = 0;
      this.xy = 0;
    }
    if (sameY >= n) {
      this.meanY = y;
      this.yy = 0;
      this.xy = 0;
    }
  }

  move(x: number, y: number, oldX: number, oldY: number, n: number): void {
    const dx = x - oldX;
    const dy = y - oldY;
    const beforeX = this.meanX;
    const beforeY = this.meanY;
    this.meanX += dx / n;
    this.meanY += dy / n;
    this.xx += dx * (x - this.meanX + oldX - beforeX);
    this.yy += dy * (y - this.meanY + oldY - beforeY);
    this.xy += (x - this.meanX) * (y - beforeY) - (oldX - this.meanX) * (oldY - beforeY);
  }

  /** Between −1 and 1; 0 if one side is flat. */
  get correlation(): number {
    if (this.xx <= 0 || this.yy <= 0) return 0;
    return Math.max(-1, Math.min(1, this.xy / Math.sqrt(this.xx) / Math.sqrt(this.yy)));
  }

  compute(n: number): void {
    const xs = this.x.values;
    const ys = this.y.values;
    let sumX = 0;
    let sumY = 0;
    for (let i = 0; i < n; i++) {
      sumX += xs[i]!;
      sumY += ys[i]!;
    }
    this.meanX = sumX / n;
    this.meanY = sumY / n;
    this.xx = 0;
    this.yy = 0;
    this.xy = 0;
    for (let i = 0; i < n; i++) {
      const dx = xs[i]! - this.meanX;
      const dy = ys[i]! - this.meanY;
      this.xx += dx * dx;
      this.yy += dy * dy;
      this.xy += dx * dy;
    }
  }
}
