/**
 * Price levels: pivots of sessions, volume by price.
 * @hot
 */
import { BarKernel, type Candle } from '../../core/inputs.ts';
import { Ring } from '../../core/rolling.ts';

export type PivotKind = 'classic' | 'fibonacci' | 'camarilla' | 'woodie';

/** Levels from high, low and close of the session before. */
export class Pivots extends BarKernel {
  readonly kind: PivotKind;
  sessionMs: number;
  session = Number.NaN;
  high = 0;
  low = 0;
  close = 0;
  r1 = Number.NaN;
  r2 = Number.NaN;
  r3 = Number.NaN;
  s1 = Number.NaN;
  s2 = Number.NaN;
  s3 = Number.NaN;

  constructor(kind: PivotKind, sessionMs: number) {
    super();
    this.kind = kind;
    this.sessionMs = sessionMs;
  }

  override step(bar: Candle): void {
    const session = Math.floor(bar.start! / this.sessionMs);
    if (session === this.session) {
      this.high = Math.max(this.high, bar.high);
      this.low = Math.min(this.low, bar.low);
    } else {
      if (this.session === this.session) this.set(this.high, this.low, this.close);
      this.session = session;
      this.high = bar.high;
      this.low = bar.low;
    }
    this.close = bar.close;
  }

  set(high: number, low: number, close: number): void {
    const range = high - low;
    const pivot = this.kind === 'woodie' ? (high + low + 2 * close) / 4 : (high + low + close) / 3;
    this.isReady = true;
    this.value = pivot;
    if (this.kind === 'fibonacci') this.around(pivot, 0.382 * range, 0.618 * range, range);
    else if (this.kind === 'camarilla') this.around(close, (1.1 * range) / 12, (1.1 * range) / 6, (1.1 * range) / 4);
    else {
      this.r1 = 2 * pivot - low;
      this.s1 = 2 * pivot - high;
      this.r2 = pivot + range;
      this.s2 = pivot - range;
      this.r3 = high + 2 * (pivot - low);
      this.s3 = low - 2 * (high - pivot);
    }
  }

  around(middle: number, first: number, second: number, third: number): void {
    this.r1 = middle + first;
    this.r2 = middle + second;
    this.r3 = middle + third;
    this.s1 = middle - first;
    this.s2 = middle - second;
    this.s3 = middle - third;
  }
}

/** Volume by price over the last bars: where most of it is, and the range around it that holds 70 %. One pass over the window. */
export class VolumeProfile extends BarKernel {
  prices: Ring;
  volumes: Ring;
  bins: Float64Array;
  high = Number.NaN;
  low = Number.NaN;

  constructor(period: number, bins: number) {
    super();
    this.prices = new Ring(period);
    this.volumes = new Ring(period);
    this.bins = new Float64Array(bins);
  }

  override step(bar: Candle): void {
    const { prices, volumes, bins } = this;
    // Three times the typical price: whole numbers stay whole.
    prices.push(bar.high + bar.low + bar.close);
    volumes.push(bar.volume!);
    if (!prices.isFull) return;
    let lowest = Infinity;
    let highest = -Infinity;
    let total = 0;
    for (let i = 0; i < prices.values.length; i++) {
      lowest = Math.min(lowest, prices.values[i]!);
      highest = Math.max(highest, prices.values[i]!);
      total += volumes.values[i]!;
    }
    const range = highest - lowest;
    bins.fill(0);
    for (let i = 0; i < prices.values.length; i++) {
      const bin = range === 0 ? 0 : Math.min(bins.length - 1, Math.floor(((prices.values[i]! - lowest) * bins.length) / range));
      bins[bin]! += volumes.values[i]!;
    }
    let best = 0;
    for (let i = 1; i < bins.length; i++) if (bins[i]! > bins[best]!) best = i;
    let from = best;
    let to = best;
    let held = bins[best]!;
    while (held < 0.7 * total && (from > 0 || to < bins.length - 1)) {
      const below = from > 0 ? bins[from - 1]! : -1;
      const above = to < bins.length - 1 ? bins[to + 1]! : -1;
      if (above >= below) held += bins[++to]!;
      else held += bins[--from]!;
    }
    this.isReady = true;
    const width = range / bins.length;
    this.value = (lowest + (best + 0.5) * width) / 3;
    this.high = (lowest + (to + 1) * width) / 3;
    this.low = (lowest + from * width) / 3;
  }
}
