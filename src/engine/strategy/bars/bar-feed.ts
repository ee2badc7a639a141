/** The bars of one instrument and timeframe, with the strategies that want them. */
import { assert } from '../../../base/failure/assert.ts';
import type { TimerQueue } from '../../../base/time/timer-queue.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { Timeframe } from '../../../domain/time/timeframe.ts';
import { ActivityBars, RenkoBars } from '../../market/activity-bars.ts';
import { type Bar, type BarBuilder, type BarSink, MutableBar } from '../../market/bar.ts';
import { Bars } from '../../market/bars.ts';
import { HeikinAshi } from '../../market/heikin-ashi.ts';
import { fromRow, toRow } from '../../market/past-bar.ts';
import { type BarRow, type BarSeries, Series } from '../../market/series.ts';
import type { VenueOffset } from '../../market/venue-offset.ts';
import type { Drawn } from '../context/drawing.ts';
import type { StrategyRunner } from '../runner/strategy-runner.ts';
import type { BarFed, Tracked } from '../definition/tracked.ts';
import type { Market } from '../../intents/market-types.ts';

export interface BarDeps {
  readonly graceMs: number;
  readonly timerQueue: TimerQueue;
  readonly offset?: VenueOffset | undefined;
  readonly isRealTime: boolean;
  /** As in `BarsOptions`. */
  readonly isPatient?: boolean | undefined;
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
  readonly runners: StrategyRunner[] = [];
  /** Largest number of past bars that a strategy wants. */
  readonly count: number;
  hasHistory = false;
  /** True if it is built whether a strategy trades the instrument or not, for a universe. */
  isKept = false;
  readonly #sink: FeedSink;
  #indicators: readonly FedIndicator[] = [];

  constructor(instrument: Instrument, timeframe: Timeframe, isFilling: boolean, count: number, deps: BarDeps, sink: FeedSink) {
    this.instrument = instrument;
    this.timeframe = timeframe;
    this.isFilling = isFilling;
    this.#sink = sink;
    this.series = new Series(timeframe.name, Math.max(1, count));
    this.count = count;
    this.builder = builderOf(instrument, timeframe, isFilling, deps, this);
  }

  bar({ done }: BarBuilder): void {
    this.series.push(done);
    for (let k = 0; k < this.#indicators.length; k++) this.#indicators[k]!.update(done);
    this.#sink.completed(this);
  }

  /** Feeds an indicator of `runner` from now on, beginning with the bars that exist. */
  track(runner: StrategyRunner, market: Market, tracked: Tracked): void {
    const one = new FedIndicator(runner, market, tracked, this);
    one.begin(this.series);
    assert(
      this.runners.includes(runner) || runner.isWarming,
      'an indicator is of a strategy with these bars',
      this.timeframe.name,
      'strategy',
      runner.name,
    );
    this.#indicators = [...this.#indicators, one];
  }

  /** Feeds no indicator of `runner` any more. */
  untrack(runner: StrategyRunner): void {
    this.#indicators = this.#indicators.filter((one) => one.runner !== runner);
  }

  /** Takes plain bars of the past, once and oldest first. Everything before `until` is in them; the last one may not be over yet. */
  history(rows: readonly BarRow[], until: number): void {
    if (this.hasHistory) return;
    this.hasHistory = true;
    const { builder } = this;
    const timed = builder instanceof HeikinAshi ? builder.inner : builder;
    const past = timed instanceof Bars ? this.#continued(timed, rows, until) : rows;
    if (builder instanceof HeikinAshi) this.series.replace(builder.past(past));
    else this.series.prepend(past);
    for (const one of this.#indicators) one.begin(this.series);
  }

  /** The past bars that are complete. `bars` continues where they end. */
  #continued(bars: Bars, rows: readonly BarRow[], until: number): readonly BarRow[] {
    const { instrument, timeframe, isFilling } = this;
    const last = rows.at(-1);
    if (last === undefined) return rows;
    const isOver = last[0] + timeframe.size <= until;
    const past = isOver ? [...rows] : rows.slice(0, -1);
    if (!isFilling) return past;
    const first = bars.firstStart;
    if (first === Infinity) {
      bars.resume(until, fromRow(last, instrument));
      return past;
    }
    const isSame = last[0] === first;
    if (!isSame && !isOver) past.push(last);
    for (let start = last[0] + timeframe.size; start < first; start += timeframe.size)
      past.push([start, last[4], last[4], last[4], last[4], 0]);
    const whole = bars.join(isSame ? fromRow(last, instrument) : null);
    if (whole !== null) past.push(toRow(whole, instrument));
    return past;
  }
}

/** The indicator of one strategy and market. */
class FedIndicator {
  readonly runner: StrategyRunner;
  readonly #market: Market;
  readonly #tracked: Tracked;
  readonly #timeframe: string;
  readonly #instrument: number;
  readonly #bar: MutableBar;
  #indicator: BarFed | null = null;
  #drawn: Drawn | null = null;

  constructor(runner: StrategyRunner, market: Market, tracked: Tracked, feed: Pick<BarFeed, 'timeframe' | 'instrument'>) {
    this.runner = runner;
    this.#market = market;
    this.#tracked = tracked;
    this.#timeframe = feed.timeframe.name;
    this.#instrument = feed.instrument.index;
    this.#bar = new MutableBar(this.#timeframe);
  }

  /** Begins again with these bars. */
  begin({ length, time, open, high, low, close, volume }: BarSeries): void {
    const indicator = this.#tracked.begin(this.#market);
    this.#indicator = indicator;
    this.#drawn = this.runner.drawing.indicator(indicator, this.#tracked, this.#timeframe, this.#instrument);
    const bar = this.#bar;
    for (let i = 0; i < length; i++) {
      bar.start = time[i]!;
      bar.open = open[i]!;
      bar.high = high[i]!;
      bar.low = low[i]!;
      bar.close = close[i]!;
      bar.volume = volume[i]!;
      indicator.update(bar);
    }
  }

  update(bar: Bar): void {
    const value = this.#indicator!.update(bar);
    this.#drawn?.draw(bar.end, value);
  }
}

/** Bars of the past that a strategy needs to start. */
export interface BarsWanted {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly isFilling: boolean;
  readonly count: number;
}

export function barsWanted(feeds: readonly BarsWanted[]): BarsWanted[] {
  return feeds
    .filter(({ count }) => count > 0)
    .map(({ instrument, timeframe, isFilling, count }) => ({ instrument, timeframe, isFilling, count }));
}

/** What builds the bars of a timeframe. @throws RangeError if the instrument has no such bars */
export function builderOf(instrument: Instrument, timeframe: Timeframe, isFilling: boolean, deps: BarDeps, sink: BarSink): BarBuilder {
  if (timeframe.isHeikinAshi) {
    const plain = { ...timeframe, isHeikinAshi: false };
    return new HeikinAshi(timeframe, sink, (inner) => builderOf(instrument, plain, isFilling, deps, inner));
  }
  switch (timeframe.rule) {
    case 'time':
      return new Bars(instrument, timeframe, { ...deps, sink, isFilling });
    case 'renko':
      return new RenkoBars(instrument, timeframe, sink);
    default:
      return new ActivityBars(instrument, timeframe, sink);
  }
}
