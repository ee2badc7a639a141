/** The backstop: a command that nobody answers for is unknown in the end, whatever the edge forgot. */
import type { Due } from '../../base/timer-queue.ts';
import type { Core } from '../state/core.ts';
import type { Resolver } from './resolver.ts';
import type { Watch } from '../state/in-flight.ts';

export class FlightWatch implements Due, Watch {
  declare private readonly core: Core;
  declare private readonly resolver: Resolver;
  declare private readonly alarm: number;
  /** Longest wait before sending, and then for the answer. */
  declare private readonly patienceMs: number;

  constructor(core: Core, resolver: Resolver) {
    const { commandTimeoutMs, marketValidMs, limitValidMs, closeValidMs } = core.timings;
    this.core = core;
    this.resolver = resolver;
    this.alarm = core.agenda.add(this);
    this.patienceMs = Math.max(marketValidMs, limitValidMs, closeValidMs) + commandTimeoutMs;
  }

  /** Watches the oldest command on its way. */
  arm(): void {
    const { flights, agenda } = this.core;
    const oldest = flights.oldest();
    flights.isWatched = oldest !== null;
    if (oldest !== null) agenda.set(this.alarm, oldest.sentAt + this.patienceMs);
  }

  due(now: number): void {
    const { flights } = this.core;
    for (let oldest = flights.oldest(); oldest !== null; oldest = flights.oldest()) {
      if (oldest.sentAt + this.patienceMs > now) break;
      this.resolver.unknown(oldest.seq, 'no-outcome');
    }
    this.arm();
  }
}
