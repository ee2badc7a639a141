/**
 * The main loop of a backtest on bars (docs/how-a-backtest-runs.md). A bar is one event at its end: the simulator plays it, then the bot
 * hears what it brought. Nothing happens between two ends. @hot
 */
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { OrderLane } from '../../../engine/polling/lane.ts';
import { BarSymbol, type BarFeedSpec, type SymbolParts } from './bar-symbol.ts';
import { EquitySamples, type SampleParts } from '../counts/equity-samples.ts';
import type { Interruption } from './due-events.ts';
import type { BacktestPort } from '../venue/port.ts';
import type { VirtualClock } from '../venue/virtual-clock.ts';

export interface BarDriveParts extends Omit<SampleParts, 'merge'>, SymbolParts {
  readonly symbols: readonly BarFeedSpec[];
  readonly lane: OrderLane;
  /** The port of the bars, or what stands before it and delays commands. */
  readonly venue: Pick<BacktestPort, 'nextDue' | 'run'>;
  readonly clock: VirtualClock;
  /** Start of the first bar that counts, and what the last one must end by. */
  readonly from: number;
  readonly to: number;
  /** Start time of the bot; the first bar if that is later. */
  readonly botFrom: number;
  readonly interruption?: Interruption | undefined;
}

export class BarDrive {
  /** Start of the first bar and end of the last; −Infinity until then. */
  first = -Infinity;
  last = -Infinity;
  /** Bars taken so far. */
  rows = 0;
  declare private readonly p: BarDriveParts;
  declare private readonly inbox: KernelInbox;
  declare private readonly symbols: readonly BarSymbol[];
  declare private readonly samples: EquitySamples;
  #botAt = Infinity;
  #interruptedAt: number;

  constructor(parts: BarDriveParts) {
    this.p = parts;
    this.inbox = parts.kernel.inbox;
    this.samples = new EquitySamples({ ...parts, merge: this });
    this.symbols = parts.symbols.map((spec) => new BarSymbol(spec, parts));
    this.#interruptedAt = parts.interruption?.at ?? Infinity;
    parts.watch.isOnPaths = true;
  }

  /** Runs to the last bar. The kernel must not be started yet. */
  run(): void {
    const { symbols } = this;
    for (let k = 0; k < symbols.length; k++) symbols[k]!.begin(this.p.from, this.p.to);
    for (let end = this.#nextEnd(); end < Infinity; end = this.#nextEnd()) {
      if (this.rows === 0) this.#begin();
      this.#comeTo(end);
      this.#play(end);
      this.#tell(end);
    }
    if (this.rows > 0) this.#finish();
  }

  #nextEnd(): number {
    const { symbols } = this;
    let end = Infinity;
    for (let k = 0; k < symbols.length; k++) if (symbols[k]!.end < end) end = symbols[k]!.end;
    return end;
  }

  /** At the start of the first bar. */
  #begin(): void {
    let start = Infinity;
    for (let k = 0; k < this.symbols.length; k++) start = Math.min(start, this.symbols[k]!.start);
    this.first = start;
    this.p.clock.time = start;
    this.samples.begin(start);
    this.#botAt = Math.max(start, this.p.botFrom);
  }

  /** What is due before bars end at `end`. */
  #comeTo(end: number): void {
    const { samples } = this;
    if (this.#botAt < end) this.#start();
    while (samples.nextAt < end) samples.take(samples.nextAt);
    this.#deliverBefore(end);
    this.p.clock.time = end;
  }

  /** Commands and answers that a test delays: they arrive between bars, and meet the next bar that begins then or later. */
  #deliverBefore(end: number): void {
    const { clock, venue } = this.p;
    while (venue.nextDue < end) {
      clock.time = venue.nextDue;
      venue.run();
    }
  }

  #start(): void {
    this.p.clock.time = this.#botAt;
    this.#botAt = Infinity;
    this.inbox.start();
  }

  /** The bars that end now happen. */
  #play(end: number): void {
    const { symbols } = this;
    for (let k = 0; k < symbols.length; k++) {
      if (symbols[k]!.end !== end) continue;
      symbols[k]!.play();
      this.rows++;
    }
    if (!this.p.isBold) this.#jointWorst(end);
  }

  /** The worst prices of several symbols may have come at the same moment: then margin that they share may not have sufficed. */
  #jointWorst(end: number): void {
    const { symbols } = this;
    const { sim, ambiguity } = this.p;
    if (symbols.length === 1 && symbols[0]!.isSingle) return;
    let held = 0;
    for (let k = 0; k < symbols.length; k++) if (symbols[k]!.end === end) held += symbols[k]!.held;
    if (held < 2) return;
    for (let k = 0; k < symbols.length; k++) if (symbols[k]!.end === end) symbols[k]!.showWorst();
    if (sim.liquidateShort()) ambiguity.joint++;
    for (let k = 0; k < symbols.length; k++) if (symbols[k]!.end === end) symbols[k]!.showClose();
  }

  /** The bot hears of them: fills, bars, timers, quotes. */
  #tell(end: number): void {
    const { symbols, samples, inbox } = this;
    const { lane, venue, kernel } = this.p;
    for (let k = 0; k < symbols.length; k++) if (symbols[k]!.end === end) symbols[k]!.tell();
    inbox.bars();
    if (this.#botAt <= end) this.#start();
    if (this.#interruptedAt <= end) {
      this.#interruptedAt = Infinity;
      this.p.interruption!.run();
    }
    if (kernel.isTimerDue(end)) inbox.runTimers(end);
    this.p.ambiguity.begin();
    if (kernel.hasQuotesToTell) inbox.quoted();
    if (lane.nextDue <= end) lane.drain(end);
    if (venue.nextDue <= end) venue.run();
    if (samples.nextAt <= end) samples.take(end);
    for (let k = 0; k < symbols.length; k++) if (symbols[k]!.end === end) symbols[k]!.next();
  }

  #finish(): void {
    const { clock, watch } = this.p;
    this.last = clock.time;
    this.inbox.stop();
    watch.end();
    this.samples.end(clock.time);
  }
}
