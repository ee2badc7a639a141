/**
 * The main loop of a backtest. It repeatedly takes whatever is next: a recorded row, work of the simulated venue, a message in flight, or a
 * timer of the bot. Rows go to the simulator first; the bot sees them by its polls, or at once under `--every-tick`. Within a millisecond
 * rows come first, then messages (under `--every-tick` after the first row), then timers. @hot
 * size: one loop with its fast paths
 */
import { NextDeadline } from '../../base/next-deadline.ts';
import type { KernelInbox } from '../../engine/inbox.ts';
import type { Kernel } from '../../engine/kernel.ts';
import type { OrderLane } from '../../engine/polling/lane.ts';
import type { PollLane } from '../../engine/polling/poll-lane.ts';
import { QuietBand, quietQuotes, type RowTaker } from '../../engine/strategy/rows.ts';
import type { EquityCurve } from '../../report/equity-curve.ts';
import type { MarketWatch } from '../../report/market-watch.ts';
import type { PeriodSeries } from '../../report/period-series.ts';
import type { SpotBook } from '../../report/spot-book.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import type { SimPort } from '../../sim/port/port.ts';
import type { TapeMerge } from '../../tape/merge.ts';
import type { Feed } from '../setup/mirror-row.ts';
import { BarJump, isOnPaths } from './bar-jump.ts';
import { tracksOf, type Track } from './tracks.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface DriveParts {
  readonly merge: TapeMerge;
  /** By stream: its instrument, and those that mirror it on another grid. */
  readonly feeds: readonly Feed[];
  readonly sim: VenueSim;
  readonly port: Pick<SimPort, 'nextDue' | 'run'>;
  readonly kernel: Kernel;
  /** The copy of the row loop to use; by default the kernel's own. */
  readonly Taker?: typeof RowTaker | undefined;
  readonly lane: OrderLane;
  /** null under `--every-tick`. */
  readonly polls: PollLane | null;
  readonly clock: VirtualClock;
  readonly everyTick: boolean;
  readonly curve: EquityCurve;
  /** Equity at the ends of days, hours, minutes or seconds; absent if nobody wants them. */
  readonly periods?: PeriodSeries | undefined;
  /** Spot profit, which is part of the equity; null or absent if no strategy trades spot. */
  readonly spot?: SpotBook | null | undefined;
  /** Milliseconds between equity samples. */
  readonly sampleMs: number;
  /** Start time of the bot; the first row if that is later. */
  readonly botFrom: number;
  /** True if every row and every look of the venue is taken alone: slower, with the same result. Default false. */
  readonly isPlain?: boolean | undefined;
  /** Sees the rows after fills; absent if nobody wants to know. */
  readonly watch?: MarketWatch | undefined;
  /** Milliseconds after the bot was stopped in which its last commands still reach the venue. Default 0. */
  readonly graceMs?: number | undefined;
  /** Called at each sample of the equity with the rows so far and the time. */
  readonly progress?: ((rows: number, now: number) => void) | undefined;
  /** Something to do once between two steps of the bot, such as to restart a strategy. */
  readonly interruption?: Interruption | undefined;
}

export interface Interruption {
  readonly at: number;
  readonly run: () => void;
}

const NO_WATCH: Pick<MarketWatch, 'isOff' | 'isActive' | 'rows' | 'end'> = {
  isOff: true,
  isActive: false,
  rows: () => undefined,
  end: () => undefined,
};

/** Under `--every-tick` no poll ever waits. */
const NO_POLLS: Pick<PollLane, 'nextDue' | 'drain'> = { nextDue: Infinity, drain: () => undefined };

export class Drive {
  rows = 0;
  /** Times of the first row and the last; −Infinity until then. */
  first = -Infinity;
  last = -Infinity;
  declare private readonly p: DriveParts;
  /** One track per stream. */
  declare private readonly tracks: readonly Track[];
  declare private readonly sim: VenueSim;
  declare private readonly port: DriveParts['port'];
  declare private readonly kernel: Kernel;
  declare private readonly inbox: KernelInbox;
  declare private readonly lane: OrderLane;
  declare private readonly polls: Pick<PollLane, 'nextDue' | 'drain'>;
  declare private readonly clock: VirtualClock;
  declare private readonly taker: RowTaker;
  declare private readonly everyTick: boolean;
  declare private readonly isPlain: boolean;
  declare private readonly watch: Pick<MarketWatch, 'isOff' | 'isActive' | 'rows' | 'end'>;
  readonly #quietBand = new QuietBand();
  /** Start equity in addition to the futures account. */
  declare private readonly spotCash: number;
  /** Next sample of the curve, and the next one of the curve or the periods. */
  #nextPoint = Infinity;
  #nextSample = Infinity;
  /** Start time of the bot; Infinity once it has started. */
  #botAt = Infinity;
  /** Time of the interruption; Infinity once it is over. */
  #interruptedAt = Infinity;
  /** Next time of venue, timers, lanes or the loop itself. Messages are the most frequent and are asked directly. */
  readonly #nextDeadline = new NextDeadline();

