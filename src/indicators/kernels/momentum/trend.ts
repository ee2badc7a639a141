/**
 * Direction of bars: directional movement, Aroon, parabolic stops, Supertrend, swing points.
 * @hot
 */
import { BarKernel, type Candle } from '../../core/inputs.ts';
import { Part } from '../../core/part.ts';
import { Extreme, Ring, RollingSum } from '../../core/rolling.ts';
import { Rma } from '../averages/averages.ts';
import { TrueRange } from '../math/true-range.ts';

/** Wilder's sum: the first `period − 1` values are added, then each step takes away one part of `period` and adds the new value. */
class WilderSum extends Part {
  period: number;
  sum = 0;
  count = 0;

  constructor(period: number) {
    super();
    this.period = period;
  }

  push(x: number): void {
    if (this.count < this.period - 1) {
      this.count++;
      this.sum += x;
    } else {
      this.sum = this.sum - this.sum / this.period + x;
    }
  }
}

/** Directional movement up and down, with the true range. */
class Movement extends BarKernel {
  period: number;
  range = new TrueRange();
  plus: WilderSum;
  minus: WilderSum;
  trueRange: WilderSum;
  high = Number.NaN;
  low = Number.NaN;
  count = 0;
  /** Shares of the movements in the true range, in percent; 0 before there was a range. */
  plusDi = 0;
  minusDi = 0;

  constructor(period: number) {
    super();
    this.period = period;
    this.plus = new WilderSum(period);
    this.minus = new WilderSum(period);
    this.trueRange = new WilderSum(period);
  }

  override step(bar: Candle): void {
    const up = bar.high - this.high;
    const down = this.low - bar.low;
    this.high = bar.high;
    this.low = bar.low;
    if (!this.range.push(bar)) return;
    this.plus.push(up > 0 && up > down ? up : 0);
    this.minus.push(down > 0 && down > up ? down : 0);
    this.trueRange.push(this.range.value);
    this.isReady = ++this.count >= this.period;
    // Without a range all sums shrink by the same factor.
    if (this.range.value === 0) return;
    this.plusDi = (100 * this.plus.sum) / this.trueRange.sum;
    this.minusDi = (100 * this.minus.sum) / this.trueRange.sum;
  }
}

/** What is read of the movement; subclasses say what. */
abstract class OfMovement extends BarKernel {
  movement: Movement;

  constructor(period: number) {
    super();
    this.movement = new Movement(period);
  }

  abstract read(movement: Movement): number;

  override step(bar: Candle): void {
    this.movement.step(bar);
    if (!this.movement.isReady) return;
    this.isReady = true;
    this.value = this.read(this.movement);
  }
}

export class PlusDi extends OfMovement {
  override read(movement: Movement): number {
    return movement.plusDi;
  }
}

export class MinusDi extends OfMovement {
  override read(movement: Movement): number {
    return movement.minusDi;
  }
}

/** As the sums above, ready one bar earlier. */
abstract class OfSums extends BarKernel {
  movement: Movement;
  period: number;

  constructor(period: number) {
    super();
    this.period = period;
    this.movement = new Movement(period);
  }

  abstract read(movement: Movement): number;

  override step(bar: Candle): void {
    this.movement.step(bar);
    if (this.movement.count < this.period - 1) return;
    this.isReady = true;
    this.value = this.read(this.movement);
  }
}

export class PlusDm extends OfSums {
  override read(movement: Movement): number {
    return movement.plus.sum;
  }
}

export class MinusDm extends OfSums {
  override read(movement: Movement): number {
    return movement.minus.sum;
  }
}

/** Difference of the two directions over their sum; without movement the last value stays. */
export class Dx extends OfMovement {
  override read(movement: Movement): number {
    const sum = movement.plusDi + movement.minusDi;
    if (sum === 0) return this.value === this.value ? this.value : 0;
    return (100 * Math.abs(movement.minusDi - movement.plusDi)) / sum;
  }
}

export class Adx extends BarKernel {
  dx: Dx;
  average: Rma;

