/**
 * The one loop of a backtest: which is next — a recorded row, the venue's own work, a message on its way, or a timer of the bot?
 * Rows go to the venue's truth first; the bot sees them by its polls, or, under `--every-tick`, at once. Of one millisecond, the rows
 * come first: messages follow all of them, or under `--every-tick` the first of them, and timers all of them. @hot
 */
import type { Kernel } from '../engine/kernel.ts';
import type { OrderLane } from '../engine/lane.ts';
import type { RowTaker } from '../engine/rows.ts';
import type { EquityCurve } from '../report/equity-curve.ts';
import type { VenueSim } from '../sim/core.ts';
import type { SimPort } from '../sim/port.ts';
import type { TapeMerge } from '../tape/merge.ts';
import type { TapeStream } from '../tape/stream.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Where a stream's rows go. Ratios are whole: ticks and lots of the mirror per tick and lot of the stream's instrument. */
export interface Feed {
  readonly instrument: number;
  readonly mirrors: readonly { readonly instrument: number; readonly priceRatio: number; readonly sizeRatio: number }[];
}

export interface DriveParts {
  readonly merge: TapeMerge;
  /** By number of the stream: the instrument whose market it is, and those that mirror it on another grid. */
  readonly feeds: readonly Feed[];
  readonly sim: VenueSim;
  readonly port: Pick<SimPort, 'nextDue' | 'run'>;
  readonly kernel: Kernel;
  readonly lane: OrderLane;
  readonly clock: VirtualClock;
  readonly everyTick: boolean;
  readonly curve: EquityCurve;
  /** Milliseconds between equity samples. */
  readonly sampleMs: number;
  /** Rows before `from` are not seen; rows at or after `to` end the run. */
  readonly from: number;
  readonly to: number;
  /** When the bot starts on a market that is open already; with the first row when that comes later. */
  readonly botFrom: number;
}

export class Drive {
  rows = 0;
  first = 0;
  last = 0;
  readonly #p: DriveParts;
  #nextSample = Infinity;
  /** When the bot starts; Infinity once it has. */
  #botAt = Infinity;

  readonly #taker: RowTaker;

  constructor(parts: DriveParts) {
    this.#p = parts;
    this.#taker = parts.kernel.rowTaker(parts.clock);
  }

  /** Runs the tape to its end; what would arrive after the last row does not. The kernel must not be started yet. */
  run(): void {
    const { merge, clock, from, to, botFrom } = this.#p;
    let started = false;
    while (merge.next()) {
      const stream = merge.stream;
      const time = stream.time;
      let row = merge.from;
      let end = merge.to;
      while (row < end && time[row]! < from) row++;
      while (end > row && time[end - 1]! >= to) end--;
      if (row === end) {
        if (time[merge.to - 1]! >= to) break;
        continue;
      }
      if (!started) {
        started = true;
        this.first = time[row]!;
        clock.time = this.first;
        this.#nextSample = this.first + this.#p.sampleMs;
        this.#botAt = Math.max(this.first, botFrom);
        this.#settle(this.first);
      }
      if (stream.kind === 'trades') this.#trades(stream, row, end);
      else this.#quotes(stream, row, end);
      this.rows += end - row;
      this.last = time[end - 1]!;
    }
    if (started) this.#finish();
  }

