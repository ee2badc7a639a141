/** The bars of one instrument and timeframe, with the strategies that want them. */
import type { TimerQueue } from '../../base/timer-queue.ts';
import { type Instrument, priceOf, sizeOf } from '../../domain/instrument.ts';
import type { Timeframe } from '../../domain/timeframe.ts';
import { ActivityBars, RenkoBars } from '../market/activity-bars.ts';
import type { BarBuilder, BarSink } from '../market/bar.ts';
import { Bars, type PastBar } from '../market/bars.ts';
import { HeikinAshi } from '../market/heikin-ashi.ts';
import { type BarRow, Series } from '../market/series.ts';
import type { VenueOffset } from '../market/venue-offset.ts';
import type { Host } from './host.ts';

export interface BarParts {
  readonly graceMs: number;
  readonly timerQueue: TimerQueue;
  readonly offset?: VenueOffset | undefined;
  readonly isPushed: boolean;
}

export interface FeedSink {
  /** A bar of the feed is complete, and in its series. */
  completed(feed: BarFeed): void;
}

export class BarFeed implements BarSink {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly isFilling: boolean;
  readonly builder: BarBuilder;
  readonly series: Series;
  /** Strategies with onBar for this timeframe. */
  readonly hosts: Host[] = [];
  /** Largest number of bars that a strategy waits for. */
  readonly count: number;
  readonly #sink: FeedSink;

  constructor(instrument: Instrument, timeframe: Timeframe, isFilling: boolean, count: number, parts: BarParts, sink: FeedSink) {
    this.instrument = instrument;
    this.timeframe = timeframe;
    this.isFilling = isFilling;
    this.#sink = sink;
    this.series = new Series(timeframe.name, Math.max(1, count));
    this.count = count;
    this.builder = builderOf(instrument, timeframe, isFilling, parts, this);
  }

  bar({ done }: BarBuilder): void {
    this.series.push(done);
    this.#sink.completed(this);
  }

  /** Takes plain bars of the past, oldest first; everything before `until` is known. The last one may not be over yet. */
  history(rows: readonly BarRow[], until: number): void {
    const last = rows.at(-1);
    const isTimed = this.timeframe.rule === 'time';
    const isOver = last === undefined || !isTimed || last[0] + this.timeframe.size <= until;
    const plain = isOver ? rows : rows.slice(0, -1);
    this.series.prepend(this.builder instanceof HeikinAshi ? this.builder.past(plain) : plain);
    const timed = this.builder instanceof HeikinAshi ? this.builder.inner : this.builder;
    if (last !== undefined && timed instanceof Bars) timed.resume(until, pastBar(last, this.instrument));
  }
}

function pastBar([start, open, high, low, close, volume]: BarRow, instrument: Instrument): PastBar {
  const ticks = (price: number): number => Math.round(price / priceOf(1, instrument));
  return {
    start,
    open: ticks(open),
    high: ticks(high),
    low: ticks(low),
    close: ticks(close),
    lots: Math.round(volume / sizeOf(1, instrument)),
  };
}

/** Bars of the past that a strategy needs to start. */
export interface BarsWanted {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly isFilling: boolean;
  readonly count: number;
}

export function barsWanted(feeds: readonly BarFeed[]): BarsWanted[] {
  return feeds
    .filter(({ count }) => count > 0)
    .map(({ instrument, timeframe, isFilling, count }) => ({ instrument, timeframe, isFilling, count }));
}

/** What builds the bars of a timeframe. @throws RangeError if the instrument has no such bars */
export function builderOf(instrument: Instrument, timeframe: Timeframe, isFilling: boolean, parts: BarParts, sink: BarSink): BarBuilder {
  if (timeframe.isHeikinAshi) {
    const plain = { ...timeframe, isHeikinAshi: false };
    return new HeikinAshi(timeframe, sink, (inner) => builderOf(instrument, plain, isFilling, parts, inner));
  }
  switch (timeframe.rule) {
    case 'time':
      return new Bars(instrument, timeframe, { ...parts, sink, isFilling });
    case 'renko':
      return new RenkoBars(instrument, timeframe, sink);
    default:
      return new ActivityBars(instrument, timeframe, sink);
  }
}
