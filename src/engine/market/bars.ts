/**
 * Time bars from trades: a bar covers [k · period, (k + 1) · period) of venue time. It is complete with the first trade of a later bar, or
 * at its end plus a grace time. That time is by our clock, corrected if the venue's clock is far off. A period without a trade has a flat
 * bar, or none if `isFilling` is off. With it, a first bar whose beginning is unknown is left out.
 * @hot
 */
import type { TimerQueue, Timer } from '../../base/time/timer-queue.ts';
import { type Instrument, priceOf, sizeOf } from '../../domain/instrument.ts';
import { periodStart, type Timeframe } from '../../domain/time/timeframe.ts';
import { type BarBuilder, type BarSink, type ClosedBar, MutableBar } from './bar.ts';
import { joined, pastBar, type PastBar } from './past-bar.ts';
import { VenueOffset } from './venue-offset.ts';

export interface BarsOptions {
  /** Infinity if bars end by `endBy` alone. */
  readonly graceMs: number;
  readonly timerQueue: TimerQueue;
  readonly sink: BarSink;
  /** Default: the clocks agree. */
  readonly offset?: VenueOffset | undefined;
  /** True if a period without a trade gets a flat bar. Default false. */
  readonly isFilling?: boolean | undefined;
  /** True if every trade arrives at its own time, so that silence means that there was none. Default false. */
  readonly isRealTime?: boolean | undefined;
  /** True if a bar with trades also waits until all trades up to its end were read: they are read rarely. Default false. */
  readonly isPatient?: boolean | undefined;
}

export class Bars implements BarBuilder, Timer {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly done: MutableBar;
  late = 0;
  readonly #periodMs: number;
  readonly #sink: BarSink;
  readonly #timerQueue: TimerQueue;
  readonly #graceMs: number;
  readonly #offset: VenueOffset;
  readonly #isFilling: boolean;
  readonly #isPatient: boolean;
  readonly #id: number;
  #start = -Infinity;
  #end = -Infinity;
  /** The same by our clock. */
  #endsAt = -Infinity;
  /** True between the begin of a bar and its end. */
  #isOpen = false;
  #open = 0;
  #high = 0;
  #low = 0;
  #close = 0;
  #lots = 0;
  #count = 0;
  #hasGap = false;
  /** Venue time since which every trade is known; Infinity if the current bar may have begun before it. */
  #knownSince = Infinity;
  /** The first bar, if it was left out. */
  #leftOut: PastBar | null = null;
  /** By our clock: when all trades were known. */
  #caughtUpAt = -Infinity;

  constructor(instrument: Instrument, timeframe: Timeframe, options: BarsOptions) {
    this.instrument = instrument;
    this.timeframe = timeframe;
    this.#periodMs = timeframe.size;
    this.#graceMs = options.graceMs;
    this.#timerQueue = options.timerQueue;
    this.#sink = options.sink;
    this.#offset = options.offset ?? new VenueOffset();
    this.#isFilling = options.isFilling ?? false;
    this.#isPatient = options.isPatient ?? false;
    if (options.isRealTime ?? false) this.#caughtUpAt = Infinity;
    this.#id = this.#timerQueue.add(this);
    this.done = new MutableBar(timeframe.name);
  }

