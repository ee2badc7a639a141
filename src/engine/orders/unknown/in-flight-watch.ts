/** A timeout for commands in flight: a command without any outcome becomes unknown, even if the venue client lost it. */
import type { Timer } from '../../../base/timer-queue.ts';
import type { Core } from '../../state/core.ts';
import type { Resolver } from './resolver.ts';
import type { Watch } from '../../state/records/in-flight.ts';

export class InFlightWatch implements Timer, Watch {
  private readonly core: Core;
  private readonly resolver: Resolver;
  private readonly alarm: number;
  /** Longest wait before sending plus longest wait for the answer. */
  private readonly patienceMs: number;

  constructor(core: Core, resolver: Resolver) {
    const { commandTimeoutMs, marketValidMs, limitValidMs, closeValidMs } = core.timings;
    this.core = core;
    this.resolver = resolver;
    this.alarm = core.timerQueue.add(this);
    this.patienceMs = Math.max(marketValidMs, limitValidMs, closeValidMs) + commandTimeoutMs;
  }

  /** Watches the oldest command in flight, if there is one. */
  arm(): void {
    const { inFlight, timerQueue } = this.core;
    const oldest = inFlight.oldest();
    inFlight.isWatched = oldest !== null;
    timerQueue.set(this.alarm, oldest === null ? Infinity : oldest.sentAt + this.patienceMs);
  }

  due(now: number): void {
    const { inFlight } = this.core;
    for (let oldest = inFlight.oldest(); oldest !== null; oldest = inFlight.oldest()) {
      if (oldest.sentAt + this.patienceMs > now) break;
      this.resolver.unknown(oldest.seq, 'no-outcome');
    }
    this.arm();
  }
}
