/**
 * Volume of bars.
 * @hot
 */
import { BarKernel, type Candle } from '../../core/inputs.ts';
import { Ring, RollingSum } from '../../core/rolling.ts';
import { FastSlow, type AverageName } from '../averages/average-of.ts';
import { Ema } from '../averages/averages.ts';

/** Where the close lies in the bar, from −1 at the low to 1 at the high, times volume. */
function flowOf(bar: Candle): number {
  const size = bar.high - bar.low;
  return size > 0 ? ((bar.close - bar.low - (bar.high - bar.close)) / size) * bar.volume! : 0;
}

/** Accumulation and distribution. */
export class Ad extends BarKernel {
  total = 0;

  override step(bar: Candle): void {
    this.total += flowOf(bar);
    this.isReady = true;
    this.value = this.total;
  }
}

/** Two exponential averages of it, both seeded by its first value. */
export class Adosc extends BarKernel {
  ad = new Ad();
  fastAlpha: number;
  slowAlpha: number;
  wait: number;
  fast = 0;
  slow = 0;
  count = 0;

  constructor(fast: number, slow: number) {
    super();
    this.fastAlpha = 2 / (fast + 1);
    this.slowAlpha = 2 / (slow + 1);
    this.wait = Math.max(fast, slow);
  }

  override step(bar: Candle): void {
    this.ad.step(bar);
    const x = this.ad.value;
    if (this.count++ === 0) {
      this.fast = x;
      this.slow = x;
    } else {
      this.fast = this.fastAlpha * x + (1 - this.fastAlpha) * this.fast;
      this.slow = this.slowAlpha * x + (1 - this.slowAlpha) * this.slow;
    }
    if (this.count < this.wait) return;
    this.isReady = true;
    this.value = this.fast - this.slow;
  }
}

/** Chaikin's money flow. */
export class Cmf extends BarKernel {
  flow: RollingSum;
  volume: RollingSum;

  constructor(period: number) {
    super();
    this.flow = new RollingSum(period);
    this.volume = new RollingSum(period);
  }

  override step(bar: Candle): void {
    this.flow.push(flowOf(bar));
    this.volume.push(bar.volume!);
    if (!this.volume.isFull) return;
    this.isReady = true;
    this.value = this.volume.sum === 0 ? 0 : this.flow.sum / this.volume.sum;
  }
}

/** Base of the totals that compare a close with the one before. */
abstract class Cumulative extends BarKernel {
  last = Number.NaN;
  lastVolume = 0;
  total = 0;

  abstract first(bar: Candle): number;
  abstract add(bar: Candle, last: number, lastVolume: number): number;

  override step(bar: Candle): void {
    const { last, lastVolume } = this;
    this.last = bar.close;
    this.lastVolume = bar.volume!;
    this.total = last === last ? this.total + this.add(bar, last, lastVolume) : this.first(bar);
    this.isReady = true;
    this.value = this.total;
  }
}

export class Obv extends Cumulative {
  override first(bar: Candle): number {
    return bar.volume!;
  }

  override add(bar: Candle, last: number): number {
    return bar.close > last ? bar.volume! : bar.close < last ? -bar.volume! : 0;
  }
}

export class Pvt extends Cumulative {
  override first(): number {
    return 0;
  }

  override add(bar: Candle, last: number): number {
    return last === 0 ? 0 : (bar.volume! * (bar.close - last)) / last;
  }
}

/** Compounds changes of the price on days of falling volume; begins at 1000. */
export class Nvi extends Cumulative {
  override first(): number {
    return 1000;
  }

  override add(bar: Candle, last: number, lastVolume: number): number {
    return bar.volume! < lastVolume && last !== 0 ? (this.total * (bar.close - last)) / last : 0;
  }
}

/** As Nvi, on rising volume. */
export class Pvi extends Cumulative {
  override first(): number {
    return 1000;
  }

  override add(bar: Candle, last: number, lastVolume: number): number {
    return bar.volume! > lastVolume && last !== 0 ? (this.total * (bar.close - last)) / last : 0;
  }
}

/** Williams' accumulation and distribution. */
export class Wad extends BarKernel {
  last = Number.NaN;
  total = 0;

