/**
 * Least squares lines.
 * @hot
 */
import { ValueKernel } from '../../core/inputs.ts';
import { Ring } from '../../core/rolling.ts';

/** Least squares line through the last values at 0 … n − 1. Values are taken relative to one of them, which keeps the sums small. */
export class Line extends ValueKernel {
  ring: Ring;
  base = 0;
  sum = 0;
  weighted = 0;
  slope = 0;
  start = 0;

  constructor(period: number) {
    super();
    this.ring = new Ring(period);
  }

  override step(x: number): void {
    const { ring } = this;
    const n = ring.values.length;
    const old = ring.push(x);
    if (!ring.isFull) return;
    if (!this.isReady || ring.at === 0) {
      this.base = x;
      this.sum = 0;
      this.weighted = 0;
      for (let i = 0; i < n; i++) {
        const y = ring.get(n - 1 - i) - x;
        this.sum += y;
        this.weighted += i * y;
      }
    } else {
      const left = old - this.base;
      const came = x - this.base;
      this.weighted += (n - 1) * came - (this.sum - left);
      this.sum += came - left;
    }
    const middle = (n - 1) / 2;
    const squares = (n * (n * n - 1)) / 12;
    this.slope = squares === 0 ? 0 : (this.weighted - middle * this.sum) / squares;
    this.start = this.base + this.sum / n - this.slope * middle;
    this.isReady = true;
    this.value = this.read(n);
  }

  /** What is read of the line; here its end. */
  read(n: number): number {
    return this.start + this.slope * (n - 1);
  }
}

export class LinearregSlope extends Line {
  override read(): number {
    return this.slope;
  }
}

export class LinearregIntercept extends Line {
  override read(): number {
    return this.start;
  }
}

export class LinearregAngle extends Line {
  override read(): number {
    return Math.atan(this.slope) * (180 / Math.PI);
  }
}

/** The line one step further. */
export class Tsf extends Line {
  override read(n: number): number {
    return this.start + this.slope * n;
  }
}

/** How far the value is from the forecast of the step before, in percent. */
export class Fosc extends ValueKernel {
  forecast: Tsf;

  constructor(period: number) {
    super();
    this.forecast = new Tsf(period);
  }

  override step(x: number): void {
    const { forecast } = this;
    if (forecast.isReady) {
      this.isReady = true;
      this.value = x === 0 ? 0 : (100 * (x - forecast.value)) / x;
    }
    forecast.step(x);
  }
}
