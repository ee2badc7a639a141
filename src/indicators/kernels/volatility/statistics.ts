/**
 * Statistics over a window: deviations, ranks, correlation.
 * @hot
 */
import { PairKernel, ValueKernel } from '../../core/inputs.ts';
import { CoMoments, Extreme, Moments, Ring } from '../../core/rolling.ts';
import { averageLookback, averageOf, type AverageName } from '../averages/average-of.ts';

export class Variance extends ValueKernel {
  moments: Moments;

  constructor(period: number, _deviations: number) {
    super();
    this.moments = new Moments(period);
  }

  override step(x: number): void {
    this.moments.push(x);
    if (!this.moments.isFull) return;
    this.isReady = true;
    this.value = this.moments.variance;
  }
}

export class Stddev extends ValueKernel {
  moments: Moments;
  deviations: number;

  constructor(period: number, deviations: number) {
    super();
    this.moments = new Moments(period);
    this.deviations = deviations;
  }

  override step(x: number): void {
    this.moments.push(x);
    if (!this.moments.isFull) return;
    this.isReady = true;
    this.value = Math.sqrt(this.moments.variance) * this.deviations;
  }
}

/** Mean distance from the mean. */
export class Avgdev extends ValueKernel {
  moments: Moments;

  constructor(period: number) {
    super();
    this.moments = new Moments(period);
  }

  override step(x: number): void {
    const { moments } = this;
    moments.push(x);
    if (!moments.isFull) return;
    const { values } = moments.ring;
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += Math.abs(values[i]! - moments.mean);
    this.isReady = true;
    this.value = sum / values.length;
  }
}

/** Slope of the returns of y on the returns of x. */
export class Beta extends PairKernel {
  moments: CoMoments;
  lastX = Number.NaN;
  lastY = Number.NaN;

  constructor(period: number) {
    super();
    this.moments = new CoMoments(period);
  }

  override step(x: number, y: number): void {
    const { moments, lastX, lastY } = this;
    this.lastX = x;
    this.lastY = y;
    if (lastX !== lastX) return;
    moments.push(lastX === 0 ? 0 : (x - lastX) / lastX, lastY === 0 ? 0 : (y - lastY) / lastY);
    if (!moments.isFull) return;
    this.isReady = true;
    this.value = moments.xx === 0 ? 0 : moments.xy / moments.xx;
  }
}

export class Correl extends PairKernel {
  moments: CoMoments;

  constructor(period: number) {
    super();
    this.moments = new CoMoments(period);
  }

  override step(x: number, y: number): void {
    const { moments } = this;
    moments.push(x, y);
    if (!moments.isFull) return;
    this.isReady = true;
    this.value = moments.correlation;
  }
}

/** The last values in order: places are found by halving. */
class Sorted extends ValueKernel {
  ring: Ring;
  sorted: Float64Array;
  count = 0;

  constructor(period: number) {
    super();
    this.ring = new Ring(period);
    this.sorted = new Float64Array(period);
  }

  override step(x: number): void {
    const { ring, sorted } = this;
    const isFull = ring.isFull;
    const old = ring.push(x);
    if (isFull) {
      const at = this.placeOf(old);
      sorted.copyWithin(at, at + 1, this.count);
      this.count--;
    }
    const at = this.placeOf(x);
    sorted.copyWithin(at + 1, at, this.count);
    sorted[at] = x;
    this.count++;
    this.isReady = ring.isFull;
  }

  /** How many are below `x`. */
  placeOf(x: number): number {
    const { sorted } = this;
    let from = 0;
    let to = this.count;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (sorted[middle]! < x) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** The value below which `percent` percent of the values lie (nearest rank). */
export class Percentile extends Sorted {
  percent: number;

  constructor(period: number, percent: number) {
    super(period);
    this.percent = percent;
  }

  override step(x: number): void {
    super.step(x);
    if (!this.isReady) return;
    const rank = Math.ceil((this.percent / 100) * this.count);
    this.value = this.sorted[Math.max(0, rank - 1)]!;
  }
}

/** How many percent of the values before are below this one. */
export class Percentrank extends ValueKernel {
  before: Sorted;

  constructor(period: number) {
    super();
    this.before = new Sorted(period);
  }

  override step(x: number): void {
    const { before } = this;
    if (before.isReady) {
      this.isReady = true;
      this.value = (100 * before.placeOf(x)) / before.count;
    }
    before.step(x);
  }
}

/** Middle between the highest and the lowest value. */
export class Midpoint extends ValueKernel {
  highest: Extreme;
  lowest: Extreme;

  constructor(period: number) {
    super();
    this.highest = new Extreme(period, 1);
    this.lowest = new Extreme(period, -1);
  }

  override step(x: number): void {
    this.highest.push(x);
    this.lowest.push(x);
    if (!this.highest.isFull) return;
    this.isReady = true;
    this.value = (this.highest.value + this.lowest.value) / 2;
  }
}

/** An average whose length is given with each value: all lengths run beside each other. */
export class Mavp extends PairKernel {
  averages: ValueKernel[];
  skips: readonly number[];
  min: number;
  max: number;
  count = 0;

  constructor(min: number, max: number, average: AverageName) {
    super();
    this.min = Math.min(min, max);
    this.max = Math.max(min, max);
    const periods = Array.from({ length: this.max - this.min + 1 }, (_, index) => this.min + index);
    const longest = averageLookback(average, this.max);
    this.averages = periods.map((period) => averageOf(average, period));
    this.skips = periods.map((period) => longest - averageLookback(average, period));
  }

  override step(x: number, period: number): void {
    const { averages, skips } = this;
    for (let i = 0; i < averages.length; i++) if (this.count >= skips[i]!) averages[i]!.step(x);
    this.count++;
    const chosen = averages[Math.max(this.min, Math.min(this.max, Math.trunc(period))) - this.min]!;
    if (!averages.at(-1)!.isReady) return;
    this.isReady = true;
    this.value = chosen.value;
  }
}
