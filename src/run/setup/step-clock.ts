/** A clock that can be held, so that everything in one step (a request, or a turn of the bot) has the same time. */
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

  /** Calls `run` with the current time and holds the clock until it returns. If it is already held, the time does not change. */
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
