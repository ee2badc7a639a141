/** Bars of the past from recorded trades, for strategies that need some before they start. */
import { TimerQueue } from '../../base/timer-queue.ts';
import { type Bar, type BarBuilder, MutableBar } from '../../engine/market/bar.ts';
import { Bars } from '../../engine/market/bars.ts';
import type { BarRow } from '../../engine/market/series.ts';
import { builderOf, type BarsWanted } from '../../engine/strategy/bar-feed.ts';
import type { TapeStream } from '../../tape/stream.ts';

export interface BarHistory {
  readonly instrument: number;
  readonly timeframe: string;
  /** Oldest first. The last one may not be over at `until`. */
  readonly rows: readonly BarRow[];
  /** Every trade before this time is in them. */
  readonly until: number;
}

/** Periods that are read beyond the wanted ones: flat bars need a price before the first of them. */
const SPARE_BARS = 10;
const SPARE_MS = 3_600_000;

/** The bars of trades before `until`. `streams` are fresh cursors on the instruments' grids; they are read and closed. */
export function barHistory(streams: readonly TapeStream[], wanted: readonly BarsWanted[], until: number): BarHistory[] {
  const collectors = wanted.map((one) => new Collector(one, until));
  for (const stream of streams) {
    const own = collectors.filter(({ wanted: { instrument } }) => instrument.symbol === stream.symbol && instrument.product === 'futures');
    if (stream.kind === 'trades' && own.length > 0) feed(stream, own, until);
    stream.close();
  }
  return collectors.map((collector) => collector.end());
}

function feed(stream: TapeStream, collectors: readonly Collector[], until: number): void {
  const since = Math.min(...collectors.map((one) => one.since));
  while (stream.next()) {
    const { time, price, size, length } = stream;
    if (time[0]! >= until) return;
    if (time[length - 1]! < since) continue;
    for (let r = 0; r < length && time[r]! < until; r++) {
      if (time[r]! < since) continue;
      for (const one of collectors) one.builder.trade(price[r]!, size[r]!, time[r]!);
    }
  }
}

class Collector {
  readonly wanted: BarsWanted;
  readonly builder: BarBuilder;
  readonly since: number;
  readonly #timerQueue = new TimerQueue();
  readonly #until: number;
  readonly #rows: BarRow[] = [];

  constructor(wanted: BarsWanted, until: number) {
    this.wanted = wanted;
    this.#until = until;
    const { instrument, timeframe, isFilling, count } = wanted;
    const { rule, size } = timeframe;
    this.since = rule === 'time' && isFilling ? until - (count + SPARE_BARS) * size - SPARE_MS : -Infinity;
    // Heikin-Ashi bars are computed where they are used, from the plain ones.
    const plain = { ...timeframe, isHeikinAshi: false };
    this.builder = builderOf(instrument, plain, isFilling, { graceMs: 0, timerQueue: this.#timerQueue, isPushed: true }, this);
  }

  bar({ done }: BarBuilder): void {
    this.#add(done);
    if (this.#rows.length > 4 * this.wanted.count + 16) this.#rows.splice(0, 2 * this.wanted.count);
  }

  #add({ start, open, high, low, close, volume }: Bar): void {
    this.#rows.push([start, open, high, low, close, volume]);
  }

  end(): BarHistory {
    for (let id = this.#timerQueue.take(this.#until); id >= 0; id = this.#timerQueue.take(this.#until)) {
      this.#timerQueue.run(id, this.#until);
    }
    const open = new MutableBar(this.wanted.timeframe.name);
    if (this.builder instanceof Bars && this.builder.copyOpen(open)) this.#add(open);
    const rows = this.#rows.slice(-this.wanted.count - 1);
    return { instrument: this.wanted.instrument.index, timeframe: this.wanted.timeframe.name, rows, until: this.#until };
  }
}
