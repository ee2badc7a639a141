/**
 * Volatility of bars: true range and bands.
 * @hot
 */
import { BarKernel, ValueKernel, type Candle } from '../../core/inputs.ts';
import { Extreme, Moments, Ring } from '../../core/rolling.ts';
import { averageOf, type AverageName } from '../averages/average-of.ts';
import { Ema, Rma, Sma } from '../averages/averages.ts';
import { TrueRange } from '../math/true-range.ts';

export class Trange extends BarKernel {
  range = new TrueRange();

  override step(bar: Candle): void {
    if (!this.range.push(bar)) return;
    this.isReady = true;
    this.value = this.range.value;
  }
}

/** Wilder's average of the true range. */
export class Atr extends BarKernel {
  range = new TrueRange();
  average: Rma;

  constructor(period: number) {
    super();
    this.average = new Rma(period);
  }

  override step(bar: Candle): void {
    if (!this.range.push(bar)) return;
    this.average.step(this.range.value);
    this.isReady = this.average.isReady;
    this.value = this.average.value;
  }
}

export class Natr extends BarKernel {
  atr: Atr;

  constructor(period: number) {
    super();
    this.atr = new Atr(period);
  }

  override step(bar: Candle): void {
    this.atr.step(bar);
    if (!this.atr.isReady) return;
    this.isReady = true;
    this.value = bar.close === 0 ? 0 : (100 * this.atr.value) / bar.close;
  }
}

/** Mean height of bars. */
export class Adr extends BarKernel {
  average: Sma;

  constructor(period: number) {
    super();
    this.average = new Sma(period);
  }

  override step(bar: Candle): void {
    this.average.step(bar.high - bar.low);
    this.isReady = this.average.isReady;
    this.value = this.average.value;
  }
}

/** Chaikin's volatility: rate of change of the average height of bars. */
export class Cvi extends BarKernel {
  average: Ema;
  ring: Ring;

  constructor(period: number, rate: number) {
    super();
    this.average = new Ema(period);
    this.ring = new Ring(rate);
  }

  override step(bar: Candle): void {
    const { average, ring } = this;
    average.step(bar.high - bar.low);
    if (!average.isReady) return;
    const isFull = ring.isFull;
    const before = ring.push(average.value);
    if (!isFull) return;
    this.isReady = true;
    this.value = before === 0 ? 0 : (100 * (average.value - before)) / before;
  }
}

/** An average and standard deviations above and below it; TA-Lib's order is upper, middle, lower. */
export class Bbands extends ValueKernel {
  spread: Moments;
  average: ValueKernel | null;
  up: number;
  down: number;
  middle = Number.NaN;
  lower = Number.NaN;

  constructor(period: number, up: number, down: number, average: AverageName) {
    super();
    this.spread = new Moments(period);
    this.average = average === 'sma' ? null : averageOf(average, period);
    this.up = up;
    this.down = down;
  }

  override step(x: number): void {
    const { spread, average } = this;
    spread.push(x);
    if (average !== null) average.step(x);
    if (!spread.isFull || (average !== null && !average.isReady)) return;
    const deviation = Math.sqrt(spread.variance);
    const middle = average === null ? spread.mean : average.value;
    this.isReady = true;
    this.value = middle + this.up * deviation;
    this.middle = middle;
    this.lower = middle - this.down * deviation;
  }
}

/** Averages of highs and lows that are moved outward with the height of the bar. */
export class Accbands extends BarKernel {
  high: Sma;
  close: Sma;
  low: Sma;
  middle = Number.NaN;
  lower = Number.NaN;

  constructor(period: number) {
    super();
    this.high = new Sma(period);
    this.close = new Sma(period);
    this.low = new Sma(period);
  }

  override step(bar: Candle): void {
    const sum = bar.high + bar.low;
    const moved = sum === 0 ? 0 : (4 * (bar.high - bar.low)) / sum;
    this.high.step(bar.high * (1 + moved));
    this.close.step(bar.close);
    this.low.step(bar.low * (1 - moved));
    if (!this.high.isReady) return;
    this.isReady = true;
    this.value = this.high.value;
    this.middle = this.close.value;
    this.lower = this.low.value;
  }
}

/** Highest high, lowest low and their middle. */
export class Donchian extends BarKernel {
  highest: Extreme;
  lowest: Extreme;
  middle = Number.NaN;
  lower = Number.NaN;

  constructor(period: number) {
    super();
    this.highest = new Extreme(period, 1);
    this.lowest = new Extreme(period, -1);
  }

  override step(bar: Candle): void {
    this.highest.push(bar.high);
    this.lowest.push(bar.low);
    if (!this.highest.isFull) return;
    this.isReady = true;
    this.value = this.highest.value;
    this.lower = this.lowest.value;
    this.middle = (this.value + this.lower) / 2;
  }
}

/** Keltner's channel: an average of typical prices and multiples of the average true range; both give their first results together. */
export class Keltner extends BarKernel {
  average: Ema;
  atr: Atr;
  multiplier: number;
  averageSkip: number;
  atrSkip: number;
  count = 0;
  middle = Number.NaN;
  lower = Number.NaN;

  constructor(period: number, atrPeriod: number, multiplier: number) {
    super();
    this.averageSkip = Math.max(0, atrPeriod - (period - 1));
    this.atrSkip = Math.max(0, period - 1 - atrPeriod);
    this.average = new Ema(period);
    this.atr = new Atr(atrPeriod);
    this.multiplier = multiplier;
  }

  override step(bar: Candle): void {
    if (this.count >= this.averageSkip) this.average.step((bar.high + bar.low + bar.close) / 3);
    if (this.count >= this.atrSkip) this.atr.step(bar);
    this.count++;
    if (!this.average.isReady || !this.atr.isReady) return;
    const width = this.multiplier * this.atr.value;
    this.isReady = true;
    this.middle = this.average.value;
    this.value = this.middle + width;
    this.lower = this.middle - width;
  }
}
