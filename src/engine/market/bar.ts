/** A bar, and what builds bars from the trades of one instrument. */
import type { Timeframe } from '../../domain/time/timeframe.ts';
import type { Instrument } from '../../domain/instrument.ts';

/** A complete bar. */
export interface Bar {
  /** "1m", "1h", "tick:500", …: as the strategy named it, in its shortest form. */
  readonly timeframe: string;
  /**
   * Venue time in milliseconds. Of a time bar: start (inclusive) and end (exclusive), multiples of the period. Of any other: its first and
   * last trade.
   */
  readonly start: number;
  /** End of a time bar (exclusive), or time of the last trade. */
  readonly end: number;
  /** First price. */
  readonly open: number;
  /** Highest price. */
  readonly high: number;
  /** Lowest price. */
  readonly low: number;
  /** Last price. */
  readonly close: number;
  /** Base coin. */
  readonly volume: number;
  /** Number of trades. */
  readonly count: number;
  /** True if the trade feed lost trades inside the bar. */
  readonly hasGap: boolean;
  /** True if the period had no trade: all four prices are the close of the bar before. */
  readonly isFlat: boolean;
}

export class MutableBar implements Bar {
  timeframe: string;
  start = 0;
  end = 0;
  open = 0;
  high = 0;
  low = 0;
  close = 0;
  volume = 0;
  count = 0;
  hasGap = false;
  isFlat = false;

  constructor(timeframe: string) {
    this.timeframe = timeframe;
  }

  set(bar: Bar): void {
    this.timeframe = bar.timeframe;
    this.start = bar.start;
    this.end = bar.end;
    this.open = bar.open;
    this.high = bar.high;
    this.low = bar.low;
    this.close = bar.close;
    this.volume = bar.volume;
    this.count = bar.count;
    this.hasGap = bar.hasGap;
    this.isFlat = bar.isFlat;
  }
}

export interface BarSink {
  /** A bar is complete: `bars.done`, which is reused after the call. */
  bar(bars: BarBuilder): void;
}

/** Builds the bars of one instrument and one timeframe. */
export interface BarBuilder {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  /** The complete bar, valid during the call of the sink. */
  readonly done: MutableBar;
  /** Number of trades that arrived after their bar was complete; they are in no bar. */
  readonly late: number;
  /** Adds a trade in ticks and lots. Trades must be in order. */
  trade(price: number, lots: number, venueTime: number): void;
  /** Adds a bar of the same length or a shorter one that fits into it. Bars and trades must be in order. */
  shorter(bar: ClosedBar): void;
  /** Completes the bars that have ended by `time`, if it is known that no trade of them will come. */
  endBy(time: number): void;
  /** Trades were lost: marks the current bar, or the next one if there is none. */
  gap(): void;
  /** All trades up to `now`, by our clock, have been added. */
  caughtUp(now: number): void;
  /** Nobody wants the bars any more: none is completed from now on. */
  end?(): void;
}

/** Receives the bars of a backtest that end now, each with the quote at its end: ticks, and lots on both sides. */
export interface BarTaker {
  closed(instrument: number, bar: ClosedBar, bid: number, ask: number, size: number): void;
}

/** Receives the only bar that ends now. */
export interface LoneBarTaker {
  alone(bar: ClosedBar, bid: number, ask: number, size: number): void;
}

/** The bars of a backtest that end at the present time. */
export interface EndedBars {
  /** Moves clock and market to the end of the next bars. False, without moving, unless these only move prices and nothing else is due. */
  next(): boolean;
  tell(to: BarTaker): void;
  /** The only instrument with bars; −1 if there are several. */
  readonly only: number;
  /** Tells of the bar of the only instrument. */
  tellAlone(to: LoneBarTaker): void;
}

/** A bar of a backtest, in ticks and lots. */
export interface ClosedBar {
  readonly start: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}
