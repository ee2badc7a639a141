/**
 * How far the venue's clock is from ours, where they are far apart: what has a venue's time and waits by our clock asks here. Near clocks
 * count as one. @hot
 */

/** Further apart than this is far: opens are halted then as well. */
const FAR_MS = 1_000;
/** An answer that was longer on its way says too little. */
const WITHIN_MS = 1_000;

/** The venue's clock is believed to have leapt by more than this when two answers in a row say so. */
const LEAP_MS = 60_000;

export class VenueOffset {
  /** The venue's clock minus ours; 0 while they are near each other. */
  ms = 0;
  /** The newest time of the venue that is believed; 0 before the first. One answer with a wild time moves it not. */
  newest = 0;
  #heardAt = 0;
  /** The venue's clock minus ours by the last answer that had a time. */
  #last = 0;

  /** An answer came at `now` to a question that left at `sentAt`; the venue's clock said `venueTime`, 0 when it said nothing. */
  heard(venueTime: number, sentAt: number, now: number): void {
    this.#heardAt = now;
    if (venueTime > 0) this.#move(venueTime, now);
    if (venueTime <= 0 || now - sentAt > WITHIN_MS) return;
    const ms = venueTime - (sentAt + now) / 2;
    this.ms = Math.abs(ms) > FAR_MS ? Math.round(ms) : 0;
  }

  #move(venueTime: number, now: number): void {
    const isLeap = Math.abs(venueTime - now - this.#last) > LEAP_MS;
    this.#last = venueTime - now;
    if (!isLeap && (venueTime > this.newest || this.newest > venueTime + LEAP_MS)) this.newest = venueTime;
  }

  /**
   * What to add to a time of the venue to have it by our clock, for something that happened at `venueTime` and was in the last answer. Where
   * that is nearer to our clock than to what the answer said of the venue's, the answer is what is wrong.
   */
  toOurs(venueTime: number): number {
    if (this.ms === 0) return 0;
    const byOurs = Math.abs(venueTime - this.#heardAt);
    return Math.abs(venueTime - this.ms - this.#heardAt) < byOurs ? -this.ms : 0;
  }
}
