/** At most so many events in any running window, such as intents in a second. @hot */

const SECOND_MS = 1000;

/** Places at first: more than most strategies need in a second. */
const PLACES = 64;

/** When an intent went through, and the next younger one. */
class Instant {
  declare time: number;
  declare next: Instant;

  constructor(time: number, next: Instant | null) {
    this.time = time;
    this.next = next ?? this;
  }
}

/** The times of the last intents, in a ring that grows until it has all of a window, or the most that are allowed. */
export class RateWindow {
  /** How many there may be. */
  declare readonly max: number;
  declare private readonly windowMs: number;
  /** The oldest of them. */
  oldest = new Instant(-Infinity, null);
  #count = 1;

  constructor(max: number, windowMs = SECOND_MS) {
    this.max = max;
    this.windowMs = windowMs;
    for (let k = 1; k < Math.min(max, PLACES); k++) this.#widen();
  }

  /** Whether one more may go through at `now`; there is a place for it then. */
  hasRoom(now: number): boolean {
    return now - this.oldest.time >= this.windowMs || this.#widen();
  }

  /** One intent went through at `now`: it takes the place of the oldest. */
  add(now: number): void {
    const oldest = this.oldest;
    oldest.time = now;
    this.oldest = oldest.next;
  }

  /** A place more, if there may be one: the next of the oldest takes its time. Where there is no limit, no time needs to be known. */
  #widen(): boolean {
    const oldest = this.oldest;
    if (this.max === Infinity) return true;
    if (this.#count === this.max) return false;
    oldest.next = new Instant(oldest.time, oldest.next); // hot-ok: growth
    oldest.time = -Infinity;
    this.#count++;
    return true;
  }
}
