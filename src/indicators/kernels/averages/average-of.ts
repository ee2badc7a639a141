/** Averages by name, for indicators that let the user choose one, and the difference of a fast and a slow average. */
import { ValueKernel } from '../../core/inputs.ts';
import { Kama, Mama } from './adaptive.ts';
import { Dema, Ema, Hma, Identity, Rma, Sma, T3, Tema, Trima, Wma, Zlema } from './averages.ts';

export const AVERAGES = ['sma', 'ema', 'wma', 'dema', 'tema', 'trima', 'kama', 'mama', 't3', 'hma', 'none', 'zlema', 'rma'] as const;
export type AverageName = (typeof AVERAGES)[number];

/** The average of this name. Of period 1 it is the value itself, except for "mama". */
export function averageOf(name: AverageName, period: number): ValueKernel {
  if (period === 1 && name !== 'mama') return new Identity();
  switch (name) {
    case 'sma':
      return new Sma(period);
    case 'ema':
      return new Ema(period);
    case 'wma':
      return new Wma(period);
    case 'dema':
      return new Dema(period);
    case 'tema':
      return new Tema(period);
    case 'trima':
      return new Trima(period);
    case 'kama':
      return new Kama(period);
    case 'mama':
      return new Mama(0.5, 0.05);
    case 't3':
      return new T3(period, 0.7);
    case 'hma':
      return new Hma(period);
    case 'none':
      return new Identity();
    case 'zlema':
      return new Zlema(period);
    case 'rma':
      return new Rma(period);
  }
}

/** Values that the average takes before its first result. */
export function averageLookback(name: AverageName, period: number): number {
  if (name === 'none' || (period === 1 && name !== 'mama')) return 0;
  if (name === 'mama') return 32;
  if (name === 'kama') return period;
  const stages = { dema: 2, tema: 3, t3: 6 };
  if (name === 'dema' || name === 'tema' || name === 't3') return stages[name] * (period - 1);
  if (name === 'hma') return period - 1 + Math.max(1, Math.floor(Math.sqrt(period))) - 1;
  if (name === 'zlema') return Math.floor((period - 1) / 2) + period - 1;
  return period - 1;
}

/** The difference of a fast and a slow average. The one with the smaller lookback begins later, so that both give their first results together. */
export class FastSlow extends ValueKernel {
  fast: ValueKernel;
  slow: ValueKernel;
  fastSkip: number;
  slowSkip: number;
  count = 0;

  constructor(fast: ValueKernel, fastLookback: number, slow: ValueKernel, slowLookback: number) {
    super();
    this.fast = fast;
    this.slow = slow;
    const longest = Math.max(fastLookback, slowLookback);
    this.fastSkip = longest - fastLookback;
    this.slowSkip = longest - slowLookback;
  }

  /** Two averages of one kind. The shorter one is the fast one, whatever the order. Both begin with the first value. */
  static of(name: AverageName, first: number, second: number): FastSlow {
    return new FastSlow(averageOf(name, Math.min(first, second)), 0, averageOf(name, Math.max(first, second)), 0);
  }

  /** Two averages of different kinds, which give their first results together. */
  static aligned(firstName: AverageName, first: number, secondName: AverageName, second: number): FastSlow {
    if (first > second) return FastSlow.aligned(secondName, second, firstName, first);
    const [fastLookback, slowLookback] = [averageLookback(firstName, first), averageLookback(secondName, second)];
    return new FastSlow(averageOf(firstName, first), fastLookback, averageOf(secondName, second), slowLookback);
  }

  override step(x: number): void {
    if (this.count >= this.fastSkip) this.fast.step(x);
    if (this.count >= this.slowSkip) this.slow.step(x);
    this.count++;
    if (!this.fast.isReady || !this.slow.isReady) return;
    this.isReady = true;
    this.value = this.fast.value - this.slow.value;
  }
}

/** An average of a chosen kind. */
export class Ma extends ValueKernel {
  average: ValueKernel;

  constructor(period: number, average: AverageName) {
    super();
    this.average = averageOf(average, period);
  }

  override step(x: number): void {
    this.average.step(x);
    this.isReady = this.average.isReady;
    this.value = this.average.value;
  }
}
