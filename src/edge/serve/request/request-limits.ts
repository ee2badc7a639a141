/** Rate limits of the paper exchange: one token bucket per caller and endpoint group. Groups without a limit are unlimited. */
import { RecentMap } from '../../../base/collections/recent-map.ts';
import type { Bucket } from '../../../contract/endpoints/costs.ts';

export interface BucketLimit {
  /** Tokens added per second. */
  readonly perSecond: number;
  /** Most tokens a bucket holds. Default: perSecond. */
  readonly burst?: number | undefined;
}

/** Limit by the contract's rate bucket. */
export type Limits = Readonly<Partial<Record<Bucket, BucketLimit>>>;

interface Level {
  /** Thousandths of a token, so that a refill per millisecond is exact. */
  thousandths: number;
  time: number;
}

/** Number of callers that are kept at least. One unused for longer is forgotten; its next request then finds a full bucket. */
const CALLERS = 10_000;

export class RateLimits {
  readonly #limits: Limits;
  readonly #buckets = new RecentMap<string, Level>(CALLERS);

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Takes `weight` tokens at `now` (milliseconds). Returns 0 if allowed, else the milliseconds to wait. */
  take(caller: string, bucketName: Bucket, weight: number, now: number): number {
    const limit = this.#limits[bucketName];
    if (limit === undefined) return 0;
    const most = (limit.burst ?? limit.perSecond) * 1000;
    const id = `${bucketName} ${caller}`;
    const bucket = this.#buckets.get(id) ?? { thousandths: most, time: now };
    this.#buckets.set(id, bucket);
    bucket.thousandths = Math.min(most, bucket.thousandths + Math.max(0, now - bucket.time) * limit.perSecond);
    bucket.time = now;
    const missing = weight * 1000 - bucket.thousandths;
    if (missing > 0) return Math.ceil(missing / limit.perSecond);
    bucket.thousandths -= weight * 1000;
    return 0;
  }
}
