/**
 * Runs what happens beside the rows of a backtest, at its own time: work of the simulated venue, messages in flight, timers and throttles
 * of the bot, samples of the equity. Within a millisecond rows come first, then messages (under `--every-tick` after the first row), then
 * timers. @hot
 */
import { NextDeadline } from '../../../base/time/next-deadline.ts';
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { OrderThrottle } from '../../../engine/polling/order-throttle.ts';
import type { ReadThrottle } from '../../../engine/polling/read-throttle.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { SimPort } from '../../../sim/port/port.ts';
import type { EquitySamples } from '../counts/equity-samples.ts';
import type { VirtualClock } from '../venue/virtual-clock.ts';
import type { Interruptions } from './interruptions.ts';

export interface DueDeps {
  readonly sim: VenueSim;
  readonly port: Pick<SimPort, 'nextDue' | 'run'>;
  readonly kernel: Kernel;
  readonly throttle: OrderThrottle;
  /** null under `--every-tick`. */
  readonly polls: ReadThrottle | null;
  readonly clock: VirtualClock;
  readonly seesRows: boolean;
  /** True if every row and every check of the venue is taken alone: slower, with the same result. Default false. */
  readonly isPlain?: boolean | undefined;
  /** What is done between two steps of the bot, such as to restart a strategy. */
  readonly interruptions?: Interruptions | undefined;
}

/** Under `--every-tick` no poll ever waits. */
const NO_POLLS: Pick<ReadThrottle, 'nextDue' | 'drain'> = { nextDue: Infinity, drain: () => undefined };

export class DueEvents {
  declare private readonly sim: VenueSim;
  declare private readonly port: DueDeps['port'];
  declare private readonly kernel: Kernel;
  declare private readonly inbox: KernelInbox;
  declare private readonly throttle: OrderThrottle;
  declare private readonly polls: Pick<ReadThrottle, 'nextDue' | 'drain'>;
  declare private readonly clock: VirtualClock;
  declare private readonly seesRows: boolean;
  declare private readonly isPlain: boolean;
  declare private readonly interruptions: Interruptions | undefined;
  declare private readonly samples: EquitySamples;
  /** Start time of the bot; Infinity once it has started. */
  #botAt = Infinity;
  /** Time of the next interruption; Infinity when none is left. */
  #interruptedAt = Infinity;
  /** Next time of venue, timers, throttles or the loop itself. Messages are the most frequent and are asked directly. */
  readonly #nextDeadline = new NextDeadline();

  constructor(deps: DueDeps, samples: EquitySamples) {
    this.sim = deps.sim;
    this.port = deps.port;
    this.kernel = deps.kernel;
    this.inbox = deps.kernel.inbox;
    this.throttle = deps.throttle;
    this.polls = deps.polls ?? NO_POLLS;
    this.clock = deps.clock;
    this.seesRows = deps.seesRows;
    this.isPlain = deps.isPlain === true;
    this.interruptions = deps.interruptions;
    this.samples = samples;
    this.sim.nextDeadline = this.#nextDeadline;
    this.kernel.nextDeadline = this.#nextDeadline;
    this.throttle.nextDeadline = this.#nextDeadline;
    if (deps.polls !== null) deps.polls.nextDeadline = this.#nextDeadline;
  }

  /** Called at the time of the first row. The bot starts at `botAt`. */
  begin(botAt: number): void {
    this.#botAt = botAt;
    this.#interruptedAt = this.interruptions?.next ?? Infinity;
    this.settle();
  }

  /** Time of the next work; there may be none left when it comes. */
  next(): number {
    const due = this.#nextDeadline.at;
    return this.port.nextDue < due ? this.port.nextDue : due;
  }

  /**
   * Runs the work that the last row caused at its own time, then everything due before `until`, in order of time. Work due at `until` waits
   * for the rows of that millisecond.
   */
  runBefore(until: number): void {
    if (this.seesRows && this.next() <= this.clock.time) this.deliver(this.clock.time);
    for (;;) {
      const due = this.port.nextDue;
      const rest = this.#nextDeadline.at;
      if (due >= rest) {
        if (rest >= until) return;
        if (!this.#skipIdleChecks(rest, until)) this.#comeTo(rest);
      } else {
        if (due >= until) return;
        // Only a message is due. It never arrives before it was sent.
        this.clock.time = due;
        this.port.run();
      }
    }
  }

  /** After a row of `now` that the bot saw: delivers messages due by now, and without latency also the answers to them. */
  deliver(now: number): void {
    const port = this.port;
    const throttle = this.throttle;
    while (port.nextDue <= now || throttle.nextDue <= now) {
      if (port.nextDue <= now) port.run();
      if (throttle.nextDue <= now) throttle.drain(now);
    }
  }

  /** Runs venue, messages and timers of this time until none is due. */
  settle(): void {
    const now = this.clock.time;
    if (this.#botAt <= now) {
      this.#botAt = Infinity;
      this.inbox.start();
    }
    if (this.#interruptedAt <= now) {
      this.interruptions!.run(now);
      this.#interruptedAt = this.interruptions!.next;
    }
    const sim = this.sim;
    const port = this.port;
    const kernel = this.kernel;
    const throttle = this.throttle;
    const polls = this.polls;
    do {
      if (sim.nextDue <= now) sim.advance(now);
      if (port.nextDue <= now) port.run();
      if (kernel.nextTimer <= now) this.inbox.runTimers(now);
      if (throttle.nextDue <= now) throttle.drain(now);
      if (polls.nextDue <= now) polls.drain(now);
    } while (sim.nextDue <= now || port.nextDue <= now || kernel.nextTimer <= now || throttle.nextDue <= now || polls.nextDue <= now);
    this.askAll();
  }

  /** Time of the next work that is none of the venue's checks of the market. */
  #nextBesideLooks(): number {
    return Math.min(this.port.nextDue, this.#nextOfBot());
  }

  /** Notes again when each is due. Needed after anything that did not run through here. */
  askAll(): void {
    this.#nextDeadline.at = Math.min(this.sim.nextDue, this.#nextOfBot());
  }

  /** Time of the next work of others than the venue and its messages. */
  #nextOfBot(): number {
    return Math.min(
      this.kernel.nextTimer,
      this.throttle.nextDue,
      this.polls.nextDue,
      this.samples.nextAt,
      this.#botAt,
      this.#interruptedAt,
    );
  }

  /** Takes checks of the venue before `until` together, if they are all that is due at `rest` and they do nothing. */
  #skipIdleChecks(rest: number, until: number): boolean {
    const sim = this.sim;
    if (this.isPlain || sim.nextDue !== rest) return false;
    const end = Math.min(until, this.#nextBesideLooks());
    if (end <= rest || !sim.skipIdleChecks(end)) return false;
    this.askAll();
    return true;
  }

  /** Runs everything due by this time. */
  #comeTo(due: number): void {
    if (due > this.clock.time) this.clock.time = due;
    this.settle();
    if (this.samples.nextAt > due) return;
    this.samples.take(due);
    this.askAll();
  }
}