  override step(bar: Candle): void {
    const { last } = this;
    this.last = bar.close;
    if (last === last && bar.close > last) this.total += bar.close - Math.min(last, bar.low);
    else if (last === last && bar.close < last) this.total += bar.close - Math.max(last, bar.high);
    this.isReady = true;
    this.value = this.total;
  }
}

/** Elder's force: exponential average of change times volume. */
export class Efi extends BarKernel {
  last = Number.NaN;
  average: Ema;

  constructor(period: number) {
    super();
    this.average = new Ema(period);
  }

  override step(bar: Candle): void {
    const { last } = this;
    this.last = bar.close;
    if (last !== last) return;
    this.average.step((bar.close - last) * bar.volume!);
    this.isReady = this.average.isReady;
    this.value = this.average.value;
  }
}

/** Height of the bar for each unit of volume. */
export class Marketfi extends BarKernel {
  override step(bar: Candle): void {
    this.isReady = true;
    this.value = bar.volume! === 0 ? 0 : (bar.high - bar.low) / bar.volume!;
  }
}

/** Money flow: volume times typical price, on rises against falls. */
export class Mfi extends BarKernel {
  up: RollingSum;
  down: RollingSum;
  last = Number.NaN;

  constructor(period: number) {
    super();
    this.up = new RollingSum(period);
    this.down = new RollingSum(period);
  }

  override step(bar: Candle): void {
    const { up, down, last } = this;
    const typical = (bar.high + bar.low + bar.close) / 3;
    this.last = typical;
    if (last !== last) return;
    const flow = typical * bar.volume!;
    up.push(typical > last ? flow : 0);
    down.push(typical < last ? flow : 0);
    if (!up.isFull) return;
    const sum = up.sum + down.sum;
    this.isReady = true;
    this.value = sum === 0 ? 0 : (100 * up.sum) / sum;
  }
}

/** Distance of two averages of volume, as a percentage of the slow one. */
export class Pvo extends BarKernel {
  pair: FastSlow;

  constructor(fast: number, slow: number, average: AverageName) {
    super();
    this.pair = FastSlow.of(average, fast, slow);
  }

  override step(bar: Candle): void {
    this.pair.step(bar.volume!);
    if (!this.pair.isReady) return;
    const slow = this.pair.slow.value;
    this.isReady = true;
    this.value = slow === 0 ? 0 : (100 * this.pair.value) / slow;
  }
}

/** Volume over the mean volume of the bars before. */
export class Rvol extends BarKernel {
  ring: Ring;
  sum: RollingSum;

  constructor(period: number) {
    super();
    this.ring = new Ring(period);
    this.sum = new RollingSum(period);
  }

  override step(bar: Candle): void {
    const { ring, sum } = this;
    if (sum.isFull) {
      this.isReady = true;
      this.value = bar.volume! / (sum.sum / ring.values.length);
    }
    ring.push(bar.volume!);
    sum.push(bar.volume!);
  }
}

/** Typical price weighted by volume since the first bar. */
export class Vwap extends BarKernel {
  traded = 0;
  volume = 0;

  override step(bar: Candle): void {
    this.traded += ((bar.high + bar.low + bar.close) / 3) * bar.volume!;
    this.volume += bar.volume!;
    if (this.volume === 0) return;
    this.isReady = true;
    this.value = this.traded / this.volume;
  }
}

/** The same since the start of the session, whose length divides time since 1970 (UTC). */
export class SessionVwap extends Vwap {
  sessionMs: number;
  session = Number.NaN;

  constructor(sessionMs: number) {
    super();
    this.sessionMs = sessionMs;
  }

  override step(bar: Candle): void {
    const session = Math.floor(bar.start! / this.sessionMs);
    if (session !== this.session) {
      this.session = session;
      this.traded = 0;
      this.volume = 0;
    }
    super.step(bar);
  }
}

/** The same since a moment. */
export class AnchoredVwap extends Vwap {
  anchor: number;

  constructor(anchor: number) {
    super();
    this.anchor = anchor;
  }

  override step(bar: Candle): void {
    if (bar.start! >= this.anchor) super.step(bar);
  }
}
