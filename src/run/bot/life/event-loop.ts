/**
 * The event loop of the live bot. Each answer, command of a person and due timer is one turn: `take` gives it to the kernel as a step, commits
 * the journal, sends the commands, and sets the next timer. Events that arrive during a turn belong to it.
 */
import { Alarm } from '../../../edge/time/live-clock.ts';
import type { OrderThrottle } from '../../../engine/polling/order-throttle.ts';
import type { ReadThrottle } from '../../../engine/polling/read-throttle.ts';
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { StepClock } from '../../setup/step-clock.ts';
import type { DurableGate } from '../store/durable-gate.ts';

export interface TurnDeps {
  readonly clock: Clock;
  /** The same clock, held during a turn. */
  readonly stepClock: StepClock;
  readonly kernel: Pick<Kernel, 'nextTimer'>;
  readonly inbox: Pick<KernelInbox, 'runTimers'>;
  readonly throttle: Pick<OrderThrottle, 'nextDue' | 'drain'>;
  readonly polls: Pick<ReadThrottle, 'nextDue' | 'drain'>;
  readonly gate: Pick<DurableGate, 'flush'>;
  /** Called before a commit to add records to it. */
  readonly beforeCommit: () => void;
  /** Called after a turn. Only a running commit may still be pending. */
  readonly afterTurn: () => void;
  /** Called if a step threw. No further steps are taken. */
  readonly onBroken: (error: unknown) => void;
  /** Makes the timer of the next due step. Default: one of the system. A simulation passes one on virtual time. */
  readonly alarm?: ((due: (now: number) => void) => Pick<Alarm, 'setAt' | 'stop'>) | undefined;
}

export class EventLoop {
  /** True once a step has thrown: local state cannot be trusted any more. */
  isBroken = false;
  /** Number of turns that were completed. */
  turns = 0;
  readonly #deps: TurnDeps;
  readonly #alarm: Pick<Alarm, 'setAt' | 'stop'>;
  #isBusy = false;
  #isOver = false;
  #again = false;
  #awaited: Promise<void> | null = null;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
    const alarm = deps.alarm ?? ((due) => new Alarm(deps.clock, due));
    this.#alarm = alarm((now) => this.#due(now));
  }

  /** Runs a turn, or adds the step to the current turn. Does nothing after `end` or a failure. */
  take(step: () => void): void {
    if (this.#isOver || this.isBroken) return;
    if (this.#isBusy) {
      this.#again = true;
      return step();
    }
    this.#isBusy = true;
    try {
      this.#deps.stepClock.hold(() => this.#turn(step));
    } catch (error) {
      this.isBroken = true;
      this.#alarm.stop();
      this.#deps.onBroken(error);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Stops the loop. */
  end(): void {
    this.#isOver = true;
    this.#alarm.stop();
  }

  #turn(step: () => void): void {
    step();
    do {
      this.#again = false;
      this.#settle();
    } while (this.#again);
    this.#deps.afterTurn();
    this.turns++;
  }

  #due(now: number): void {
    const { inbox, kernel } = this.#deps;
    this.take(() => {
      if (kernel.nextTimer <= now) inbox.runTimers(now);
    });
  }

  #settle(): void {
    const { stepClock, kernel, throttle, polls, gate, beforeCommit } = this.#deps;
    beforeCommit();
    const pending = gate.flush();
    if (pending !== null && pending !== this.#awaited) {
      this.#awaited = pending;
      void pending.then(() => this.take(() => undefined));
    }
    const now = stepClock.now();
    if (throttle.nextDue <= now) throttle.drain(now);
    if (polls.nextDue <= now) polls.drain(now);
    this.#alarm.setAt(Math.min(kernel.nextTimer, throttle.nextDue, polls.nextDue));
  }
}
