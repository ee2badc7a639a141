/**
 * Momentum of one price: strength of rises and falls, rates of change, oscillators of averages.
 * @hot
 */
import { ValueKernel } from '../../core/inputs.ts';
import { Ring, RollingSum } from '../../core/rolling.ts';
import { averageOf, FastSlow, type AverageName } from '../averages/average-of.ts';
import { Ema, EmaChain, Sma, Wma } from '../averages/averages.ts';
import { Change } from './strength.ts';

/** The value of `period` ago, for the rates of change below. */
class Lagged extends ValueKernel {
  ring: Ring;

  constructor(period: number) {
    super();
    this.ring = new Ring(period);
  }

  override step(x: number): void {
    if (!this.ring.isFull) {
      this.ring.push(x);
      return;
    }
    this.isReady = true;
    this.value = this.rate(x, this.ring.push(x));
  }

  rate(x: number, before: number): number {
    return x - before;
  }
}

export class Mom extends Lagged {}

export class Roc extends Lagged {
  override rate(x: number, before: number): number {
    return before === 0 ? 0 : (x / before - 1) * 100;
  }
}

export class Rocp extends Lagged {
  override rate(x: number, before: number): number {
    return before === 0 ? 0 : (x - before) / before;
  }
}

export class Rocr extends Lagged {
  override rate(x: number, before: number): number {
    return before === 0 ? 0 : x / before;
  }
}

export class Rocr100 extends Lagged {
  override rate(x: number, before: number): number {
    return before === 0 ? 0 : (x / before) * 100;
  }
}

/** Distance of two averages, its own average and what is between them. */
export class Macd extends ValueKernel {
  pair: FastSlow;
  average: ValueKernel;
  signal = Number.NaN;
  histogram = Number.NaN;

  constructor(
    fast: number,
    slow: number,
    signal: number,
    pair = FastSlow.aligned('ema', fast, 'ema', slow),
    average: ValueKernel = new Ema(signal),
  ) {
    super();
    this.pair = pair;
    this.average = average;
  }

  override step(x: number): void {
    const { pair, average } = this;
    pair.step(x);
    if (!pair.isReady) return;
    average.step(pair.value);
    if (!average.isReady) return;
    this.isReady = true;
    this.value = pair.value;
    this.signal = average.value;
    this.histogram = pair.value - average.value;
  }
}

export class Macdext extends Macd {
  constructor(fast: number, fastAverage: AverageName, slow: number, slowAverage: AverageName, signal: number, signalAverage: AverageName) {
    super(fast, slow, signal, FastSlow.aligned(fastAverage, fast, slowAverage, slow), averageOf(signalAverage, signal));
  }
}

/** MACD of 12 and 26 with the rounded factors 0.15 and 0.075. */
export class Macdfix extends Macd {
  constructor(signal: number) {
    super(12, 26, signal, new FastSlow(new Ema(12, 0.15), 11, new Ema(26, 0.075), 25));
  }
}

export class Apo extends ValueKernel {
  pair: FastSlow;

  constructor(fast: number, slow: number, average: AverageName) {
    super();
    this.pair = FastSlow.of(average, fast, slow);
  }

  override step(x: number): void {
    this.pair.step(x);
    this.isReady = this.pair.isReady;
    this.value = this.pair.value;
  }
}

export class Ppo extends ValueKernel {
  pair: FastSlow;

  constructor(fast: number, slow: number, average: AverageName) {
    super();
    this.pair = FastSlow.of(average, fast, slow);
  }

  override step(x: number): void {
    this.pair.step(x);
    this.isReady = this.pair.isReady;
    const slow = this.pair.slow.value;
    this.value = slow === 0 ? 0 : (100 * this.pair.value) / slow;
  }
}

/** Rate of change of a threefold exponential average. */
export class Trix extends ValueKernel {
  chain: EmaChain;
  rate = new Roc(1);

  constructor(period: number) {
    super();
    this.chain = new EmaChain(period, 3);
  }

  override step(x: number): void {
    this.chain.step(x);
    if (!this.chain.isReady) return;
    this.rate.step(this.chain.value);
    this.isReady = this.rate.isReady;
    this.value = this.rate.value;
  }
}

export class Coppock extends ValueKernel {
  first: Roc;
  second: Roc;
  average: Wma;

  constructor(average: number, first: number, second: number) {
    super();
    this.first = new Roc(first);
    this.second = new Roc(second);
    this.average = new Wma(average);
  }

  override step(x: number): void {
    this.first.step(x);
    this.second.step(x);
    if (!this.first.isReady || !this.second.isReady) return;
    this.average.step(this.first.value + this.second.value);
    this.isReady = this.average.isReady;
    this.value = this.average.value;
  }
}

/** Four smoothed rates of change, the longer with more weight. */
export class Kst extends ValueKernel {
  changes: Roc[];
  averages: Sma[];
  average: Sma;
  signal = Number.NaN;

  constructor(
    first: number,
    second: number,
    third: number,
    fourth: number,
    average1: number,
    average2: number,
    average3: number,
    average4: number,
    signal: number,
  ) {
    super();
    this.changes = [first, second, third, fourth].map((period) => new Roc(period));
    this.averages = [average1, average2, average3, average4].map((period) => new Sma(period));
    this.average = new Sma(signal);
  }

  override step(x: number): void {
    const { changes, averages, average } = this;
    let sum = 0;
    let isReady = true;
    for (let k = 0; k < changes.length; k++) {
      const change = changes[k]!;
      const smooth = averages[k]!;
      change.step(x);
      if (change.isReady) smooth.step(change.value);
      isReady = isReady && smooth.isReady;
      sum += (k + 1) * smooth.value;
    }
    if (!isReady) return;
    average.step(sum);
    if (!average.isReady) return;
    this.isReady = true;
    this.value = sum;
    this.signal = average.value;
  }
}

/** Price of half a period and one ago, less the average. */
export class Dpo extends ValueKernel {
  ring: Ring;
  average: Sma;

  constructor(period: number) {
    super();
    this.ring = new Ring(Math.floor(period / 2) + 2);
    this.average = new Sma(period);
  }

  override step(x: number): void {
    this.ring.push(x);
    this.average.step(x);
    if (!this.average.isReady || !this.ring.isFull) return;
    this.isReady = true;
    this.value = this.ring.oldest - this.average.value;
  }
}

/** Distance covered as a share of the path. */
export class Er extends ValueKernel {
  ring: Ring;
  change = new Change();
  path: RollingSum;

  constructor(period: number) {
    super();
    this.ring = new Ring(period);
    this.path = new RollingSum(period);
  }

  override step(x: number): void {
    const isFull = this.ring.isFull;
    const old = this.ring.push(x);
    if (this.change.push(x)) this.path.push(Math.abs(this.change.value));
    if (!isFull) return;
    this.isReady = true;
    this.value = this.path.sum === 0 ? 0 : Math.abs(x - old) / this.path.sum;
  }
}
