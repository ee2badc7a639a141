/**
 * The venue's clock as its answers show it: its offset to ours, and which answers fit it. An answer was made between its query and its
 * arrival, so its time is within these bounds of the offset. One that is older is a copy, or from a server with another clock; so is one
 * from the future. The offset jumps only to a clock that several answers share and that runs with ours. The client that signs requests has
 * an estimate of its own (edge/time/venue-clock.ts), because it needs one before the kernel exists. The offset here is computed from events
 * only, so that a session replays. @hot
 */
import { assert } from '../../base/failure/assert.ts';
import { CLOCK_SLEW } from '../../ports/clock.ts';
import { FutureTimes } from './future-times.ts';
import { OtherClocks } from './other-clocks.ts';
import { PastClocks } from './past-clocks.ts';

/** A larger offset counts as far: venue times are converted, and opens are halted. A smaller one counts as none. */
const FAR_MS = 1_000;
/** Servers of the venue may differ by this much. A younger copy is within the lag of every list. */
const SLACK_MS = 1_000;
/** How long the clock of the first answer has to run with ours: a cache that repeats an answer shows a time that does not. */
const RUNS_MS = 1_000;

export class VenueOffset {
  /** Venue clock minus ours in milliseconds; 0 if they are close. */
  ms = 0;
  /** Newest accepted venue time; 0 before the first. It goes back only with an accepted other clock. */
  newest = 0;
  /**
   * Milliseconds by which the clock of the last answer differs from the accepted one: below zero for an older one. 0 if it fits. Of a copy
   * it is the difference when the answer was heard first.
   */
  offBy = 0;
  /** How often another clock was accepted, and by how much the last one differed. */
  moves = 0;
  movedBy = 0;
  /** True while public answers have another clock than the accepted one, and none has had that since it was accepted. */
  isAlone = false;
  #isPublic = false;
  #heardAt = 0;
  #firstTime = Infinity;
  /** The offset is between these. Each answer narrows them, time widens them: so answers that fall behind more and more do not move them. */
  #least = Number.NaN;
  #most = Number.NaN;
  readonly #others = new OtherClocks();
  readonly #future = new FutureTimes();
  readonly #past = new PastClocks();

  /** The differences to our clock, in milliseconds, that the time in a record may have: the venue wrote it by the clock of that moment. */
  get ofRecords(): readonly number[] {
    return [...new Set([this.ms, ...this.#past.all])]; // hot-ok: only for records that may be of a trigger order
  }

  /** The smallest of these differences for a record that the venue wrote at our time `at` or later. */
  leastSince(at: number): number {
    return this.#past.leastSince(at, this.ms);
  }

  /** True once the clock of the first answer has run with ours, or another one was accepted. */
  get isProven(): boolean {
    return this.moves > 0 || this.newest - this.#firstTime >= RUNS_MS;
  }

  get #offset(): number {
    return (this.#least + this.#most) / 2;
  }

  /**
   * Takes the venue time of an answer of this kind that arrived at `now`; its query left at `sentAt`. `venueTime` is 0 if the answer has
   * none. True if the answer fits the venue's clock.
   */
  heard(kind: string, isPublic: boolean, venueTime: number, sentAt: number, now: number): boolean {
    const drift = Math.max(0, CLOCK_SLEW * (now - this.#heardAt));
    this.#heardAt = now;
    this.offBy = 0;
    if (venueTime <= 0) return true;
    const least = venueTime - now;
    const most = venueTime - Math.min(sentAt, now);
    if (Number.isNaN(this.#least)) {
      this.#past.firstAt = now;
      this.#firstTime = venueTime;
      this.#set(least, most);
    }
    this.#set(this.#least - drift, this.#most + drift);
    if (most < this.#least - SLACK_MS || least > this.#most + SLACK_MS) {
      this.offBy = Math.round((least + most) / 2 - this.#offset);
      if (isPublic && !this.#isPublic) this.isAlone = true;
      if (this.offBy > 0) this.#future.saw(kind, venueTime, this.offBy);
      return this.#isProof(kind, isPublic, venueTime, least, most, now);
    }
    this.offBy = this.#future.aheadMsOf(kind, venueTime);
    if (this.offBy > 0) return false;
    this.#others.contradicted(isPublic, least, most);
    this.#agrees(isPublic);
    if (least <= this.#most && most >= this.#least) this.#set(Math.max(this.#least, least), Math.min(this.#most, most));
    this.newest = Math.max(this.newest, venueTime);
    return true;
  }

  #set(least: number, most: number): void {
    assert(least <= most, 'the bounds of the offset are in order', least - most);
    this.#least = least;
    this.#most = most;
    const offset = this.#offset;
    this.ms = Math.abs(offset) > FAR_MS ? Math.round(offset) : 0;
  }

  /** An answer has the accepted clock. */
  #agrees(isPublic: boolean): void {
    if (!isPublic) return;
    this.#isPublic = true;
    this.isAlone = false;
  }

  /** An answer of another clock. True if it is the one that proves it, and the clock is accepted now. */
  #isProof(kind: string, isPublic: boolean, venueTime: number, least: number, most: number, now: number): boolean {
    const offset = this.#others.proven(kind, isPublic, venueTime, least, most, now);
    if (Number.isNaN(offset)) return false;
    this.moves++;
    this.movedBy = Math.round(offset - this.#offset);
    this.#past.ended(this.ms, now);
    this.#set(offset, offset);
    this.newest = venueTime;
    this.offBy = 0;
    this.#isPublic = this.#others.wasPublic;
    this.isAlone = !this.#isPublic;
    return true;
  }

  /** Our time by which an answer with this venue time was made; Infinity if it has none. A copy of an answer was made before it was asked for. */
  madeBy(venueTime: number): number {
    return venueTime > 0 ? venueTime - this.#least : Infinity;
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
