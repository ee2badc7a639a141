/**
 * Prices made of the prices of a bar.
 * @hot
 */
import { BarKernel, type Candle } from '../../core/inputs.ts';
import { Extreme } from '../../core/rolling.ts';

export type PriceName = 'open' | 'high' | 'low' | 'close';

/** One of the four prices, to feed another indicator. */
export class Price extends BarKernel {
  readonly field: PriceName;

  constructor(field: PriceName) {
    super();
    this.field = field;
  }

  override step(bar: Candle): void {
    this.isReady = true;
    this.value = bar[this.field];
  }
}

/** The volume of the bar, to feed another indicator. */
export class Volume extends BarKernel {
  override step(bar: Candle): void {
    this.isReady = true;
    this.value = bar.volume!;
  }
}

export class Avgprice extends BarKernel {
  override step(bar: Candle): void {
    this.isReady = true;
    this.value = (bar.open + bar.high + bar.low + bar.close) / 4;
  }
}

export class Medprice extends BarKernel {
  override step(bar: Candle): void {
    this.isReady = true;
    this.value = (bar.high + bar.low) / 2;
  }
}

export class Typprice extends BarKernel {
  override step(bar: Candle): void {
    this.isReady = true;
    this.value = (bar.high + bar.low + bar.close) / 3;
  }
}

export class Wclprice extends BarKernel {
  override step(bar: Candle): void {
    this.isReady = true;
    this.value = (bar.high + bar.low + 2 * bar.close) / 4;
  }
}

/** Middle between the highest high and the lowest low. */
export class Midprice extends BarKernel {
  highest: Extreme;
  lowest: Extreme;

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
    this.value = (this.highest.value + this.lowest.value) / 2;
  }
}

/** Heikin-Ashi bars. The first output is the open. */
export class Ha extends BarKernel {
  high = Number.NaN;
  low = Number.NaN;
  close = Number.NaN;

  override step(bar: Candle): void {
    const close = (bar.open + bar.high + bar.low + bar.close) / 4;
    this.value = this.isReady ? (this.value + this.close) / 2 : (bar.open + bar.close) / 2;
    this.close = close;
    this.high = Math.max(bar.high, this.value, close);
    this.low = Math.min(bar.low, this.value, close);
    this.isReady = true;
  }
}
