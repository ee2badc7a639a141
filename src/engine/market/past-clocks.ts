/** The clocks that the venue had before the present one, as differences to ours: which of them the time in a record may be of. */
import { assert } from '../../base/failure/assert.ts';

/** Clocks that are remembered after another one was accepted. */
const MOST = 4;

interface PastClock {
  /** The venue's clock minus ours in milliseconds. */
  readonly ms: number;
  /** Our time up to which the venue had it. */
  readonly until: number;
}

export class PastClocks {
  /** Newest first. */
  readonly #past: PastClock[] = [];
  /** Our time of the first answer that had a venue time; Infinity before it. */
  firstAt = Infinity;

  ended(ms: number, until: number): void {
    assert(
      this.#past.every((one) => one.until <= until),
      'clocks end one after another',
      until,
    );
    this.#past.unshift({ ms, until });
    this.#past.length = Math.min(this.#past.length, MOST);
  }

  /** The differences of all of them. A clock from before this process is taken for one that agreed with ours. */
  get all(): readonly number[] {
    return [0, ...this.#past.map(({ ms }) => ms)];
  }

  /** The smallest difference that the venue had at our time `at` or later; `present` is that of now. */
  leastSince(at: number, present: number): number {
    let least = at < this.firstAt ? Math.min(present, 0) : present;
    for (const { ms, until } of this.#past) if (until >= at) least = Math.min(least, ms);
    return least;
  }
}
