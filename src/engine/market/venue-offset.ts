/**
 * The venue's clock as its answers show it: its offset to ours, and which answers fit it. An answer was made between its query and its
 * arrival, so its time is within these bounds of the offset. One that is older is a copy, or from a server with another clock; so is one
 * from the future. The offset jumps only to a clock that several answers share and that runs with ours. The client that signs requests has
 * an estimate of its own (edge/time/venue-clock.ts), because it needs one before the kernel exists. The offset here is computed from events
 * only, so that a session replays. @hot
 */
import { OtherClocks } from './other-clocks.ts';

/** A larger offset counts as far: venue times are converted, and opens are halted. A smaller one counts as none. */
const FAR_MS = 1_000;
/** Servers of the venue may differ by this much. A younger copy is within the lag of every list. */
const SLACK_MS = 1_000;

export class VenueOffset {
  /** Venue clock minus ours in milliseconds; 0 if they are close. */
  ms = 0;
  /** Newest accepted venue time; 0 before the first. It goes back only with an accepted other clock. */
  newest = 0;
  /** Milliseconds by which the clock of the last answer differs from the accepted one: below zero for an older one. 0 if it fits. */
  offBy = 0;
  /** How often another clock was accepted, and by how much the last one differed. */
  moves = 0;
  movedBy = 0;
  #heardAt = 0;
  #offset = Number.NaN;
  readonly #others = new OtherClocks();

  /**
   * Takes the venue time of an answer of this kind that arrived at `now`; its query left at `sentAt`. `venueTime` is 0 if the answer has
   * none. True if the answer fits the venue's clock.
   */
  heard(kind: string, isPublic: boolean, venueTime: number, sentAt: number, now: number): boolean {
    this.#heardAt = now;
    this.offBy = 0;
    if (venueTime <= 0) return true;
    const least = venueTime - now;
    const most = venueTime - Math.min(sentAt, now);
    if (Number.isNaN(this.#offset)) this.#offset = (least + most) / 2;
    if (most < this.#offset - SLACK_MS || least > this.#offset + SLACK_MS) {
      this.offBy = Math.round((least + most) / 2 - this.#offset);
      return this.#isProof(kind, isPublic, venueTime, least, most, now);
    }
    this.#others.contradicted(isPublic);
    this.#offset = Math.min(Math.max(this.#offset, least), most);
    this.newest = Math.max(this.newest, venueTime);
    this.ms = Math.abs(this.#offset) > FAR_MS ? Math.round(this.#offset) : 0;
    return true;
  }

  /** An answer of another clock. True if it is the one that proves it, and the clock is accepted now. */
  #isProof(kind: string, isPublic: boolean, venueTime: number, least: number, most: number, now: number): boolean {
    const offset = this.#others.proven(kind, isPublic, venueTime, least, most, now);
    if (Number.isNaN(offset)) return false;
    this.moves++;
    this.movedBy = Math.round(offset - this.#offset);
    this.#offset = offset;
    this.newest = venueTime;
    this.offBy = 0;
    this.ms = Math.abs(offset) > FAR_MS ? Math.round(offset) : 0;
    return true;
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