  /** Rows of trades. Under every-tick they go over in bulk as long as they reach no order and nothing else is due. */
  #trades(stream: TapeStream, from: number, to: number): void {
    const { sim, kernel, clock, everyTick } = this.#p;
    const { time, id, price, size, side } = stream;
    const { instrument, mirrors } = this.#p.feeds[stream.index]!;
    const isBulk = everyTick && mirrors.length === 0;
    let due = this.#due();
    for (let r = from; r < to; ) {
      const now = time[r]!;
      if (due < now) {
        this.#catchUp(now);
        due = this.#due();
      }
      const quiet = isBulk ? sim.quietTrades(instrument, price, time, r, to, due - 1) : r;
      if (quiet > r) {
        r = kernel.takeTrades(this.#taker, instrument, stream, r, quiet) - 1;
        sim.trade(instrument, price[r]!, size[r]!, side[r]!, time[r]!, id[r]!);
        due = this.#answered(clock.time);
        r++;
        continue;
      }
      clock.time = now;
      sim.trade(instrument, price[r]!, size[r]!, side[r]!, now, id[r]!);
      for (let k = 0; k < mirrors.length; k++) {
        const m = mirrors[k]!;
        sim.trade(m.instrument, price[r]! * m.priceRatio, size[r]! * m.sizeRatio, side[r]!, now, id[r]!);
      }
      if (everyTick) {
        kernel.takeTrades(this.#taker, instrument, stream, r, r + 1);
        due = this.#answered(now);
      } else if (sim.nextDue < due) due = sim.nextDue;
      r++;
    }
  }

  /** The same for quotes; of those in bulk a bot that polls needs none, and the venue the last. */
  #quotes(stream: TapeStream, from: number, to: number): void {
    const { sim, kernel, clock, everyTick } = this.#p;
    const { time, bid, bidSize, ask, askSize } = stream;
    const { instrument, mirrors } = this.#p.feeds[stream.index]!;
    const isBulk = mirrors.length === 0;
    let due = this.#due();
    for (let r = from; r < to; ) {
      const now = time[r]!;
      if (due < now) {
        this.#catchUp(now);
        due = this.#due();
      }
      const quiet = isBulk ? sim.quietQuotes(instrument, bid, ask, time, r, to, due - 1) : r;
      if (quiet > r) {
        if (everyTick) r = kernel.takeQuotes(this.#taker, instrument, stream, r, quiet) - 1;
        else clock.time = time[(r = quiet - 1)]!;
        sim.quote(instrument, bid[r]!, bidSize[r]!, ask[r]!, askSize[r]!, time[r]!);
        if (everyTick) due = this.#answered(clock.time);
        r++;
        continue;
      }
      clock.time = now;
      sim.quote(instrument, bid[r]!, bidSize[r]!, ask[r]!, askSize[r]!, now);
      for (let k = 0; k < mirrors.length; k++) {
        const { instrument: other, priceRatio, sizeRatio } = mirrors[k]!;
        sim.quote(other, bid[r]! * priceRatio, bidSize[r]! * sizeRatio, ask[r]! * priceRatio, askSize[r]! * sizeRatio, now);
      }
      if (everyTick) {
        kernel.takeQuotes(this.#taker, instrument, stream, r, r + 1);
        due = this.#answered(now);
      } else if (sim.nextDue < due) due = sim.nextDue;
      r++;
    }
  }

  /** After a row of `now` that the bot saw: the messages due by now arrive, and what is sent in answer where that takes no time. */
  #answered(now: number): number {
    const { port, lane } = this.#p;
    while (port.nextDue <= now || lane.nextDue <= now) {
      if (port.nextDue <= now) port.run(now);
      if (lane.nextDue <= now) lane.drain(now);
    }
    return this.#due();
  }

  #due(): number {
    const { sim, port, kernel, lane } = this.#p;
    let due = this.#nextSample;
    if (this.#botAt < due) due = this.#botAt;
    if (sim.nextDue < due) due = sim.nextDue;
    if (port.nextDue < due) due = port.nextDue;
    if (kernel.nextTimer < due) due = kernel.nextTimer;
    if (lane.nextDue < due) due = lane.nextDue;
    return due;
  }

  /** Everything due before `until`, in order of time. What is due at `until` itself waits for the rows of that millisecond. */
  #catchUp(until: number): void {
    for (let due = this.#due(); due < until; due = this.#due()) {
      if (due > this.#p.clock.time) this.#p.clock.time = due;
      this.#settle(this.#p.clock.time);
      if (this.#nextSample <= due) this.#sample(due);
    }
  }

  /** Runs the venue, the messages and the timers of this instant until nothing more is due at it. */
  #settle(now: number): void {
    const { sim, port, kernel, lane } = this.#p;
    if (this.#botAt <= now) {
      this.#botAt = Infinity;
      kernel.start();
    }
    do {
      if (sim.nextDue <= now) sim.advance(now);
      if (port.nextDue <= now) port.run(now);
      if (kernel.nextTimer <= now) kernel.runTimers(now);
      if (lane.nextDue <= now) lane.drain(now);
    } while (port.nextDue <= now || sim.nextDue <= now || kernel.nextTimer <= now || lane.nextDue <= now);
  }

  #sample(now: number): void {
    const { sim, curve, sampleMs } = this.#p;
    curve.sample(now, sim.equity(0), sim.exposure(0));
    this.#nextSample = Math.max(this.#nextSample + sampleMs, now + 1);
  }

  /** After the last row: what was on its way at its time arrives; then the bot stops, so that a strategy can cancel. */
  #finish(): void {
    const { clock, kernel } = this.#p;
    this.#catchUp(this.last);
    clock.time = Math.max(clock.time, this.last);
    this.#settle(clock.time);
    kernel.stop();
    this.#settle(clock.time);
    this.#sample(clock.time);
  }
}
