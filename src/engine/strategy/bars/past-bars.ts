/** Builds bars of the past from trades: of a recording, or read from the venue. */
import { TimerQueue } from '../../../base/time/timer-queue.ts';
import { periodStart } from '../../../domain/time/timeframe.ts';
import { type ClosedBar, type BarBuilder, type BarSink, MutableBar } from '../../market/bar.ts';
import { Bars } from '../../market/bars.ts';
import { type BarRow, rowOf } from '../../market/series.ts';
import { builderOf, type BarsWanted } from './bar-feed.ts';

export class PastBars implements BarSink {
  readonly wanted: BarsWanted;
  /** Trades from here on are needed: the wanted bars begin here. −Infinity if it cannot be known. */
  readonly since: number;
  readonly #builder: BarBuilder;
  readonly #timerQueue = new TimerQueue();
  readonly #until: number;
  readonly #rows: BarRow[] = [];

  /** Bars of trades before `until`. */
  constructor(wanted: BarsWanted, until: number) {
    this.wanted = wanted;
    this.#until = until;
    const { instrument, timeframe, isFilling, count } = wanted;
    this.since = timeframe.rule === 'time' && isFilling ? periodStart(until, timeframe.size) - count * timeframe.size : -Infinity;
    // Heikin-Ashi bars are computed where they are used, from the plain ones.
    const plain = { ...timeframe, isHeikinAshi: false };
    this.#builder = builderOf(instrument, plain, isFilling, { graceMs: 0, timerQueue: this.#timerQueue, isRealTime: true }, this);
  }

  /** Adds a trade in ticks and lots. Trades must be in order. */
  trade(price: number, lots: number, venueTime: number): void {
    this.#builder.trade(price, lots, venueTime);
  }

  /** Adds a bar of the same length or a shorter one. */
  shorter(bar: ClosedBar): void {
    if (bar.volume > 0 || bar.high > bar.low) this.#builder.shorter(bar);
  }

  bar({ done }: BarBuilder): void {
    this.#rows.push(rowOf(done));
    if (this.#rows.length > 4 * this.wanted.count + 16) this.#rows.splice(0, 2 * this.wanted.count);
  }

  /** The newest of the wanted bars, oldest first. The last one may not be over at `until`. */
  rows(): BarRow[] {
    for (let id = this.#timerQueue.take(this.#until); id >= 0; id = this.#timerQueue.take(this.#until)) {
      this.#timerQueue.run(id, this.#until);
    }
    const open = new MutableBar(this.wanted.timeframe.name);
    if (this.#builder instanceof Bars && this.#builder.copyOpen(open)) this.#rows.push(rowOf(open));
    return this.#rows.slice(-this.wanted.count - 1);
  }
}
