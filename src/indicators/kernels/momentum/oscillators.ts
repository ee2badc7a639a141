/**
 * Momentum of bars.
 * @hot
 */
import { BarKernel, ValueKernel, type Candle } from '../../core/inputs.ts';
import { Extreme, Ring, RollingSum } from '../../core/rolling.ts';
import { Ema, EmaChain, Sma } from '../averages/averages.ts';

/** Average of the middle of bars, short less long. */
export class Ao extends BarKernel {
  fast: Sma;
  slow: Sma;

  constructor(fast: number, slow: number) {
    super();
    this.fast = new Sma(fast);
    this.slow = new Sma(slow);
  }

  override step(bar: Candle): void {
    const middle = (bar.high + bar.low) / 2;
    this.fast.step(middle);
    this.slow.step(middle);
    if (!this.fast.isReady || !this.slow.isReady) return;
    this.isReady = true;
    this.value = this.fast.value - this.slow.value;
  }
}

/** The awesome oscillator less its average. */
export class Ac extends BarKernel {
  ao: Ao;
  average: Sma;

  constructor(fast: number, slow: number, signal: number) {
    super();
    this.ao = new Ao(fast, slow);
    this.average = new Sma(signal);
  }

  override step(bar: Candle): void {
    this.ao.step(bar);
    if (!this.ao.isReady) return;
    this.average.step(this.ao.value);
    if (!this.average.isReady) return;
    this.isReady = true;
    this.value = this.ao.value - this.average.value;
  }
}

export class Bop extends BarKernel {
  override step(bar: Candle): void {
    const size = bar.high - bar.low;
    this.isReady = true;
    this.value = size === 0 ? 0 : (bar.close - bar.open) / size;
  }
}

/** Distance of the typical price from its mean, in units of its mean deviation. */
export class Cci extends BarKernel {
  ring: Ring;
  sum: RollingSum;

  constructor(period: number) {
    super();
    this.ring = new Ring(period);
    this.sum = new RollingSum(period);
  }

  override step(bar: Candle): void {
    const { ring, sum } = this;
    const typical = (bar.high + bar.low + bar.close) / 3;
    ring.push(typical);
    sum.push(typical);
    if (!ring.isFull) return;
    const { values } = ring;
    const mean = sum.sum / values.length;
    let deviations = 0;
    for (let i = 0; i < values.length; i++) deviations += Math.abs(values[i]! - mean);
    const distance = typical - mean;
    this.isReady = true;
    this.value = distance !== 0 && deviations !== 0 ? distance / ((0.015 * deviations) / values.length) : 0;
  }
}

/** Elder's bulls and bears: high and low, less the average of closes. */
export class Eri extends BarKernel {
  average: Ema;
  bear = Number.NaN;

  constructor(period: number) {
    super();
    this.average = new Ema(period);
  }

  override step(bar: Candle): void {
    this.average.step(bar.close);
    if (!this.average.isReady) return;
    this.isReady = true;
    this.value = bar.high - this.average.value;
    this.bear = bar.low - this.average.value;
  }
}

/** Rises within bars as a share of all movement within bars. */
export class Imi extends BarKernel {
  up: RollingSum;
  down: RollingSum;

  constructor(period: number) {
    super();
    this.up = new RollingSum(period);
    this.down = new RollingSum(period);
  }

  override step(bar: Candle): void {
    const change = bar.close - bar.open;
    this.up.push(change > 0 ? change : 0);
    this.down.push(change < 0 ? -change : 0);
    if (!this.up.isFull) return;
    const sum = this.up.sum + this.down.sum;
    this.isReady = true;
    this.value = sum === 0 ? 50 : (100 * this.up.sum) / sum;
  }
}

export class Qstick extends BarKernel {
  average: Sma;

  constructor(period: number) {
    super();
    this.average = new Sma(period);
  }

  override step(bar: Candle): void {
    this.average.step(bar.close - bar.open);
    this.isReady = this.average.isReady;
    this.value = this.average.value;
  }
}

/** Buying pressure over true range, for three lengths with weights 4, 2 and 1. */
export class Ultosc extends BarKernel {
  pressures: RollingSum[];
  ranges: RollingSum[];
  last = Number.NaN;

  constructor(first: number, second: number, third: number) {
    super();
    const periods = [first, second, third].sort((a, b) => a - b);
    this.pressures = periods.map((period) => new RollingSum(period));
    this.ranges = periods.map((period) => new RollingSum(period));
  }

  override step(bar: Candle): void {
    const { last, pressures, ranges } = this;
    this.last = bar.close;
    if (last !== last) return;
    const low = Math.min(bar.low, last);
    const pressure = bar.close - low;
    const range = Math.max(bar.high, last) - low;
    for (let i = 0; i < 3; i++) {
      pressures[i]!.push(pressure);
      ranges[i]!.push(range);
    }
    if (!ranges[2]!.isFull) return;
    let sum = 0;
    for (let i = 0; i < 3; i++) if (ranges[i]!.sum !== 0) sum += ((1 << (2 - i)) * pressures[i]!.sum) / ranges[i]!.sum;
    this.isReady = true;
    this.value = (100 * sum) / 7;
  }
}

/** Range of closes over the path of closes. */
export class Vhf extends ValueKernel {
  highest: Extreme;
  lowest: Extreme;
  path: RollingSum;
  last = Number.NaN;

  constructor(period: number) {
    super();
    this.highest = new Extreme(period, 1);
    this.lowest = new Extreme(period, -1);
    this.path = new RollingSum(period);
  }

  override step(x: number): void {
    const { last } = this;
    this.last = x;
    this.highest.push(x);
    this.lowest.push(x);
    if (last === last) this.path.push(Math.abs(x - last));
    if (!this.path.isFull) return;
    this.isReady = true;
    this.value = this.path.sum === 0 ? 0 : (this.highest.value - this.lowest.value) / this.path.sum;
  }
}

/** Highest-high and lowest-low of a smoothed range: sums of the ratio of an average to its average. */
export class Massi extends BarKernel {
  chain: EmaChain;
  ratios: RollingSum;

  constructor(fast: number, slow: number) {
    super();
    this.chain = new EmaChain(fast, 2);
    this.ratios = new RollingSum(slow);
  }

  override step(bar: Candle): void {
    const { chain, ratios } = this;
    chain.step(bar.high - bar.low);
    if (!chain.isReady) return;
    ratios.push(chain.value === 0 ? 0 : chain.stages[0]!.value / chain.value);
    if (!ratios.isFull) return;
    this.isReady = true;
    this.value = ratios.sum;
  }
}
