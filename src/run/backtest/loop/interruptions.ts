/** Interrupts the bot of a backtest at given times, between two of its steps: by a restart of its strategies, a signal from outside. */

export interface Interruption {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly run: () => void;
}

export class Interruptions {
  /** Time of the next one; Infinity when none is left. */
  next: number;
  readonly #all: readonly Interruption[];
  #done = 0;

  constructor(all: readonly Interruption[]) {
    this.#all = all.toSorted((a, b) => a.at - b.at);
    this.next = this.#all[0]?.at ?? Infinity;
  }

  /** Runs those that are due by `now`, in order of time. */
  run(now: number): void {
    while (this.next <= now) {
      const one = this.#all[this.#done++]!;
      this.next = this.#all[this.#done]?.at ?? Infinity;
      one.run();
    }
  }
}
