/** Kernels that say where the close lies between high and low. @hot */
import { BarKernel, ValueKernel, type Candle } from '../../core/inputs.ts';
import { Extreme } from '../../core/rolling.ts';
import { averageOf, type AverageName } from '../averages/average-of.ts';
import { Ema } from '../averages/averages.ts';
import { Rsi } from './strength.ts';

/** Highest high and lowest low of the last bars. */
class Range extends BarKernel {
  highest: Extreme;
  lowest: Extreme;

  constructor(period: number) {
    super();
    this.highest = new Extreme(period, 1);
    this.lowest = new Extreme(period, -1);
  }

  override step(bar: Candle): void {
    this.highest.push(bar.high);
    this.lowest.push(bar.low);
    this.isReady = this.highest.isFull;
  }

  /** Where `price` lies, from 0 at the lowest to 100 at the highest. */
  share(price: number): number {
    const size = (this.highest.value - this.lowest.value) / 100;
    return size === 0 ? 0 : (price - this.lowest.value) / size;
  }
}

/** Raw K, its average and the average of that. */
export class Stoch extends BarKernel {
  range: Range;
  slowK: ValueKernel;
  slowD: ValueKernel;
  d = Number.NaN;

  constructor(period: number, slowK: number, kAverage: AverageName, slowD: number, dAverage: AverageName) {
    super();
    this.range = new Range(period);
    this.slowK = averageOf(kAverage, slowK);
    this.slowD = averageOf(dAverage, slowD);
  }

  override step(bar: Candle): void {
    const { range, slowK, slowD } = this;
    range.step(bar);
    if (!range.isReady) return;
    slowK.step(range.share(bar.close));
    if (!slowK.isReady) return;
    slowD.step(slowK.value);
    if (!slowD.isReady) return;
    this.isReady = true;
    this.value = slowK.value;
    this.d = slowD.value;
  }
}

export class Stochf extends Stoch {
  constructor(period: number, fastD: number, average: AverageName) {
    super(period, 1, 'none', fastD, average);
  }
}

/** Stochastic with J = 3 · K − 2 · D. */
export class Kdj extends Stoch {
  j = Number.NaN;

  override step(bar: Candle): void {
    super.step(bar);
    this.j = 3 * this.value - 2 * this.d;
  }
}

/** Stochastic of the RSI. */
export class Stochrsi extends ValueKernel {
  rsi: Rsi;
  highest: Extreme;
  lowest: Extreme;
  average: ValueKernel;
  d = Number.NaN;

  constructor(period: number, fastK: number, fastD: number, average: AverageName) {
    super();
    this.rsi = new Rsi(period);
    this.highest = new Extreme(fastK, 1);
    this.lowest = new Extreme(fastK, -1);
    this.average = averageOf(average, fastD);
  }

  override step(x: number): void {
    const { rsi, highest, lowest, average } = this;
    rsi.step(x);
    if (!rsi.isReady) return;
    highest.push(rsi.value);
    lowest.push(rsi.value);
    if (!highest.isFull) return;
    const size = (highest.value - lowest.value) / 100;
    const k = size === 0 ? 0 : (rsi.value - lowest.value) / size;
    average.step(k);
    if (!average.isReady) return;
    this.isReady = true;
    this.value = k;
    this.d = average.value;
  }
}

export class Willr extends BarKernel {
  range: Range;

  constructor(period: number) {
    super();
    this.range = new Range(period);
  }

  override step(bar: Candle): void {
    const { range } = this;
    range.step(bar);
    if (!range.isReady) return;
    const size = (range.highest.value - range.lowest.value) / -100;
    this.isReady = true;
    this.value = size === 0 ? 0 : (range.highest.value - bar.close) / size;
  }
}

/** Stochastic momentum: distance of the close from the middle of the range, smoothed twice. */
export class Smi extends BarKernel {
  range: Range;
  distance: Ema[];
  width: Ema[];
  average: Ema;
  signal = Number.NaN;

  constructor(period: number, fast: number, slow: number, signal: number) {
    super();
    this.range = new Range(period);
    this.distance = [new Ema(slow), new Ema(fast)];
    this.width = [new Ema(slow), new Ema(fast)];
    this.average = new Ema(signal);
  }

  override step(bar: Candle): void {
    const { range, distance, width, average } = this;
    range.step(bar);
    if (!range.isReady) return;
    const highest = range.highest.value;
    const lowest = range.lowest.value;
    distance[0]!.step(bar.close - (highest + lowest) / 2);
    width[0]!.step(highest - lowest);
    if (!width[0]!.isReady) return;
    distance[1]!.step(distance[0]!.value);
    width[1]!.step(width[0]!.value);
    if (!width[1]!.isReady) return;
    const half = width[1]!.value / 2;
    const smi = half === 0 ? 0 : (100 * distance[1]!.value) / half;
    average.step(smi);
    if (!average.isReady) return;
    this.isReady = true;
    this.value = smi;
    this.signal = average.value;
  }
}
