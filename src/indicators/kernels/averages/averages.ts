/**
 * Moving averages.
 * @hot
 */
import { BarKernel, ValueKernel, type Candle } from '../../core/inputs.ts';
import { Ring, RollingSum } from '../../core/rolling.ts';

/** Mean of the last values. */
export class Sma extends ValueKernel {
  window: RollingSum;
  period: number;

  constructor(period: number) {
    super();
    this.period = period;
    this.window = new RollingSum(period);
  }

  override step(x: number): void {
    this.window.push(x);
    if (!this.window.isFull) return;
    this.isReady = true;
    this.value = this.window.sum / this.period;
  }
}

/** value + alpha · (x − value), seeded by the mean of the first `period` values. */
export class Ema extends ValueKernel {
  period: number;
  alpha: number;
  count = 0;
  sum = 0;

  constructor(period: number, alpha: number = 2 / (period + 1)) {
    super();
    this.period = period;
    this.alpha = alpha;
  }

  override step(x: number): void {
    if (this.isReady) {
      this.value += this.alpha * (x - this.value);
      return;
    }
    this.sum += x;
    if (++this.count < this.period) return;
    this.isReady = true;
    this.value = this.sum / this.period;
  }
}

/** Wilder's average: (value · (period − 1) + x) ÷ period, seeded by the mean. */
export class Rma extends ValueKernel {
  period: number;
  count = 0;
  sum = 0;

  constructor(period: number) {
    super();
    this.period = period;
  }

  override step(x: number): void {
    if (this.isReady) {
      this.value = (this.value * (this.period - 1) + x) / this.period;
      return;
    }
    this.sum += x;
    if (++this.count < this.period) return;
    this.isReady = true;
    this.value = this.sum / this.period;
  }
}

/** Linearly weighted: the newest value counts `period` times, the oldest once. */
export class Wma extends ValueKernel {
  ring: Ring;
  period: number;
  sum = 0;
  weighted = 0;

  constructor(period: number) {
    super();
    this.period = period;
    this.ring = new Ring(period);
  }

  override step(x: number): void {
    const { ring, period } = this;
    const old = ring.push(x);
    if (!ring.isFull) return;
    if (!this.isReady || ring.at === 0) {
      this.sum = 0;
      this.weighted = 0;
      for (let back = 0; back < period; back++) {
        this.sum += ring.get(back);
        this.weighted += (period - back) * ring.get(back);
      }
    } else {
      this.weighted += period * x - this.sum;
      this.sum += x - old;
    }
    this.isReady = true;
    this.value = this.weighted / ((period * (period + 1)) / 2);
  }
}

/** A cascade of exponential averages, each of the one before. */
export class EmaChain extends ValueKernel {
  stages: Ema[];

  constructor(period: number, count: number) {
    super();
    this.stages = Array.from({ length: count }, () => new Ema(period));
  }

  override step(x: number): void {
    const { stages } = this;
    let next = x;
    for (let i = 0; i < stages.length; i++) {
      const stage = stages[i]!;
      stage.step(next);
      if (!stage.isReady) return;
      next = stage.value;
    }
    this.isReady = true;
    this.value = next;
  }
}

/** 2 · e1 − e2. */
export class Dema extends ValueKernel {
  chain: EmaChain;

  constructor(period: number) {
    super();
    this.chain = new EmaChain(period, 2);
  }

  override step(x: number): void {
    const { chain } = this;
    chain.step(x);
    if (!chain.isReady) return;
    this.isReady = true;
    this.value = 2 * chain.stages[0]!.value - chain.value;
  }
}

/** 3 · e1 − 3 · e2 + e3. */
export class Tema extends ValueKernel {
  chain: EmaChain;

  constructor(period: number) {
    super();
    this.chain = new EmaChain(period, 3);
  }

  override step(x: number): void {
    const { chain } = this;
    chain.step(x);
    if (!chain.isReady) return;
    this.isReady = true;
    this.value = chain.value + 3 * (chain.stages[0]!.value - chain.stages[1]!.value);
  }
}

/** Tillson's T3: six exponential averages, weighted by the volume factor. */
export class T3 extends ValueKernel {
  chain: EmaChain;
  factor: number;

  constructor(period: number, factor: number) {
    super();
    this.chain = new EmaChain(period, 6);
    this.factor = factor;
  }

  override step(x: number): void {
    const { chain, factor: v } = this;
    chain.step(x);
    if (!chain.isReady) return;
    const { stages } = chain;
    this.isReady = true;
    const c1 = -(v ** 3);
    const c2 = 3 * (v ** 2 - c1);
    const c3 = -6 * v ** 2 - 3 * (v - c1);
    const c4 = 1 + 3 * v - c1 + 3 * v ** 2;
    this.value = c1 * stages[5]!.value + c2 * stages[4]!.value + c3 * stages[3]!.value + c4 * stages[2]!.value;
  }
}

/** A simple average of a simple average: weights rise to the middle and fall again. */
export class Trima extends ValueKernel {
  first: Sma;
  second: Sma;

  constructor(period: number) {
    super();
    this.first = new Sma(Math.floor(period / 2) + 1 - (period % 2 === 0 ? 1 : 0));
    this.second = new Sma(Math.floor(period / 2) + 1);
  }

  override step(x: number): void {
    this.first.step(x);
    if (!this.first.isReady) return;
    this.second.step(this.first.value);
    this.isReady = this.second.isReady;
    this.value = this.second.value;
  }
}

/** Hull's average: wma(2 · wma(n ÷ 2) − wma(n), √n). */
export class Hma extends ValueKernel {
  half: Wma;
  whole: Wma;
  smooth: Wma;

  constructor(period: number) {
    super();
    this.half = new Wma(Math.max(1, Math.floor(period / 2)));
    this.whole = new Wma(period);
    this.smooth = new Wma(Math.max(1, Math.floor(Math.sqrt(period))));
  }

  override step(x: number): void {
    this.half.step(x);
    this.whole.step(x);
    if (!this.whole.isReady) return;
    this.smooth.step(2 * this.half.value - this.whole.value);
    this.isReady = this.smooth.isReady;
    this.value = this.smooth.value;
  }
}

/** Exponential average of 2 · x − x of half a period ago. */
export class Zlema extends ValueKernel {
  ring: Ring;
  average: Ema;

  constructor(period: number) {
    super();
    this.ring = new Ring(Math.floor((period - 1) / 2) + 1);
    this.average = new Ema(period);
  }

  override step(x: number): void {
    this.ring.push(x);
    if (!this.ring.isFull) return;
    this.average.step(2 * x - this.ring.oldest);
    this.isReady = this.average.isReady;
    this.value = this.average.value;
  }
}

/** The value itself. */
export class Identity extends ValueKernel {
  override step(x: number): void {
    this.isReady = true;
    this.value = x;
  }
}

/** Closes weighted by volume. */
export class Vwma extends BarKernel {
  traded: RollingSum;
  volume: RollingSum;

  constructor(period: number) {
    super();
    this.traded = new RollingSum(period);
    this.volume = new RollingSum(period);
  }

  override step(bar: Candle): void {
    this.traded.push(bar.close * bar.volume!);
    this.volume.push(bar.volume!);
    if (!this.volume.isFull) return;
    this.isReady = true;
    this.value = this.traded.sum / this.volume.sum;
  }
}
