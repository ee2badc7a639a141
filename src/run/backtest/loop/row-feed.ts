/**
 * Shows rows of the tape to the simulator, then to the bot: with its next poll, or at once under `--every-tick`. Before a row, everything
 * that is due earlier happens. Rows that affect no order go in bulk. @hot
 */
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import { QuietBand, quietQuotes, type RowTaker } from '../../../engine/strategy/rows.ts';
import type { MarketWatch } from '../../../report/market/market-watch.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { MarketState } from '../../../sim/state/market-state.ts';
import type { TapeMerge } from '../../../tape/merge.ts';
import type { DueEvents } from './due-events.ts';
import type { Track } from './tracks.ts';
import type { VirtualClock } from '../venue/virtual-clock.ts';

export interface RowFeedDeps {
  readonly sim: VenueSim;
  readonly kernel: Kernel;
  readonly clock: VirtualClock;
  readonly seesRows: boolean;
  /** The copy of the row loop to use; by default the kernel's own. */
  readonly Taker?: typeof RowTaker | undefined;
  /** Sees the rows after fills; absent if nobody wants to know. */
  readonly watch?: MarketWatch | undefined;
}

/** What sees the rows after fills. */
export type RowWatch = Pick<MarketWatch, 'isActive' | 'rows' | 'settle' | 'between'>;

const NO_WATCH: RowWatch = { isActive: false, rows: () => undefined, settle: () => undefined, between: () => undefined };

export class RowFeed {
  /** One track per stream. */
  declare private readonly tracks: readonly Track[];
  declare private readonly due: DueEvents;
  declare private readonly sim: VenueSim;
  declare private readonly kernel: Kernel;
  declare private readonly inbox: KernelInbox;
  declare private readonly clock: VirtualClock;
  declare private readonly taker: RowTaker;
  declare private readonly seesRows: boolean;
  declare readonly watch: RowWatch;
  readonly #quietBand = new QuietBand();

  constructor(deps: RowFeedDeps, tracks: readonly Track[], due: DueEvents) {
    this.tracks = tracks;
    this.due = due;
    this.sim = deps.sim;
    this.kernel = deps.kernel;
    this.inbox = deps.kernel.inbox;
    this.clock = deps.clock;
    this.seesRows = deps.seesRows;
    this.watch = deps.watch ?? NO_WATCH;
    this.taker = deps.kernel.rowTaker(deps.clock, deps.Taker);
  }

  /** Takes the rows of one stream that come before those of the others. */
  take({ stream, from, to }: TapeMerge): void {
    const track = this.tracks[stream.index]!;
    if (to - from === 1 && track.isBulk) this.#row(track, from);
    else if (track.isTrades) this.#trades(track, from, to);
    else this.#quotes(track, from, to);
    if (this.watch.isActive && track.isWatched) this.show(track, from, to);
  }

  /** Takes the rows of two streams in turn. A separate function, because V8 compiles it sooner than a loop that is entered once. */
  takeBoth({ first, second }: TapeMerge): void {
    let run = first;
    let other = second;
    let track = this.tracks[run.index]!;
    let rival = this.tracks[other.index] ?? track;
    for (;;) {
      const from = run.to;
      const to = run.take(other);
      const isLast = run.isLast(other);
      if (track.isBulk && to - from === 1) this.#row(track, from);
      else if (track.isTrades) this.#trades(track, from, to);
      else this.#quotes(track, from, to);
      if (this.watch.isActive && track.isWatched) this.show(track, from, to);
      if (isLast) return;
      const nextRun = other;
      other = run;
      run = nextRun;
      const nextTrack = rival;
      rival = track;
      track = nextTrack;
    }
  }

  /** Shows taken rows to the watch. */
  show({ stream, line, isTrades }: Track, from: number, to: number): void {
    const { time, price, bid, ask, length } = stream;
    this.watch.rows(line.index, time, isTrades ? price : bid, isTrades ? price : ask, from, to);
    if (to === length) this.watch.settle(line.index);
  }

