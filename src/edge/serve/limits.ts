/** Rate limits of the paper exchange: one token bucket for each caller and endpoint group. Off where no figure is given. */
import type { Bucket } from '../../contract/endpoints/costs.ts';

export interface BucketLimit {
  /** Tokens that come back per second. */
  readonly perSecond: number;
  /** Most tokens a bucket holds. Default: perSecond. */
  readonly burst?: number | undefined;
}

/** Bucket of the contract → its limit. */
export type Limits = Readonly<Partial<Record<Bucket, BucketLimit>>>;

interface Level {
  /** Thousandths of a token, so that a refill in milliseconds stays exact. */
  thousandths: number;
  time: number;
}

/** Callers remembered at once; the longest unused is forgotten, which only ever gives it a full bucket again. */
const CALLERS_MAX = 10_000;

export class RateLimits {
  readonly #limits: Limits;
  readonly #buckets = new Map<string, Level>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Takes `weight` tokens at `now` (milliseconds). 0 when allowed, else the milliseconds until it would be. */
  take(caller: string, bucketName: Bucket, weight: number, now: number): number {
    const limit = this.#limits[bucketName];
    if (limit === undefined) return 0;
    const most = (limit.burst ?? limit.perSecond) * 1000;
    const id = `${bucketName} ${caller}`;
    const bucket = this.#buckets.get(id) ?? { thousandths: most, time: now };
    this.#buckets.delete(id);
    this.#buckets.set(id, bucket);
    this.#forgetOldest();
    bucket.thousandths = Math.min(most, bucket.thousandths + Math.max(0, now - bucket.time) * limit.perSecond);
    bucket.time = now;
    const missing = weight * 1000 - bucket.thousandths;
    if (missing > 0) return Math.ceil(missing / limit.perSecond);
    bucket.thousandths -= weight * 1000;
    return 0;
  }

  #forgetOldest(): void {
    if (this.#buckets.size <= CALLERS_MAX) return;
    const oldest = this.#buckets.keys().next();
    if (!oldest.done) this.#buckets.delete(oldest.value);
  }
}
