/** Limits the number of events in a sliding time window, such as intents per second. @hot */

const SECOND_MS = 1000;

/** Initial slots: more than most strategies need in a second. */
const PLACES = 64;

/** The time of one event, and the next newer slot. */
class Instant {
  declare time: number;
  declare next: Instant;

  constructor(time: number, next: Instant | null) {
    this.time = time;
    this.next = next ?? this;
  }
}

/** Times of the last events in a ring. The ring grows until it holds a full window or `max` events. */
export class RateWindow {
  /** Largest number of events in the window. */
  declare readonly max: number;
  declare private readonly windowMs: number;
  /** The oldest slot. */
  oldest = new Instant(-Infinity, null);
  #count = 1;

  constructor(max: number, windowMs = SECOND_MS) {
    this.max = max;
    this.windowMs = windowMs;
    for (let k = 1; k < Math.min(max, PLACES); k++) this.#widen();
  }

  /** True if one more event is allowed at `now`; a slot is reserved for it. */
  hasRoom(now: number): boolean {
    return now - this.oldest.time >= this.windowMs || this.#widen();
  }

  /** Number of events in the window at `now`. */
  used(now: number): number {
    let count = 0;
    let one = this.oldest;
    do {
      if (now - one.time < this.windowMs) count++;
      one = one.next;
    } while (one !== this.oldest);
    return count;
  }

  /** Records an event at `now` in the slot of the oldest. */
  add(now: number): void {
    const oldest = this.oldest;
    oldest.time = now;
    this.oldest = oldest.next;
  }

  /** Adds a slot if fewer than `max` exist. Without a limit no times are kept. */
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