  constructor(parts: DriveParts) {
    this.p = parts;
    this.tracks = tracksOf(parts);
    this.sim = parts.sim;
    this.port = parts.port;
    this.kernel = parts.kernel;
    this.inbox = parts.kernel.inbox;
    this.lane = parts.lane;
    this.polls = parts.polls ?? NO_POLLS;
    this.clock = parts.clock;
    this.everyTick = parts.everyTick;
    this.watch = parts.watch ?? NO_WATCH;
    this.spotCash = parts.curve.start - parts.sim.equity(0);
    this.taker = parts.kernel.rowTaker(parts.clock, parts.Taker);
    this.sim.nextDeadline = this.#nextDeadline;
    this.kernel.nextDeadline = this.#nextDeadline;
    this.lane.nextDeadline = this.#nextDeadline;
    if (parts.polls !== null) parts.polls.nextDeadline = this.#nextDeadline;
    this.isPlain = parts.isPlain === true;
    // The way within a bar is made up, and jumps over bars show no rows.
    if (isOnPaths(this.tracks)) this.watch.isOff = true;
  }

  /** Runs the tape to its end. Messages due after the last row do not arrive. The kernel must not be started yet. */
  run(): void {
    const { merge } = this.p;
    if (!this.isPlain && isOnPaths(this.tracks)) this.#takePaths(merge);
    else if (merge.stretch()) {
      this.#begin(merge.first.stream.time[merge.first.to]!);
      do this.#take(merge);
      while (merge.stretch());
      // The clock has the time of the last row.
      this.last = this.clock.time;
      this.#finish();
    }
    this.rows = merge.rows;
  }

  /** Takes rows of bars: those that matter in turn, the others many at a time. */
  #takePaths(merge: TapeMerge): void {
    if (!merge.next()) return;
    const { tracks, clock } = this;
    const jump = new BarJump({ merge, sim: this.sim, tracks, clock }); // hot-ok: once
    this.#begin(merge.stream.time[merge.from]!);
    do {
      const track = tracks[merge.stream.index]!;
      if (merge.to - merge.from === 1) this.#row(track, merge.from);
      else if (track.isTrades) this.#trades(track, merge.from, merge.to);
      else this.#quotes(track, merge.from, merge.to);
      if (jump.take(Math.min(this.port.nextDue, this.#dueBesideVenue()))) this.#askAll();
    } while (merge.next());
    this.last = clock.time;
    this.#finish();
  }

  /** Takes the rows of two streams in turn. A separate function, because V8 compiles it sooner than a loop that is entered once. */
  #take({ first, second }: TapeMerge): void {
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
      if (this.watch.isActive && track.isWatched) this.#watch(track, from, to);
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
  #watch({ stream, line, isTrades }: Track, from: number, to: number): void {
    const { time, price, bid, ask } = stream;
    this.watch.rows(line.index, time, isTrades ? price : bid, isTrades ? price : ask, from, to);
  }

  /** Called before the first row, which has time `time`. */
  #begin(time: number): void {
    this.first = time;
    this.clock.time = time;
    this.#nextPoint = time + this.p.sampleMs;
    this.#planSample();
    this.#botAt = Math.max(time, this.p.botFrom);
    this.#interruptedAt = this.p.interruption?.at ?? Infinity;
    this.#settle();
  }

