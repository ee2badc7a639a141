/** Indicators known from charting programs: Ichimoku, squeeze, Fisher, Connors. @hot */
import { BarKernel, ValueKernel, type Candle } from '../../core/inputs.ts';
import { Part } from '../../core/part.ts';
import { Extreme, Moments, Ring, RollingSum } from '../../core/rolling.ts';
import { Sma } from '../averages/averages.ts';
import { Line } from '../math/regression.ts';
import { Percentrank } from '../volatility/statistics.ts';
import { Rsi } from './strength.ts';
import { TrueRange } from '../math/true-range.ts';

/** Gaussian weights, their middle at a share of the window. One pass over the window. */
export class Alma extends ValueKernel {
  ring: Ring;
  weights: readonly number[];
  total: number;

  constructor(period: number, offset: number, sigma: number) {
    super();
    this.ring = new Ring(period);
    const middle = offset * (period - 1);
    const width = period / sigma;
    this.weights = Array.from({ length: period }, (_, index) => Math.exp(-((index - middle) ** 2) / (2 * width * width)));
    this.total = this.weights.reduce((sum, weight) => sum + weight, 0);
  }

  override step(x: number): void {
    const { ring, weights } = this;
    ring.push(x);
    if (!ring.isFull) return;
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += weights[i]! * ring.get(weights.length - 1 - i);
    this.isReady = true;
    this.value = sum / this.total;
  }
}

/** Middle of highest high and lowest low. */
class Middle extends Part {
  highest: Extreme;
  lowest: Extreme;

  constructor(period: number) {
    super();
    this.highest = new Extreme(period, 1);
    this.lowest = new Extreme(period, -1);
  }

  push(bar: Candle): void {
    this.highest.push(bar.high);
    this.lowest.push(bar.low);
  }

  get value(): number {
    return (this.highest.value + this.lowest.value) / 2;
  }
}

/** Conversion and base line, and the cloud of this bar, which was known `shift` bars ago. */
export class Ichimoku extends BarKernel {
  conversion: Middle;
  baseline: Middle;
  long: Middle;
  aheadA: Ring;
  aheadB: Ring;
  base = Number.NaN;
  spanA = Number.NaN;
  spanB = Number.NaN;

  constructor(conversion: number, base: number, span: number, shift: number) {
    super();
    this.conversion = new Middle(conversion);
    this.baseline = new Middle(base);
    this.long = new Middle(span);
    this.aheadA = new Ring(shift + 1);
    this.aheadB = new Ring(shift + 1);
  }

  override step(bar: Candle): void {
    const { conversion, baseline, long, aheadA, aheadB } = this;
    conversion.push(bar);
    baseline.push(bar);
    long.push(bar);
    if (!long.highest.isFull || !baseline.highest.isFull || !conversion.highest.isFull) return;
    aheadA.push((conversion.value + baseline.value) / 2);
    aheadB.push(long.value);
    if (!aheadA.isFull) return;
    this.isReady = true;
    this.value = conversion.value;
    this.base = baseline.value;
    this.spanA = aheadA.oldest;
    this.spanB = aheadB.oldest;
  }
}

/** Shows whether the Bollinger bands are inside the Keltner channel, and the momentum of the price. */
export class Squeeze extends BarKernel {
  spread: Moments;
  range = new TrueRange();
  ranges: Sma;
  middle: Middle;
  line: Line;
  bands: number;
  channel: number;
  on = Number.NaN;

  constructor(period: number, bands: number, channel: number) {
    super();
    this.bands = bands;
    this.channel = channel;
    this.spread = new Moments(period);
    this.ranges = new Sma(period);
    this.middle = new Middle(period);
    this.line = new Line(period);
  }

  override step(bar: Candle): void {
    const { spread, ranges, middle, line } = this;
    spread.push(bar.close);
    middle.push(bar);
    if (this.range.push(bar)) ranges.step(this.range.value);
    if (!spread.isFull) return;
    line.step(bar.close - (middle.value + spread.mean) / 2);
    if (!line.isReady || !ranges.isReady) return;
    this.isReady = true;
    this.value = line.value;
    this.on = this.bands * Math.sqrt(spread.variance) < this.channel * ranges.value ? 1 : 0;
  }
}

/** 1 while the close is above the mean of the previous bars' mids, −1 while it is below. */
export class TtmTrend extends BarKernel {
  average: Sma;

  constructor(period: number) {
    super();
    this.average = new Sma(period);
  }

  override step(bar: Candle): void {
    const { average } = this;
    if (average.isReady) {
      this.isReady = true;
      this.value = bar.close > average.value ? 1 : -1;
    }
    average.step((bar.high + bar.low) / 2);
  }
}

/** Fisher transform of where the mid of the bar lies between the extremes; the signal is the previous value. */
export class Fisher extends BarKernel {
  highest: Extreme;
  lowest: Extreme;
  place = 0;
  fisher = 0;
  signal = Number.NaN;

  constructor(period: number) {
    super();
    this.highest = new Extreme(period, 1);
    this.lowest = new Extreme(period, -1);
  }

  override step(bar: Candle): void {
    const { highest, lowest } = this;
    const middle = (bar.high + bar.low) / 2;
    highest.push(middle);
    lowest.push(middle);
    if (!highest.isFull) return;
    const range = highest.value - lowest.value;
    const raw = range === 0 ? 0 : (middle - lowest.value) / range - 0.5;
    this.place = Math.max(-0.999, Math.min(0.999, 0.66 * raw + 0.67 * this.place));
    this.isReady = true;
    this.signal = this.fisher;
    this.fisher = 0.5 * Math.log((1 + this.place) / (1 - this.place)) + 0.5 * this.fisher;
    this.value = this.fisher;
  }
}

/** Mean of the RSI, the RSI of the length of the run, and the rank of the change. */
export class ConnorsRsi extends ValueKernel {
  rsi: Rsi;
  streakRsi: Rsi;
  rank: Percentrank;
  last = Number.NaN;
  streak = 0;

  constructor(period: number, streak: number, rank: number) {
    super();
    this.rsi = new Rsi(period);
    this.streakRsi = new Rsi(streak);
    this.rank = new Percentrank(rank);
  }

  override step(x: number): void {
    const { last } = this;
    this.last = x;
    this.rsi.step(x);
    if (x > last) this.streak = Math.max(0, this.streak) + 1;
    else if (x < last) this.streak = Math.min(0, this.streak) - 1;
    else this.streak = 0;
    this.streakRsi.step(this.streak);
    if (last !== last) return;
    this.rank.step(last === 0 ? 0 : x / last - 1);
    if (!this.rsi.isReady || !this.streakRsi.isReady || !this.rank.isReady) return;
    this.isReady = true;
    this.value = (this.rsi.value + this.streakRsi.value + this.rank.value) / 3;
  }
}

/** Root of the mean squared fall from the highest value, in percent. */
export class Ulcer extends ValueKernel {
  highest: Extreme;
  squares: RollingSum;
  period: number;

  constructor(period: number) {
    super();
    this.period = period;
    this.highest = new Extreme(period, 1);
    this.squares = new RollingSum(period);
  }

  override step(x: number): void {
    this.highest.push(x);
    if (!this.highest.isFull) return;
    const top = this.highest.value;
    this.squares.push(top === 0 ? 0 : (100 * (x / top - 1)) ** 2);
    if (!this.squares.isFull) return;
    this.isReady = true;
    this.value = Math.sqrt(this.squares.sum / this.period);
  }
}
