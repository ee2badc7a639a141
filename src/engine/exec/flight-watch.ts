/** The backstop: a command that nobody answers for is unknown in the end, whatever the edge forgot. */
import type { Due } from '../agenda.ts';
import type { Core } from '../core.ts';
import type { Resolver } from '../resolve.ts';

export class FlightWatch implements Due {
  isArmed = false;
  readonly #core: Core;
  readonly #resolver: Resolver;
  readonly #alarm: number;
  /** Longest wait before sending, and then for the answer. */
  readonly #patienceMs: number;

  constructor(core: Core, resolver: Resolver) {
    const { commandTimeoutMs, marketValidMs, limitValidMs, closeValidMs } = core.timings;
    this.#core = core;
    this.#resolver = resolver;
    this.#alarm = core.agenda.add(this);
    this.#patienceMs = Math.max(marketValidMs, limitValidMs, closeValidMs) + commandTimeoutMs;
  }

  /** Watches the oldest command on its way. */
  arm(): void {
    const { flights, agenda } = this.#core;
    this.isArmed = flights.head >= 0;
    if (this.isArmed) agenda.set(this.#alarm, flights.sentAt[flights.head]! + this.#patienceMs);
  }

  due(now: number): void {
    const { flights } = this.#core;
    while (flights.head >= 0 && flights.sentAt[flights.head]! + this.#patienceMs <= now) {
      this.#resolver.unknown(flights.seq[flights.head]!, 'no-outcome');
    }
    this.arm();
  }
}
