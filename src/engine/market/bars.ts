/**
 * Time bars out of trades: a bar covers [k · period, (k + 1) · period) of venue time. It is complete with the first trade of a later
 * bar, or when its end plus a grace has passed: on our clock, or on the venue's where ours is far off. A span without a trade has no bar. @hot
 */
import type { TimerQueue, Timer } from '../../base/timer-queue.ts';
import { type Instrument, priceOf, sizeOf } from '../../domain/instrument.ts';
import { VenueOffset } from './venue-offset.ts';

/** A complete time bar. Bars without a trade do not exist. */
export interface Bar {
  /** Start (inclusive) and end (exclusive) in venue time, multiples of the period. */
  readonly start: number;
  readonly end: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Number of trades. */
  readonly count: number;
  /** True when the trade feed lost trades inside the bar. */
  readonly hasGap: boolean;
}

export interface BarSink {
  /** The bar is complete; the object is used again after the call. */
  bar(bars: Bars): void;
}

/** The bars of one instrument at one period. */
export class Bars implements Timer {
  readonly instrument: Instrument;
  readonly periodMs: number;
  /** The complete bar, while the sink is called. */
  readonly done: MutableBar;
  /** Trades that came after their bar was complete: they belong to no bar. */
  late = 0;
  readonly #sink: BarSink;
  readonly #timerQueue: TimerQueue;
  readonly #graceMs: number;
  readonly #offset: VenueOffset;
  readonly #id: number;
  #start = -Infinity;
  #end = -Infinity;
  #open = 0;
  #high = 0;
  #low = 0;
  #close = 0;
  #lots = 0;
  #count = 0;
  #hasGap = false;

  constructor(
    instrument: Instrument,
    periodMs: number,
    graceMs: number,
    timerQueue: TimerQueue,
    sink: BarSink,
    offset = new VenueOffset(),
  ) {
    this.instrument = instrument;
    this.periodMs = periodMs;
    this.#graceMs = graceMs;
    this.#timerQueue = timerQueue;
    this.#sink = sink;
    this.#offset = offset;
    this.#id = timerQueue.add(this);
    this.done = new MutableBar(); // hot-ok: construction
  }

  /** One trade in ticks and lots. Trades come in order; one before the current bar is counted as late and left out. */
  trade(price: number, lots: number, venueTime: number): void {
    if (venueTime >= this.#end) {
      if (this.#count > 0) this.#complete();
      this.#begin(price, venueTime);
    } else if (venueTime < this.#start) {
      this.late++;
      return;
    }
    if (price > this.#high) this.#high = price;
    if (price < this.#low) this.#low = price;
    this.#close = price;
    this.#lots += lots;
    this.#count++;
  }

  /** Trades were lost: the current bar, or the next when there is none, is marked. */
  gap(): void {
    this.#hasGap = true;
  }

  due(): void {
    if (this.#count > 0) this.#complete();
  }

  #begin(price: number, venueTime: number): void {
    const start = Math.floor(venueTime / this.periodMs) * this.periodMs;
    this.#start = start;
    this.#end = start + this.periodMs;
    this.#open = price;
    this.#high = price;
    this.#low = price;
    this.#lots = 0;
    this.#timerQueue.set(this.#id, this.#end + this.#offset.toOurs(venueTime) + this.#graceMs);
  }

  #complete(): void {
    const { done, instrument } = this;
    done.start = this.#start;
    done.end = this.#end;
    done.open = priceOf(this.#open, instrument);
    done.high = priceOf(this.#high, instrument);
    done.low = priceOf(this.#low, instrument);
    done.close = priceOf(this.#close, instrument);
    done.volume = sizeOf(this.#lots, instrument);
    done.count = this.#count;
    done.hasGap = this.#hasGap;
    this.#count = 0;
    this.#hasGap = false;
    // What belongs to this bar and comes later is late.
    this.#start = this.#end;
    this.#timerQueue.clear(this.#id);
    this.#sink.bar(this);
  }
}

class MutableBar implements Bar {
  start = 0;
  end = 0;
  open = 0;
  high = 0;
  low = 0;
  close = 0;
  volume = 0;
  count = 0;
  hasGap = false;
}
