/**
 * Realised volatility: from closes, from the range of bars, from both. All are of one bar; times √perYear they are of a year.
 * @hot
 */
import { BarKernel, ValueKernel, type Candle } from '../../core/inputs.ts';
import { Extreme, Moments, RollingSum } from '../../core/rolling.ts';

/** Sample standard deviation of logarithmic returns. */
export class CloseVolatility extends ValueKernel {
  moments: Moments;
  last = Number.NaN;
  period: number;
  perYear: number;

  constructor(period: number, perYear: number) {
    super();
    this.period = period;
    this.perYear = perYear;
    this.moments = new Moments(period);
  }

  override step(x: number): void {
    const { moments, last, period } = this;
    this.last = x;
    if (last !== last) return;
    moments.push(Math.log(x / last));
    if (!moments.isFull) return;
    this.isReady = true;
    this.value = Math.sqrt((moments.variance * period * this.perYear) / (period - 1));
  }
}

/** Exponentially weighted mean of squared returns, after RiskMetrics. */
export class EwmaVolatility extends ValueKernel {
  decay: number;
  perYear: number;
  last = Number.NaN;
  variance = Number.NaN;

  constructor(decay: number, perYear: number) {
    super();
    this.decay = decay;
    this.perYear = perYear;
  }

  override step(x: number): void {
    const { last } = this;
    this.last = x;
    if (last !== last) return;
    const square = Math.log(x / last) ** 2;
    this.variance = this.isReady ? this.decay * this.variance + (1 - this.decay) * square : square;
    this.isReady = true;
    this.value = Math.sqrt(this.variance * this.perYear);
  }
}

/** Mean of a term of each bar. */
abstract class RangeVolatility extends BarKernel {
  sum: RollingSum;
  period: number;
  perYear: number;

  constructor(period: number, perYear: number) {
    super();
    this.period = period;
    this.perYear = perYear;
    this.sum = new RollingSum(period);
  }

  abstract term(bar: Candle): number;

  override step(bar: Candle): void {
    this.sum.push(this.term(bar));
    if (!this.sum.isFull) return;
    this.isReady = true;
    this.value = Math.sqrt(Math.max(0, (this.sum.sum / this.period) * this.perYear));
  }
}

export class Parkinson extends RangeVolatility {
  override term(bar: Candle): number {
    return Math.log(bar.high / bar.low) ** 2 / (4 * Math.LN2);
  }
}

export class GarmanKlass extends RangeVolatility {
  override term(bar: Candle): number {
    return 0.5 * Math.log(bar.high / bar.low) ** 2 - (2 * Math.LN2 - 1) * Math.log(bar.close / bar.open) ** 2;
  }
}

function rogersSatchellTerm(bar: Candle): number {
  const up = Math.log(bar.high / bar.open);
  const down = Math.log(bar.low / bar.open);
  const close = Math.log(bar.close / bar.open);
  return up * (up - close) + down * (down - close);
}

export class RogersSatchell extends RangeVolatility {
  override term(bar: Candle): number {
    return rogersSatchellTerm(bar);
  }
}

/** Variance of overnight jumps, of the way from open to close, and Rogers and Satchell's term, weighted for the smallest error. */
export class YangZhang extends BarKernel {
  jumps: Moments;
  days: Moments;
  ranges: RollingSum;
  last = Number.NaN;
  period: number;
  perYear: number;

  constructor(period: number, perYear: number) {
    super();
    this.period = period;
    this.perYear = perYear;
    this.jumps = new Moments(period);
    this.days = new Moments(period);
    this.ranges = new RollingSum(period);
  }

  override step(bar: Candle): void {
    const { jumps, days, ranges, last, period } = this;
    this.last = bar.close;
    if (last !== last) return;
    jumps.push(Math.log(bar.open / last));
    days.push(Math.log(bar.close / bar.open));
    ranges.push(rogersSatchellTerm(bar));
    if (!jumps.isFull) return;
    const share = 0.34 / (1.34 + (period + 1) / (period - 1));
    const sample = period / (period - 1);
    const variance = jumps.variance * sample + share * days.variance * sample + (1 - share) * (ranges.sum / period);
    this.isReady = true;
    this.value = Math.sqrt(Math.max(0, variance * this.perYear));
  }
}

/** 100 where the bars go to and fro, 0 where they go straight. */
export class Choppiness extends BarKernel {
  ranges: RollingSum;
  highest: Extreme;
  lowest: Extreme;
  last = Number.NaN;
  period: number;

  constructor(period: number) {
    super();
    this.period = period;
    this.ranges = new RollingSum(period);
    this.highest = new Extreme(period, 1);
    this.lowest = new Extreme(period, -1);
  }

  override step(bar: Candle): void {
    const { ranges, highest, lowest, last } = this;
    this.last = bar.close;
    highest.push(bar.high);
    lowest.push(bar.low);
    if (last !== last) return;
    ranges.push(Math.max(bar.high, last) - Math.min(bar.low, last));
    if (!ranges.isFull) return;
    const range = highest.value - lowest.value;
    this.isReady = true;
    this.value = range === 0 ? 100 : (100 * Math.log10(ranges.sum / range)) / Math.log10(this.period);
  }
}
