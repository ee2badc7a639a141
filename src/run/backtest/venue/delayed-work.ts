/** Messages that wait in front of a port, each with a time of its own. */
import type { Clock } from '../../../ports/clock.ts';
import { VenueEvent } from '../../../ports/venue-event.ts';
import type { BacktestPort } from './backtest-port.ts';

interface Later {
  readonly at: number;
  readonly run: () => void;
}

export class DelayedWork {
  /** By time; of one time, in the order they were added. */
  readonly #later: Later[] = [];
  readonly #port: BacktestPort;
  readonly #clock: Clock;

  constructor(port: BacktestPort, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
  }

  /** Time of the next work of both; Infinity if there is none. */
  get nextDue(): number {
    return Math.min(this.#port.nextDue, this.#later[0]?.at ?? Infinity);
  }

  at(time: number, run: () => void): void {
    const place = this.#later.findLastIndex((one) => one.at <= time) + 1;
    this.#later.splice(place, 0, { at: time, run });
  }

  /** Does what is due by now, in order of time; of one time, before the port. */
  run(): void {
    const now = this.#clock.now();
    for (;;) {
      const first = this.#later[0];
      if (first !== undefined && first.at <= now && first.at <= this.#port.nextDue) {
        this.#later.shift();
        first.run();
      } else if (this.#port.nextDue <= now) this.#port.run();
      else return;
    }
  }
}

/** A record of its own, for a receiver that passes the event on later. */
export function copyOf(event: VenueEvent): VenueEvent {
  return Object.assign(new VenueEvent(), event);
}
