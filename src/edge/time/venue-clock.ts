/**
 * Estimates the offset of the venue's clock, and chooses the time to sign requests with. The interface has no endpoint for the time, but
 * every envelope has `requestTime`. Public answers are used, because they do not depend on our timestamp. They are compared with the
 * midpoint between sending and receiving.
 */
import type { Clock } from '../../ports/clock.ts';

/** The offset is the median of this many answers. */
const SAMPLES = 9;
/** Fewest answers for an offset. */
const ENOUGH = 5;
/** Answers that took longer are too imprecise. */
const WITHIN_MS = 1_000;
/** Clocks that differ by less count as equal. */
const NEAR_MS = 1_000;
/** Two times in whole milliseconds that differ by this much are more than one millisecond apart. */
const APART_MS = 2;

/** Our clocks: `now` never jumps, `wall` may jump. */
export interface OwnClocks extends Clock {
  wall(): number;
}

interface Sample {
  readonly requestTime: number;
  readonly receivedAt: number;
  /** The venue's time minus ours. */
  readonly offset: number;
}

export class VenueClock implements Clock {
  readonly #own: OwnClocks;
  /** The last answers, the oldest first. */
  readonly #samples: Sample[] = [];
  /** True if requests are signed with the venue's time, because it refused ours and both our clocks are far off. */
  #signsByVenue = false;

  constructor(own: OwnClocks) {
    this.#own = own;
  }

  /** Takes the venue's time from a public answer. `sentAt` and `receivedAt` are in the time of `now`. */
  sample(requestTime: number, sentAt: number, receivedAt: number): void {
    if (receivedAt - sentAt > WITHIN_MS) return;
    // A cache repeats an answer with its time to a question that was asked later. A fast venue answers two questions in one millisecond.
    if (this.#samples.some((one) => one.requestTime === requestTime && sentAt - one.receivedAt >= APART_MS)) return;
    this.#samples.push({ requestTime, receivedAt, offset: requestTime - (sentAt + receivedAt) / 2 });
    if (this.#samples.length > SAMPLES) this.#samples.shift();
  }

  /** The venue's clock minus our monotonic clock; null without enough answers. */
  get offset(): number | null {
    if (this.#samples.length < ENOUGH) return null;
    const sorted = this.#samples.toSorted((a, b) => a.offset - b.offset);
    return sorted[sorted.length >> 1]!.offset;
  }

  /** The venue's clock minus the nearer one of our clocks; null without enough answers. */
  get skew(): number | null {
    const { offset } = this;
    if (offset === null) return null;
    const toWall = this.#own.now() + offset - this.#own.wall();
    return Math.abs(toWall) <= NEAR_MS || Math.abs(toWall) <= Math.abs(offset) ? toWall : offset;
  }

  /** True if the venue agrees with the wall clock; null without enough answers. */
  get agreesWithWall(): boolean | null {
    const { offset } = this;
    return offset === null ? null : Math.abs(this.#own.now() + offset - this.#own.wall()) <= NEAR_MS;
  }

  /**
   * The time to sign with. Normally the wall clock; the monotonic clock if only that agrees with the venue. If neither agrees, the nearer
   * one, or the venue's own time after it has refused that.
   */
  now(): number {
    const { offset } = this;
    const wall = this.#own.wall();
    if (offset === null) return wall;
    const own = this.#own.now();
    const venue = own + offset;
    if (Math.abs(venue - wall) <= NEAR_MS) return wall;
    if (Math.abs(offset) <= NEAR_MS) return own;
    if (this.#signsByVenue) return Math.round(venue);
    return Math.abs(venue - wall) <= Math.abs(offset) ? wall : own;
  }

  /**
   * The venue refused the authentication of a signed request. If the clocks are far apart, the next request is signed with the other time.
   */
  refused(): void {
    const { skew } = this;
    if (skew !== null && Math.abs(skew) > NEAR_MS) this.#signsByVenue = !this.#signsByVenue;
  }
}
