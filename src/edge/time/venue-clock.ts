/**
 * How far the venue's clock is from ours, and which time a request is signed with. The interface has no call for the time, but each
 * envelope has `requestTime`: the public ones, which carry no timestamp of ours, are compared with the middle of their way.
 */
import type { Clock } from '../../ports/clock.ts';

/** The offset is the median of so many answers. */
const SAMPLES = 9;
/** So many are enough to go by. */
const ENOUGH = 5;
/** An answer that took longer says too little of the moment at which it was made. */
const WITHIN_MS = 1_000;
/** Clocks that are nearer to each other count as the same. */
const NEAR_MS = 1_000;

/** Our clocks: `now` never jumps, `wall` may. */
export interface OwnClocks extends Clock {
  wall(): number;
}

export class VenueClock implements Clock {
  readonly #own: OwnClocks;
  /** The venue's time minus ours, of the last answers, oldest first. */
  readonly #samples: number[] = [];
  /** The venue refused a request signed by our clocks, both of which are far from its own. */
  #signsByVenue = false;

  constructor(own: OwnClocks) {
    this.#own = own;
  }

  /** A public answer: what the venue's clock said, and when the question left and the answer came by `now` of ours. */
  sample(requestTime: number, sentAt: number, receivedAt: number): void {
    if (receivedAt - sentAt > WITHIN_MS) return;
    this.#samples.push(requestTime - (sentAt + receivedAt) / 2);
    if (this.#samples.length > SAMPLES) this.#samples.shift();
  }

  /** The venue's clock minus the one that never jumps; null before there are enough answers. */
  get offset(): number | null {
    if (this.#samples.length < ENOUGH) return null;
    const sorted = this.#samples.toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1]!;
  }

  /** The venue's clock minus the nearer one of ours; null before there are enough answers. */
  get skew(): number | null {
    const { offset } = this;
    if (offset === null) return null;
    const toWall = this.#own.now() + offset - this.#own.wall();
    return Math.abs(toWall) <= NEAR_MS || Math.abs(toWall) <= Math.abs(offset) ? toWall : offset;
  }

  /** Whether the venue agrees with the wall clock; null before there are enough answers. */
  get agreesWithWall(): boolean | null {
    const { offset } = this;
    return offset === null ? null : Math.abs(this.#own.now() + offset - this.#own.wall()) <= NEAR_MS;
  }

  /**
   * The time to sign with: the wall, unless it was set wrong and the venue agrees with the clock that never jumps. Where the venue
   * agrees with neither, the nearer one of ours, or the venue's own once it has refused that.
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

  /** The venue did not recognise a signed request: where the clocks are far apart, it is signed by the other one next time. */
  refused(): void {
    const { skew } = this;
    if (skew !== null && Math.abs(skew) > NEAR_MS) this.#signsByVenue = !this.#signsByVenue;
  }
}
