/**
 * The offset between the venue's clock and ours, if they are far apart. It converts venue times to our clock for timers. A small offset
 * counts as none. The client that signs requests has an estimate of its own (edge/time/venue-clock.ts), because it needs one before the
 * kernel exists. The offset here is computed from events only, so that a session replays. @hot
 */

/** A larger offset counts as far; opens are halted then too. */
const FAR_MS = 1_000;
/** An answer with a longer round trip is too inexact. */
const WITHIN_MS = 1_000;

/** How long answers may show an earlier time before the venue's clock counts as set back: copies of answers show one as well. */
const CLOCK_BACK_MS = 30_000;
/** A jump of the venue's clock by more than this needs two answers in a row. */
const LEAP_MS = 60_000;

export class VenueOffset {
  /** Venue clock minus ours in milliseconds; 0 if they are close. */
  ms = 0;
  /** Newest accepted venue time; 0 before the first. A single outlier does not change it. */
  newest = 0;
  /** When it was heard. */
  #newestAt = 0;
  #heardAt = 0;
  /** Venue clock minus ours by the last answer with a time. */
  #last = 0;

  /** Takes the venue time of an answer that arrived at `now`; its query left at `sentAt`. `venueTime` is 0 if the answer has none. */
  heard(venueTime: number, sentAt: number, now: number): void {
    this.#heardAt = now;
    // A cache repeats an answer with its time to a question that was asked later.
    const isCopy = venueTime <= this.newest && sentAt > this.#newestAt && now < this.#newestAt + CLOCK_BACK_MS;
    if (venueTime > 0) this.#move(venueTime, now);
    if (venueTime <= 0 || isCopy || now - sentAt > WITHIN_MS) return;
    const ms = venueTime - (sentAt + now) / 2;
    this.ms = Math.abs(ms) > FAR_MS ? Math.round(ms) : 0;
  }

  #move(venueTime: number, now: number): void {
    const isLeap = Math.abs(venueTime - now - this.#last) > LEAP_MS;
    this.#last = venueTime - now;
    if (isLeap || (venueTime <= this.newest && this.newest <= venueTime + LEAP_MS)) return;
    this.newest = venueTime;
    this.#newestAt = now;
  }

  /**
   * What to add to `venueTime`, from the last answer, to get our time. If the event's time is closer to our clock than to the venue's
   * reported clock, the reported clock is wrong and the result is 0.
   */
  toOurs(venueTime: number): number {
    if (this.ms === 0) return 0;
    const byOurs = Math.abs(venueTime - this.#heardAt);
    return Math.abs(venueTime - this.ms - this.#heardAt) < byOurs ? -this.ms : 0;
  }
}