  /** A trade before the current bar counts as late and is ignored. */
  trade(price: number, lots: number, venueTime: number): void {
    if (venueTime >= this.#end) {
      while (this.#isOpen && venueTime >= this.#end) this.#complete();
      if (!this.#isOpen) this.#openBar(this.#startOf(venueTime), venueTime);
    } else if (venueTime < this.#start) {
      this.late++;
      return;
    }
    if (this.#count++ === 0) {
      this.#open = price;
      this.#high = price;
      this.#low = price;
      this.#lots = 0;
    }
    if (price > this.#high) this.#high = price;
    if (price < this.#low) this.#low = price;
    this.#close = price;
    this.#lots += lots;
  }

  shorter(bar: ClosedBar): void {
    this.trade(bar.open, bar.volume, bar.start);
    if (bar.high > this.#high) this.#high = bar.high;
    if (bar.low < this.#low) this.#low = bar.low;
    this.#close = bar.close;
  }

  /**
   * Completes a bar of this length, of which nothing is known yet, at its end. False if it is none, or if the one before it was not
   * completed: then nothing has changed. Only if bars end by `endBy` alone.
   */
  whole({ start, open, high, low, close, volume }: ClosedBar, end: number): boolean {
    if (this.#count > 0 || this.#hasGap || end - start !== this.#periodMs) return false;
    if (this.#isFilling ? start !== this.#start || start < this.#knownSince : start !== this.#end || this.#isOpen) return false;
    const { done, instrument } = this;
    done.start = start;
    done.end = end;
    done.open = priceOf(open, instrument);
    done.high = priceOf(high, instrument);
    done.low = priceOf(low, instrument);
    done.close = priceOf(close, instrument);
    done.volume = sizeOf(volume, instrument);
    done.count = 1;
    done.hasGap = false;
    done.isFlat = false;
    this.#close = close;
    this.#start = end;
    this.#end = this.#isFilling ? end + this.#periodMs : end;
    this.#sink.bar(this);
    return true;
  }

  /** Start of the bar in which the known trades begin; Infinity before the first trade. */
  get firstStart(): number {
    return this.#leftOut?.start ?? (this.#isOpen ? this.#start : Infinity);
  }

  /**
   * Completes the bar in which the known trades begin by its earlier part, null if that had no trade. Returns the bar if it is over, else
   * null: it will come.
   */
  join(earlier: PastBar | null): PastBar | null {
    const leftOut = this.#leftOut;
    if (leftOut !== null) return earlier === null ? leftOut : joined(earlier, leftOut);
    this.#knownSince = this.#start;
    if (earlier === null || this.#count === 0) return null;
    this.#open = earlier.open;
    if (earlier.high > this.#high) this.#high = earlier.high;
    if (earlier.low < this.#low) this.#low = earlier.low;
    this.#lots += earlier.lots;
    return null;
  }

  /**
   * Continues history that ends at `until`, before the first trade. `last` is its last bar, in ticks and lots, which may have begun before
   * `until` and not be over yet.
   */
  resume(until: number, last: PastBar): void {
    if (this.#isOpen || !this.#isFilling) return;
    this.#knownSince = last.start;
    this.#close = last.close;
    const isOver = last.start + this.#periodMs <= until;
    this.#openBar(isOver ? periodStart(until, this.#periodMs) : last.start, until);
    if (isOver) return;
    this.#open = last.open;
    this.#high = last.high;
    this.#low = last.low;
    this.#lots = last.lots;
    this.#count = last.lots > 0 ? 1 : 0;
  }

  /** Copies the bar that is not over yet. False if it has no trade, or if its beginning is unknown. */
  copyOpen(to: MutableBar): boolean {
    if (!this.#isOpen || this.#count === 0 || this.#start < this.#knownSince) return false;
    to.start = this.#start;
    to.open = priceOf(this.#open, this.instrument);
    to.high = priceOf(this.#high, this.instrument);
    to.low = priceOf(this.#low, this.instrument);
    to.close = priceOf(this.#close, this.instrument);
    to.volume = sizeOf(this.#lots, this.instrument);
    return true;
  }

  endBy(time: number): void {
    while (this.#isOpen && time >= this.#end) this.#complete();
  }

  gap(): void {
    this.#hasGap = true;
  }

  end(): void {
    this.#isOpen = false;
    this.#timerQueue.clear(this.#id);
  }

  caughtUp(now: number): void {
    if (now > this.#caughtUpAt) this.#caughtUpAt = now;
  }

  /** True if all bars that end by `time` are complete, and trades up to then were read. */
  isKnownTo(time: number): boolean {
    return this.#caughtUpAt >= time && (!this.#isOpen || this.#end > time);
  }

  /** The bar is over. Without a trade, and with trades not read since, it waits: there may have been some. */
  due(now: number): void {
    if (!this.#isOpen || now < this.#endsAt) return;
    if ((this.#count === 0 || this.#isPatient) && this.#caughtUpAt < this.#endsAt) {
      this.#timerQueue.set(this.#id, now + Math.max(this.#graceMs, 1));
    } else {
      this.#complete();
    }
  }

  /** Start of the bar in which a trade lies: mostly the one after the last. */
  #startOf(venueTime: number): number {
    const next = this.#end;
    return venueTime >= next && venueTime < next + this.#periodMs ? next : periodStart(venueTime, this.#periodMs);
  }

  #openBar(start: number, venueTime: number): void {
    this.#isOpen = true;
    this.#start = start;
    this.#end = start + this.#periodMs;
    if (this.#graceMs === Infinity) return;
    this.#endsAt = this.#end + this.#offset.toOurs(venueTime);
    this.#timerQueue.set(this.#id, this.#endsAt + this.#graceMs);
  }

  #complete(): void {
    const { done, instrument } = this;
    const isFlat = this.#count === 0;
    done.start = this.#start;
    done.end = this.#end;
    done.close = priceOf(this.#close, instrument);
    done.open = isFlat ? done.close : priceOf(this.#open, instrument);
    done.high = isFlat ? done.close : priceOf(this.#high, instrument);
    done.low = isFlat ? done.close : priceOf(this.#low, instrument);
    done.volume = isFlat ? 0 : sizeOf(this.#lots, instrument);
    done.count = this.#count;
    done.hasGap = this.#hasGap;
    done.isFlat = isFlat;
    this.#count = 0;
    this.#hasGap = false;
    const isWhole = !this.#isFilling || done.start >= this.#knownSince;
    if (!isWhole) this.#leftOut = pastBar(this.#start, this.#open, this.#high, this.#low, this.#close, this.#lots);
    if (this.#isFilling) {
      this.#knownSince = Math.min(this.#knownSince, this.#end);
      this.#openBar(this.#end, this.#end);
    } else {
      // Trades of this bar that arrive later count as late.
      this.#start = this.#end;
      this.#isOpen = false;
      if (this.#graceMs < Infinity) this.#timerQueue.clear(this.#id);
    }
    if (isWhole) this.#sink.bar(this);
  }
}
