/** A timeout for commands in flight: a command without any outcome becomes unknown, even if the venue client lost it. */
import { assert } from '../../base/failure/assert.ts';
import type { Timer } from '../../base/time/timer-queue.ts';
import type { InternalEvents } from '../state/internal-events.ts';
import type { Core } from '../state/core.ts';
import type { InFlight } from '../state/orders/in-flight.ts';

/** The shared state that this file uses. */
interface InFlightWatchCore extends Core {
  readonly inFlight: InFlight;
}

export class InFlightWatch implements Timer {
  private readonly core: InFlightWatchCore;
  private readonly events: Pick<InternalEvents, 'noOutcome'>;
  private readonly alarm: number;
  /** Longest wait before sending plus longest wait for the answer. */
  private readonly patienceMs: number;
  /** True while the oldest command in flight is watched. */
  private isArmed = false;

  constructor(core: InFlightWatchCore, events: Pick<InternalEvents, 'noOutcome'>) {
    const { commandTimeoutMs, marketValidMs, limitValidMs, closeValidMs } = core.timings;
    this.core = core;
    this.events = events;
    this.alarm = core.timerQueue.add(this);
    this.patienceMs = Math.max(marketValidMs, limitValidMs, closeValidMs) + commandTimeoutMs;
  }

  /** A command has left. */
  keep(): void {
    if (!this.isArmed) this.#arm();
  }

  /** Watches the oldest command in flight, if there is one. */
  #arm(): void {
    const { inFlight, timerQueue } = this.core;
    const oldest = inFlight.oldest();
    this.isArmed = oldest !== null;
    timerQueue.set(this.alarm, oldest === null ? Infinity : oldest.sentAt + this.patienceMs);
  }

  due(now: number): void {
    const { inFlight } = this.core;
    for (let oldest = inFlight.oldest(); oldest !== null; oldest = inFlight.oldest()) {
      if (oldest.sentAt + this.patienceMs > now) break;
      const { seq } = oldest;
      this.events.noOutcome(seq);
      assert(inFlight.oldest()?.seq !== seq, 'a command that got no outcome in time is in flight no more', seq);
    }
    this.#arm();
  }
}
