/**
 * Rises against falls.
 * @hot
 */
import { ValueKernel } from '../../core/inputs.ts';
import { Part } from '../../core/part.ts';
import { Moments, RollingSum } from '../../core/rolling.ts';
import { Ema, Rma } from '../averages/averages.ts';

/** Differences to the value before. */
export class Change extends Part {
  last = Number.NaN;
  value = 0;

  /** False for the first value. */
  push(x: number): boolean {
    this.value = x - this.last;
    const isFirst = this.last !== this.last;
    this.last = x;
    return !isFirst;
  }
}

/** Wilder's averages of rises and falls. */
class GainLoss extends ValueKernel {
  change = new Change();
  gain: Rma;
  loss: Rma;

  constructor(period: number) {
    super();
    this.gain = new Rma(period);
    this.loss = new Rma(period);
  }

  override step(x: number): void {
    if (!this.change.push(x)) return;
    const change = this.change.value;
    this.gain.step(change > 0 ? change : 0);
    this.loss.step(change < 0 ? -change : 0);
    this.isReady = this.gain.isReady;
  }

  /** True if the share of the rises is another one than before: without a change both averages shrink by the same factor. */
  get isMoved(): boolean {
    return this.isReady && (this.change.value !== 0 || this.value !== this.value);
  }
}

export class Rsi extends GainLoss {
  override step(x: number): void {
    super.step(x);
    if (!this.isMoved) return;
    const sum = this.gain.value + this.loss.value;
    this.value = sum === 0 ? 0 : (100 * this.gain.value) / sum;
  }
}

export class Cmo extends GainLoss {
  override step(x: number): void {
    super.step(x);
    if (!this.isMoved) return;
    const sum = this.gain.value + this.loss.value;
    this.value = sum === 0 ? 0 : (100 * (this.gain.value - this.loss.value)) / sum;
  }
}

/** As Cmo, with plain sums of the last values. */
export class Cmou extends ValueKernel {
  change = new Change();
  gain: RollingSum;
  loss: RollingSum;

  constructor(period: number) {
    super();
    this.gain = new RollingSum(period);
    this.loss = new RollingSum(period);
  }

  override step(x: number): void {
    if (!this.change.push(x)) return;
    const change = this.change.value;
    this.gain.push(change > 0 ? change : 0);
    this.loss.push(change < 0 ? -change : 0);
    if (!this.gain.isFull) return;
    const sum = this.gain.sum + this.loss.sum;
    this.isReady = true;
    this.value = sum === 0 ? 0 : (100 * (this.gain.sum - this.loss.sum)) / sum;
  }
}

/** True strength: twice smoothed change over twice smoothed size of change. */
export class Tsi extends ValueKernel {
  change = new Change();
  first: Ema;
  second: Ema;
  firstSize: Ema;
  secondSize: Ema;

  constructor(first: number, second: number) {
    super();
    this.first = new Ema(first);
    this.second = new Ema(second);
    this.firstSize = new Ema(first);
    this.secondSize = new Ema(second);
  }

  override step(x: number): void {
    if (!this.change.push(x)) return;
    this.first.step(this.change.value);
    this.firstSize.step(Math.abs(this.change.value));
    if (!this.first.isReady) return;
    this.second.step(this.first.value);
    this.secondSize.step(this.firstSize.value);
    if (!this.second.isReady) return;
    this.isReady = true;
    this.value = this.secondSize.value === 0 ? 0 : (100 * this.second.value) / this.secondSize.value;
  }
}

/** Relative volatility: the strength of RSI, measured on standard deviations. */
export class Rvi extends ValueKernel {
  change = new Change();
  spread: Moments;
  up: Rma;
  down: Rma;

  constructor(period: number, deviation: number) {
    super();
    this.spread = new Moments(deviation);
    this.up = new Rma(period);
    this.down = new Rma(period);
  }

  override step(x: number): void {
    this.change.push(x);
    this.spread.push(x);
    if (!this.spread.isFull) return;
    const deviation = Math.sqrt(this.spread.variance);
    this.up.step(this.change.value > 0 ? deviation : 0);
    this.down.step(this.change.value < 0 ? deviation : 0);
    if (!this.up.isReady) return;
    const sum = this.up.value + this.down.value;
    this.isReady = true;
    this.value = sum === 0 ? 0 : (100 * this.up.value) / sum;
  }
}
