/**
 * Time bars from trades: a bar covers [k · period, (k + 1) · period) of venue time. It is complete with the first trade of a later bar, or
 * at its end plus a grace time. That time is by our clock, corrected if the venue's clock is far off. Periods without a trade have no bar.
 * @hot
 */
import type { TimerQueue, Timer } from '../../base/timer-queue.ts';
import { type Instrument, priceOf, sizeOf } from '../../domain/instrument.ts';
import { VenueOffset } from './venue-offset.ts';

/** A complete time bar. Periods without a trade have none. */
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
  /** True if the trade feed lost trades inside the bar. */
  readonly hasGap: boolean;
}

export interface BarSink {
  /** A bar is complete. The object is reused after the call. */
  bar(bars: Bars): void;
}

/** The bars of one instrument and one period. */
export class Bars implements Timer {
  readonly instrument: Instrument;
  readonly periodMs: number;
  /** The complete bar, valid during the call of the sink. */
  readonly done: MutableBar;
  /** Number of trades that arrived after their bar was complete; they are in no bar. */
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

  /** Adds a trade in ticks and lots. Trades must be in order; one before the current bar counts as late and is ignored. */
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

  /** Trades were lost: marks the current bar, or the next one if there is none. */
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
    // Trades of this bar that arrive later count as late.
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