  /** Takes rows of trades. Under every-tick they go in bulk while they affect no order and nothing else is due. */
  #trades(track: Track, from: number, to: number): void {
    if (!track.isBulk) return this.#tradesByOne(track, from, to);
    const { stream, line, subscribers } = track;
    const sim = this.sim;
    const { time, price } = stream;
    const quietBand = this.#quietBand;
    for (let r = from; r < to;) {
      if (this.#due() <= time[r]!) this.#catchUp(time[r]!);
      quietBand.set(line.watchLow, line.watchHigh, this.#due());
      const isCalm = price[r]! > quietBand.low && price[r]! < quietBand.high;
      const next = isCalm ? this.kernel.takeTrades(this.taker, subscribers, stream, r, to, quietBand) : r;
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
      if (this.#due() <= time[r]!) this.#catchUp(time[r]!);
      quietBand.set(line.watchLow, line.watchHigh, this.#due());
      const isCalm = !line.isDepleted && bid[r]! > quietBand.low && ask[r]! < quietBand.high;
      const next = isCalm ? this.kernel.takeQuotes(this.taker, subscribers, stream, r, to, quietBand) : r;
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
    const now = track.stream.time[r]!;
    if (this.#due() <= now) this.#catchUp(now);
    this.clock.time = now;
    const { stream, line } = track;
    if (track.isTrades) {
      const price = stream.price[r]!;
      const size = stream.size[r]!;
      const side = stream.side[r]!;
      // Ids are only needed for polls of trades, and with polls no row comes here.
      this.sim.trade(line.index, price, size, side, now, 0);
      this.inbox.onTrade(line.index, price, size, side);
    } else {
      const bid = stream.bid[r]!;
      const bidSize = stream.bidSize[r]!;
      const ask = stream.ask[r]!;
      const askSize = stream.askSize[r]!;
      this.sim.quote(line.index, bid, bidSize, ask, askSize, now);
      this.inbox.onQuote(line.index, bid, bidSize, ask, askSize);
    }
  }

  /** Takes trades row by row, for polls and mirrors: the simulator gets a row on all instruments before the bot. */
  #tradesByOne({ stream, line, mirrors }: Track, from: number, to: number): void {
    const sim = this.sim;
    const inbox = this.inbox;
    const everyTick = this.everyTick;
    const { time, id, price, size, side } = stream;
    for (let r = from; r < to; r++) {
      const now = time[r]!;
      const no = id.length > 0 ? id[r]! : 0;
      if (this.#due() <= now) this.#catchUp(now);
      this.clock.time = now;
      sim.trade(line.index, price[r]!, size[r]!, side[r]!, now, no);
      for (let k = 0; k < mirrors.length; k++) {
        const m = mirrors[k]!;
        sim.trade(m.instrument, price[r]! * m.priceRatio, size[r]! * m.sizeRatio, side[r]!, now, no);
      }
      if (!everyTick) continue;
      inbox.onTrade(line.index, price[r]!, size[r]!, side[r]!);
      this.#answered(now);
      for (let k = 0; k < mirrors.length; k++) {
        const m = mirrors[k]!;
        inbox.onTrade(m.instrument, price[r]! * m.priceRatio, size[r]! * m.sizeRatio, side[r]!);
        this.#answered(now);
      }
    }
  }

  /** The same for quotes. Of quotes that affect nothing, the simulator needs only the last. */
  #quotesByOne({ stream, line, mirrors }: Track, from: number, to: number): void {
    const sim = this.sim;
    const inbox = this.inbox;
    const everyTick = this.everyTick;
    const { time, bid, bidSize, ask, askSize } = stream;
    const quietBand = this.#quietBand;
    for (let r = from; r < to; r++) {
      if (this.#due() <= time[r]!) this.#catchUp(time[r]!);
      quietBand.set(line.watchLow, line.watchHigh, this.#due());
      if (mirrors.length === 0 && !line.isDepleted) r = Math.max(r, quietQuotes(stream, r, to, quietBand) - 1);
      const now = time[r]!;
      this.clock.time = now;
      sim.quote(line.index, bid[r]!, bidSize[r]!, ask[r]!, askSize[r]!, now);
      for (let k = 0; k < mirrors.length; k++) {
        const { instrument: other, priceRatio, sizeRatio } = mirrors[k]!;
        sim.quote(other, bid[r]! * priceRatio, bidSize[r]! * sizeRatio, ask[r]! * priceRatio, askSize[r]! * sizeRatio, now);
      }
      if (!everyTick) continue;
      inbox.onQuote(line.index, bid[r]!, bidSize[r]!, ask[r]!, askSize[r]!);
      this.#answered(now);
      for (let k = 0; k < mirrors.length; k++) {
        const { instrument: other, priceRatio, sizeRatio } = mirrors[k]!;
        inbox.onQuote(other, bid[r]! * priceRatio, bidSize[r]! * sizeRatio, ask[r]! * priceRatio, askSize[r]! * sizeRatio);
        this.#answered(now);
      }
    }
  }

  /** After a row of `now` that the bot saw: delivers messages due by now, and without latency also the answers to them. */
  #answered(now: number): void {
    const port = this.port;
    const lane = this.lane;
    while (port.nextDue <= now || lane.nextDue <= now) {
      if (port.nextDue <= now) port.run();
      if (lane.nextDue <= now) lane.drain(now);
    }
  }

  /** Time of the next work; there may be none left when it comes. */
  #due(): number {
    const due = this.#nextDeadline.at;
    return this.port.nextDue < due ? this.port.nextDue : due;
  }

  /**
   * Runs the work that the last row caused at its own time, then everything due before `until`, in order of time. Work due at `until` waits
   * for the rows of that millisecond.
   */
  #catchUp(until: number): void {
    if (this.everyTick && this.#due() <= this.clock.time) this.#answered(this.clock.time);
    for (;;) {
      const due = this.port.nextDue;
      const rest = this.#nextDeadline.at;
      if (due >= rest) {
        if (rest >= until) return;
        if (!this.#passLooks(rest, until)) this.#comeTo(rest);
      } else {
        if (due >= until) return;
        // Only a message is due. It never arrives before it was sent.
        this.clock.time = due;
        this.port.run();
      }
    }
  }

  /** Takes looks of the venue before `until` together, if they are all that is due at `rest` and they do nothing. */
  #passLooks(rest: number, until: number): boolean {
    const { sim, port } = this;
    const others = this.#dueBesideVenue();
    if (this.isPlain || sim.nextDue !== rest) return false;
    const end = Math.min(until, others, port.nextDue);
    if (end <= rest || !sim.passCalm(end)) return false;
    this.#askAll();
    return true;
  }

  /** Time of the next work of others than the venue and its messages. */
  #dueBesideVenue(): number {
    return Math.min(this.kernel.nextTimer, this.lane.nextDue, this.polls.nextDue, this.#nextSample, this.#botAt, this.#interruptedAt);
  }

  /** Runs everything due by this time. */
  #comeTo(due: number): void {
    if (due > this.clock.time) this.clock.time = due;
    this.#settle();
    if (this.#nextSample <= due) this.#sample(due);
  }

  /** Runs venue, messages and timers of this time until none is due. */
  #settle(): void {
    const now = this.clock.time;
    if (this.#botAt <= now) {
      this.#botAt = Infinity;
      this.inbox.start();
    }
    if (this.#interruptedAt <= now) {
      this.#interruptedAt = Infinity;
      this.p.interruption!.run();
    }
    const sim = this.sim;
    const port = this.port;
    const kernel = this.kernel;
    const lane = this.lane;
    const polls = this.polls;
    do {
      if (sim.nextDue <= now) sim.advance(now);
      if (port.nextDue <= now) port.run();
      if (kernel.nextTimer <= now) this.inbox.runTimers(now);
      if (lane.nextDue <= now) lane.drain(now);
      if (polls.nextDue <= now) polls.drain(now);
    } while (sim.nextDue <= now || port.nextDue <= now || kernel.nextTimer <= now || lane.nextDue <= now || polls.nextDue <= now);
    this.#askAll();
  }

  #askAll(): void {
    this.#nextDeadline.at = Math.min(this.sim.nextDue, this.#dueBesideVenue());
  }

  #planSample(): void {
    this.#nextSample = Math.min(this.#nextPoint, this.p.periods?.nextAt ?? Infinity);
  }

  #sample(now: number, isEnd = false): void {
    const { curve, periods, sampleMs, spot = null } = this.p;
    const equity = this.sim.equity(0) + (spot === null ? 0 : this.spotCash + spot.net());
    if (isEnd || this.#nextPoint <= now) {
      const exposure = this.sim.exposure(0) + (spot === null ? 0 : spot.exposure());
      curve.sample(now, equity, exposure);
      this.#nextPoint = Math.max(this.#nextPoint + sampleMs, now + 1);
    }
    if (isEnd) periods?.end(now, equity);
    else if (periods !== undefined && periods.nextAt <= now) periods.take(now, equity);
    this.p.progress?.(this.p.merge.rows, now);
    this.#planSample();
    this.#askAll();
  }

  /** After the last row: delivers messages due at its time, then stops the bot, so that a strategy can cancel. */
  #finish(): void {
    const clock = this.clock;
    this.#catchUp(this.last);
    clock.time = Math.max(clock.time, this.last);
    this.#settle();
    this.inbox.stop();
    this.#settle();
    if (this.p.graceMs !== undefined) this.#catchUp(clock.time + this.p.graceMs);
    this.watch.end();
    this.#sample(clock.time, true);
  }
}