  /** Takes rows of trades. Under every-tick they go in bulk while they affect no order and nothing else is due. */
  #trades(track: Track, from: number, to: number): void {
    if (!track.isBulk) return this.#tradesByOne(track, from, to);
    const { stream, line, subscribers } = track;
    const sim = this.sim;
    const { time, price } = stream;
    const quietBand = this.#quietBand;
    for (let r = from; r < to;) {
      if (this.due.next() <= time[r]!) this.due.runBefore(time[r]!);
      quietBand.set(line.watchLow, line.watchHigh, this.due.next());
      const isQuiet = price[r]! > quietBand.low && price[r]! < quietBand.high;
      const next = isQuiet ? this.kernel.takeTrades(this.taker, subscribers, stream, r, to, quietBand) : r;
      if (next === r) {
        this.#row(track, r++);
        continue;
      }
      r = next;
      sim.passed(line.index, price[r - 1]!);
    }
  }

  /** The same for quotes. */
  #quotes(track: Track, from: number, to: number): void {
    if (!track.isBulk) return this.#quotesByOne(track, from, to);
    const { stream, line, subscribers } = track;
    const sim = this.sim;
    const { time, bid, bidSize, ask, askSize } = stream;
    const quietBand = this.#quietBand;
    for (let r = from; r < to;) {
      if (this.due.next() <= time[r]!) this.due.runBefore(time[r]!);
      quietBand.set(line.watchLow, line.watchHigh, this.due.next());
      const isQuiet = !line.isDepleted && bid[r]! > quietBand.low && ask[r]! < quietBand.high;
      const next = isQuiet ? this.kernel.takeQuotes(this.taker, subscribers, stream, r, to, quietBand) : r;
      if (next === r) {
        this.#row(track, r++);
        continue;
      }
      r = next;
      sim.quote(line.index, bid[r - 1]!, bidSize[r - 1]!, ask[r - 1]!, askSize[r - 1]!, time[r - 1]!);
    }
  }

  /** Takes a single row: one that affects an order, or one between rows of another stream. */
  #row(track: Track, r: number): void {
    const { stream, line, isTrades } = track;
    const now = stream.time[r]!;
    if (isTrades) this.trade(line, stream.price[r]!, stream.size[r]!, stream.side[r]!, now);
    else this.quote(line, stream.bid[r]!, stream.bidSize[r]!, stream.ask[r]!, stream.askSize[r]!, now);
  }

  /** Takes a trade that the bot sees. */
  trade(line: MarketState, price: number, size: number, side: number, now: number): void {
    if (this.due.next() <= now) this.due.runBefore(now);
    this.clock.time = now;
    // Ids are needed only where trades are polled, and then no row comes here.
    this.sim.trade(line.index, price, size, side, now, 0);
    this.inbox.onTrade(line.index, price, size, side);
  }

  /** Takes a quote that the bot sees. */
  quote(line: MarketState, bid: number, bidSize: number, ask: number, askSize: number, now: number): void {
    if (this.due.next() <= now) this.due.runBefore(now);
    this.clock.time = now;
    this.sim.quote(line.index, bid, bidSize, ask, askSize, now);
    this.inbox.onQuote(line.index, bid, bidSize, ask, askSize);
  }

  /** Takes trades row by row, for polls and mirrors: the simulator gets a row on all instruments before the bot. */
  #tradesByOne({ stream, line, mirrors }: Track, from: number, to: number): void {
    const sim = this.sim;
    const inbox = this.inbox;
    const seesRows = this.seesRows;
    const { time, id, price, size, side } = stream;
    for (let r = from; r < to; r++) {
      const now = time[r]!;
      const no = id.length > 0 ? id[r]! : 0;
      if (this.due.next() <= now) this.due.runBefore(now);
      this.clock.time = now;
      sim.trade(line.index, price[r]!, size[r]!, side[r]!, now, no);
      for (let k = 0; k < mirrors.length; k++) {
        const m = mirrors[k]!;
        sim.trade(m.instrument, price[r]! * m.priceRatio, size[r]! * m.sizeRatio, side[r]!, now, no);
      }
      if (!seesRows) continue;
      inbox.onTrade(line.index, price[r]!, size[r]!, side[r]!);
      this.due.deliver(now);
      for (let k = 0; k < mirrors.length; k++) {
        const m = mirrors[k]!;
        inbox.onTrade(m.instrument, price[r]! * m.priceRatio, size[r]! * m.sizeRatio, side[r]!);
        this.due.deliver(now);
      }
    }
  }

  /** The same for quotes. Of quotes that affect nothing, the simulator needs only the last. */
  #quotesByOne({ stream, line, mirrors }: Track, from: number, to: number): void {
    const sim = this.sim;
    const inbox = this.inbox;
    const seesRows = this.seesRows;
    const { time, bid, bidSize, ask, askSize } = stream;
    const quietBand = this.#quietBand;
    for (let r = from; r < to; r++) {
      if (this.due.next() <= time[r]!) this.due.runBefore(time[r]!);
      quietBand.set(line.watchLow, line.watchHigh, this.due.next());
      if (mirrors.length === 0 && !line.isDepleted) r = Math.max(r, quietQuotes(stream, r, to, quietBand) - 1);
      const now = time[r]!;
      this.clock.time = now;
      sim.quote(line.index, bid[r]!, bidSize[r]!, ask[r]!, askSize[r]!, now);
      for (let k = 0; k < mirrors.length; k++) {
        const { instrument: other, priceRatio, sizeRatio } = mirrors[k]!;
        sim.quote(other, bid[r]! * priceRatio, bidSize[r]! * sizeRatio, ask[r]! * priceRatio, askSize[r]! * sizeRatio, now);
      }
      if (!seesRows) continue;
      inbox.onQuote(line.index, bid[r]!, bidSize[r]!, ask[r]!, askSize[r]!);
      this.due.deliver(now);
      for (let k = 0; k < mirrors.length; k++) {
        const { instrument: other, priceRatio, sizeRatio } = mirrors[k]!;
        inbox.onQuote(other, bid[r]! * priceRatio, bidSize[r]! * sizeRatio, ask[r]! * priceRatio, askSize[r]! * sizeRatio);
        this.due.deliver(now);
      }
    }
  }
}
