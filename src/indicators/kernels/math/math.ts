/**
 * Extremes and sums over a window.
 * @hot
 */
import { ValueKernel } from '../../core/inputs.ts';
import { Extreme, RollingSum } from '../../core/rolling.ts';

/** Running total with the rounding errors carried along (Neumaier). */
export class Cumsum extends ValueKernel {
  total = 0;
  rest = 0;

  override step(x: number): void {
    const { total } = this;
    const next = total + x;
    this.rest += Math.abs(total) >= Math.abs(x) ? total - next + x : x - next + total;
    this.total = next;
    this.isReady = true;
    this.value = next + this.rest;
  }
}

export class Sum extends ValueKernel {
  window: RollingSum;

  constructor(period: number) {
    super();
    this.window = new RollingSum(period);
  }

  override step(x: number): void {
    this.window.push(x);
    if (!this.window.isFull) return;
    this.isReady = true;
    this.value = this.window.sum;
  }
}

export class Max extends ValueKernel {
  extreme: Extreme;

  constructor(period: number) {
    super();
    this.extreme = new Extreme(period, 1);
  }

  override step(x: number): void {
    this.extreme.push(x);
    if (!this.extreme.isFull) return;
    this.isReady = true;
    this.value = this.extreme.value;
  }
}

export class Min extends ValueKernel {
  extreme: Extreme;

  constructor(period: number) {
    super();
    this.extreme = new Extreme(period, -1);
  }

  override step(x: number): void {
    this.extreme.push(x);
    if (!this.extreme.isFull) return;
    this.isReady = true;
    this.value = this.extreme.value;
  }
}

/**
 * The number of the update that brought the extreme; the first update is 0. An equal value takes the place of the extreme; when the
 * extreme leaves the window, the oldest of equal ones follows it. That is how TA-Lib does it.
 */
class Place extends ValueKernel {
  extreme: Extreme;
  sign: number;

  constructor(period: number, sign: 1 | -1) {
    super();
    this.sign = sign;
    this.extreme = new Extreme(period, sign, true);
  }

  override step(x: number): void {
    const { extreme } = this;
    const isAsGood = extreme.length > 0 && this.sign * x >= this.sign * extreme.value;
    extreme.push(x);
    if (isAsGood) this.value = extreme.time;
    else if (!(this.value > extreme.time - extreme.size)) this.value = extreme.time - extreme.age;
    this.isReady = extreme.isFull;
  }
}

export class Maxindex extends Place {
  constructor(period: number) {
    super(period, 1);
  }
}

export class Minindex extends Place {
  constructor(period: number) {
    super(period, -1);
  }
}

/** Two kernels of the same values: `value` is that of the first, `max` that of the second. */
abstract class LeastAndMost extends ValueKernel {
  least: ValueKernel;
  most: ValueKernel;
  max = Number.NaN;

  constructor(least: ValueKernel, most: ValueKernel) {
    super();
    this.least = least;
    this.most = most;
  }

  override step(x: number): void {
    this.least.step(x);
    this.most.step(x);
    this.isReady = this.least.isReady;
    this.value = this.least.value;
    this.max = this.most.value;
  }
}

export class Minmax extends LeastAndMost {
  constructor(period: number) {
    super(new Min(period), new Max(period));
  }
}

export class Minmaxindex extends LeastAndMost {
  constructor(period: number) {
    super(new Minindex(period), new Maxindex(period));
  }
}
