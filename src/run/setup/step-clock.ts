/** A clock that can be held: all that happens in one step, be it a request or a turn of the bot, happens at one moment. */
import type { Clock } from '../../ports/clock.ts';

export class StepClock implements Clock {
  readonly #clock: Clock;
  #held: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#held ?? this.#clock.now();
  }

  /** Calls `run` with this moment, at which time stands still until it returns. Held already, it stays at the moment it has. */
  hold<T>(run: (now: number) => T): T {
    if (this.#held !== null) return run(this.#held);
    const now = this.#clock.now();
    this.#held = now;
    try {
      return run(now);
    } finally {
      this.#held = null;
    }
  }
}
