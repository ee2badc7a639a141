/**
 * Bars that end by what was traded: a number of trades, base coin, quote coin, or a price range. A trade is never split: the one that fills a
 * bar belongs to it whole. @hot
 */
import { AssertionError } from '../../base/failure/assert.ts';
import { type Instrument, priceOf, sizeOf } from '../../domain/instrument.ts';
import type { Timeframe } from '../../domain/time/timeframe.ts';
import { type BarBuilder, type BarSink, MutableBar } from './bar.ts';

export class ActivityBars implements BarBuilder {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly done: MutableBar;
  readonly late = 0;
  readonly #sink: BarSink;
  #left: number;
  #open = 0;
  #high = 0;
  #low = 0;
  #lots = 0;
  #count = 0;
  #start = 0;
  #hasGap = false;

  constructor(instrument: Instrument, timeframe: Timeframe, sink: BarSink) {
    this.instrument = instrument;
    this.timeframe = timeframe;
    this.#sink = sink;
    this.#left = timeframe.size;
    this.done = new MutableBar(timeframe.name);
  }

  trade(price: number, lots: number, venueTime: number): void {
    if (this.#count++ === 0) {
      this.#open = price;
      this.#high = price;
      this.#low = price;
      this.#lots = 0;
      this.#start = venueTime;
      this.#left = this.timeframe.size;
    }
    if (price > this.#high) this.#high = price;
    if (price < this.#low) this.#low = price;
    this.#lots += lots;
    if (this.#isFull(price, lots)) this.#complete(price, venueTime);
  }

  shorter(): void {
    throw new AssertionError('a trade may end these bars: they take each alone');
  }

  endBy(): void {}

  gap(): void {
    this.#hasGap = true;
  }

  caughtUp(): void {
    // These bars do not depend on the clock.
  }

  #isFull(price: number, lots: number): boolean {
    const { instrument, timeframe } = this;
    switch (timeframe.rule) {
      case 'tick':
        this.#left -= 1;
        return this.#left <= 0;
      case 'volume':
        return sizeOf(this.#lots, instrument) >= timeframe.size;
      case 'value':
        this.#left -= priceOf(price, instrument) * sizeOf(lots, instrument);
        return this.#left <= 0;
      default:
        return priceOf(this.#high - this.#low, instrument) >= timeframe.size;
    }
  }

  #complete(price: number, venueTime: number): void {
    const { done, instrument } = this;
    done.start = this.#start;
    done.end = venueTime;
    done.open = priceOf(this.#open, instrument);
    done.high = priceOf(this.#high, instrument);
    done.low = priceOf(this.#low, instrument);
    done.close = priceOf(price, instrument);
    done.volume = sizeOf(this.#lots, instrument);
    done.count = this.#count;
    done.hasGap = this.#hasGap;
    this.#count = 0;
    this.#hasGap = false;
    this.#sink.bar(this);
  }
}

/**
 * Renko bricks of a fixed height. The first brick begins at the first price. A brick follows when the price is a height beyond the last
 * brick's end, on either side, so a turn takes two heights from the close. One trade may complete several; the first of them has the volume.
 */
export class RenkoBars implements BarBuilder {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly done: MutableBar;
  readonly late = 0;
  readonly #sink: BarSink;
  /** Edges of the last brick, in quote coin; NaN before the first trade. */
  #top = Number.NaN;
  #bottom = Number.NaN;
  #lots = 0;
  #count = 0;
  #start = 0;
  #hasGap = false;

  constructor(instrument: Instrument, timeframe: Timeframe, sink: BarSink) {
    this.instrument = instrument;
    this.timeframe = timeframe;
    this.#sink = sink;
    this.done = new MutableBar(timeframe.name);
  }

  trade(ticks: number, lots: number, venueTime: number): void {
    const price = priceOf(ticks, this.instrument);
    if (Number.isNaN(this.#top)) this.#top = this.#bottom = price;
    if (this.#count++ === 0) this.#start = venueTime;
    this.#lots += lots;
    const height = this.timeframe.size;
    while (price >= this.#top + height) {
      this.#bottom = this.#top;
      this.#top += height;
      this.#brick(this.#bottom, this.#top, venueTime);
    }
    while (price <= this.#bottom - height) {
      this.#top = this.#bottom;
      this.#bottom -= height;
      this.#brick(this.#top, this.#bottom, venueTime);
    }
  }

  shorter(): void {
    throw new AssertionError('a trade may end these bars: they take each alone');
  }

  endBy(): void {}

  gap(): void {
    this.#hasGap = true;
  }

  caughtUp(): void {
    // These bars do not depend on the clock.
  }

  #brick(open: number, close: number, venueTime: number): void {
    const done = this.done;
    done.start = this.#count > 0 ? this.#start : venueTime;
    done.end = venueTime;
    done.open = open;
    done.high = Math.max(open, close);
    done.low = Math.min(open, close);
    done.close = close;
    done.volume = sizeOf(this.#lots, this.instrument);
    done.count = this.#count;
    done.hasGap = this.#hasGap;
    done.isFlat = this.#count === 0;
    this.#lots = 0;
    this.#count = 0;
    this.#hasGap = false;
    this.#sink.bar(this);
  }
}