  constructor(period: number) {
    super();
    this.dx = new Dx(period);
    this.average = new Rma(period);
  }

  override step(bar: Candle): void {
    this.dx.step(bar);
    if (!this.dx.isReady) return;
    this.average.step(this.dx.value);
    this.isReady = this.average.isReady;
    this.value = this.average.value;
  }
}

/** Mean of the ADX and the ADX of `period − 1` bars ago. */
export class Adxr extends BarKernel {
  adx: Adx;
  ring: Ring;

  constructor(period: number) {
    super();
    this.adx = new Adx(period);
    this.ring = new Ring(period);
  }

  override step(bar: Candle): void {
    this.adx.step(bar);
    if (!this.adx.isReady) return;
    this.ring.push(this.adx.value);
    if (!this.ring.isFull) return;
    this.isReady = true;
    this.value = (this.adx.value + this.ring.oldest) / 2;
  }
}

/** How long ago the extremes of the last `period + 1` bars were; 100 is now. */
export class Aroon extends BarKernel {
  highest: Extreme;
  lowest: Extreme;
  period: number;
  up = Number.NaN;

  constructor(period: number) {
    super();
    this.period = period;
    this.highest = new Extreme(period + 1, 1);
    this.lowest = new Extreme(period + 1, -1);
  }

  override step(bar: Candle): void {
    this.highest.push(bar.high);
    this.lowest.push(bar.low);
    if (!this.highest.isFull) return;
    this.isReady = true;
    this.value = (100 * (this.period - this.lowest.age)) / this.period;
    this.up = (100 * (this.period - this.highest.age)) / this.period;
  }
}

export class Aroonosc extends BarKernel {
  aroon: Aroon;

  constructor(period: number) {
    super();
    this.aroon = new Aroon(period);
  }

  override step(bar: Candle): void {
    this.aroon.step(bar);
    if (!this.aroon.isReady) return;
    this.isReady = true;
    this.value = this.aroon.up - this.aroon.value;
  }
}

export class Vortex extends BarKernel {
  range = new TrueRange();
  plus: RollingSum;
  less: RollingSum;
  trueRanges: RollingSum;
  high = Number.NaN;
  low = Number.NaN;
  minus = Number.NaN;

  constructor(period: number) {
    super();
    this.plus = new RollingSum(period);
    this.less = new RollingSum(period);
    this.trueRanges = new RollingSum(period);
  }

  override step(bar: Candle): void {
    const { high, low, range, plus, less, trueRanges } = this;
    this.high = bar.high;
    this.low = bar.low;
    if (!range.push(bar)) return;
    plus.push(Math.abs(bar.high - low));
    less.push(Math.abs(bar.low - high));
    trueRanges.push(range.value);
    if (!plus.isFull) return;
    this.isReady = true;
    this.value = trueRanges.sum === 0 ? 0 : plus.sum / trueRanges.sum;
    this.minus = trueRanges.sum === 0 ? 0 : less.sum / trueRanges.sum;
  }
}

/** 100 for a high above the `left` bars before and the `right` after it, and likewise for a low below them, else 0. */
export class Fractal extends BarKernel {
  highs: Ring;
  lows: Ring;
  right: number;
  low = Number.NaN;

  constructor(left: number, right: number) {
    super();
    this.right = right;
    this.highs = new Ring(left + right + 1);
    this.lows = new Ring(left + right + 1);
  }

  override step(bar: Candle): void {
    const { highs, lows, right } = this;
    highs.push(bar.high);
    lows.push(bar.low);
    if (!highs.isFull) return;
    const high = highs.get(right);
    const low = lows.get(right);
    let isTop = true;
    let isBottom = true;
    for (let back = 0; back < highs.values.length; back++) {
      if (back === right) continue;
      if (highs.get(back) >= high) isTop = false;
      if (lows.get(back) <= low) isBottom = false;
    }
    this.isReady = true;
    this.value = isTop ? 100 : 0;
    this.low = isBottom ? 100 : 0;
  }
}
