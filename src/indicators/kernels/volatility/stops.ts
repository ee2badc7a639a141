/**
 * Stops that follow the price.
 * @hot
 */
import { BarKernel, type Candle } from '../../core/inputs.ts';
import { Extreme } from '../../core/rolling.ts';
import { Atr } from './volatility.ts';

/** Wilder's parabolic stop with settings for both directions; while short its value is below zero if `isSigned`. */
export class Sarext extends BarKernel {
  startValue: number;
  offset: number;
  initLong: number;
  stepLong: number;
  maxLong: number;
  initShort: number;
  stepShort: number;
  maxShort: number;
  isSigned = true;
  isLong = true;
  count = 0;
  extreme = 0;
  stop = 0;
  speed = 0;
  high = 0;
  low = 0;

  constructor(
    startValue: number,
    offsetOnReverse: number,
    initLong: number,
    stepLong: number,
    maxLong: number,
    initShort: number,
    stepShort: number,
    maxShort: number,
  ) {
    super();
    this.startValue = startValue;
    this.offset = offsetOnReverse;
    this.initLong = Math.min(initLong, maxLong);
    this.stepLong = Math.min(stepLong, maxLong);
    this.maxLong = maxLong;
    this.initShort = Math.min(initShort, maxShort);
    this.stepShort = Math.min(stepShort, maxShort);
    this.maxShort = maxShort;
  }

  override step(bar: Candle): void {
    const { high, low } = this;
    this.high = bar.high;
    this.low = bar.low;
    this.count++;
    if (this.count === 1) return;
    if (this.count === 2) {
      this.begin(bar, high, low);
      this.follow(bar, bar.high, bar.low);
    } else {
      this.follow(bar, high, low);
    }
    this.isReady = true;
  }

  begin(bar: Candle, high: number, low: number): void {
    const down = low - bar.low;
    this.isLong = this.startValue === 0 ? !(down > 0 && down > bar.high - high) : this.startValue > 0;
    this.extreme = this.isLong ? bar.high : bar.low;
    this.stop = this.startValue !== 0 ? Math.abs(this.startValue) : this.isLong ? low : high;
    this.speed = this.isLong ? this.initLong : this.initShort;
  }

  follow(bar: Candle, previousHigh: number, previousLow: number): void {
    if (this.isLong) {
      if (bar.low <= this.stop) this.turnShort(bar, previousHigh);
      else {
        this.value = this.stop;
        if (bar.high > this.extreme) {
          this.extreme = bar.high;
          this.speed = Math.min(this.speed + this.stepLong, this.maxLong);
        }
        this.stop = Math.min(this.stop + this.speed * (this.extreme - this.stop), previousLow, bar.low);
      }
    } else if (bar.high >= this.stop) this.turnLong(bar, previousLow);
    else {
      this.value = this.isSigned ? -this.stop : this.stop;
      if (bar.low < this.extreme) {
        this.extreme = bar.low;
        this.speed = Math.min(this.speed + this.stepShort, this.maxShort);
      }
      this.stop = Math.max(this.stop + this.speed * (this.extreme - this.stop), previousHigh, bar.high);
    }
  }

  turnShort(bar: Candle, previousHigh: number): void {
    this.isLong = false;
    this.stop = Math.max(this.extreme, previousHigh, bar.high);
    if (this.offset !== 0) this.stop += this.stop * this.offset;
    this.value = this.isSigned ? -this.stop : this.stop;
    this.speed = this.initShort;
    this.extreme = bar.low;
    this.stop = Math.max(this.stop + this.speed * (this.extreme - this.stop), previousHigh, bar.high);
  }

  turnLong(bar: Candle, previousLow: number): void {
    this.isLong = true;
    this.stop = Math.min(this.extreme, previousLow, bar.low);
    if (this.offset !== 0) this.stop -= this.stop * this.offset;
    this.value = this.stop;
    this.speed = this.initLong;
    this.extreme = bar.high;
    this.stop = Math.min(this.stop + this.speed * (this.extreme - this.stop), previousLow, bar.low);
  }
}

export class Sar extends Sarext {
  constructor(acceleration: number, maximum: number) {
    super(0, 0, acceleration, acceleration, maximum, acceleration, acceleration, maximum);
    this.isSigned = false;
  }
}

/** Bands around the middle of the bar that only tighten, until the close passes one; the first trend is up. `trend` is 1 or −1. */
export class Supertrend extends BarKernel {
  atr: Atr;
  multiplier: number;
  upper = 0;
  lower = 0;
  close = 0;
  trend = Number.NaN;

  constructor(period: number, multiplier: number) {
    super();
    this.atr = new Atr(period);
    this.multiplier = multiplier;
  }

  override step(bar: Candle): void {
    const { atr, close } = this;
    atr.step(bar);
    this.close = bar.close;
    if (!atr.isReady) return;
    const middle = (bar.high + bar.low) / 2;
    const upper = middle + this.multiplier * atr.value;
    const lower = middle - this.multiplier * atr.value;
    if (!this.isReady) {
      this.isReady = true;
      this.upper = upper;
      this.lower = lower;
      this.trend = 1;
    } else {
      if (upper < this.upper || close > this.upper) this.upper = upper;
      if (lower > this.lower || close < this.lower) this.lower = lower;
      if (this.trend < 0 && bar.close > this.upper) this.trend = 1;
      else if (this.trend > 0 && bar.close < this.lower) this.trend = -1;
    }
    this.value = this.trend > 0 ? this.lower : this.upper;
  }
}

/** Highest high less a multiple of the average true range for long positions, lowest low plus it for short ones. */
export class Chandelier extends BarKernel {
  highest: Extreme;
  lowest: Extreme;
  atr: Atr;
  multiplier: number;
  short = Number.NaN;

  constructor(period: number, multiplier: number) {
    super();
    this.highest = new Extreme(period, 1);
    this.lowest = new Extreme(period, -1);
    this.atr = new Atr(period);
    this.multiplier = multiplier;
  }

  override step(bar: Candle): void {
    this.highest.push(bar.high);
    this.lowest.push(bar.low);
    this.atr.step(bar);
    if (!this.atr.isReady) return;
    this.isReady = true;
    this.value = this.highest.value - this.multiplier * this.atr.value;
    this.short = this.lowest.value + this.multiplier * this.atr.value;
  }
}
