/**
 * The lanes of the polls: one bottleneck limiter per rate bucket, with priorities, a bounded queue, and back-off. After a refusal a
 * lane is half as fast and comes back step by step. While an exit is undecided, the lanes that tell of orders and positions wait out
 * a short, growing part of a pause instead of all of it. Starting a job costs milliseconds here, which a poll does not mind and an
 * order would.
 */
import { setTimeout } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { AdaptiveRate } from '../../base/adaptive-rate.ts';
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../ports/clock.ts';
import { DroppedError, questionGapMs, type PollLimiter, type PollRequest } from '../../ports/limiter.ts';

export interface PollBucket {
  /** Requests a second the venue allows in this bucket. */
  readonly perSecond: number;
  /** Requests a second kept back for orders in the same bucket. Default 0. */
  readonly reservedPerSecond?: number | undefined;
  /** Its answers decide what became of a close or a cancel. Default: false. */
  readonly decidesExits?: boolean | undefined;
}

export interface PollLaneOptions {
  readonly clock: Clock;
  readonly buckets: Readonly<Record<string, PollBucket>>;
  /** For buckets that are not named. */
  readonly fallback: PollBucket;
  /** Waiting requests per bucket; more are dropped. Default 256. */
  readonly maxWaiting?: number | undefined;
  /** Whether a close or a cancel is undecided. Default: never. */
  readonly isExitOpen?: (() => boolean) | undefined;
}

/** How often a lane that waits out a pause looks whether an exit has become undecided. */
const LOOK_MS = 250;

export interface PollLaneCounts {
  readonly waiting: number;
  readonly running: number;
  readonly started: number;
  readonly merged: number;
  readonly dropped: number;
  readonly backedOffUntil: number;
  /** The share of its rate that the lane uses: less than 1 for a while after a refusal. */
  readonly rateShare: number;
}

export class PollLane implements PollLimiter {
  readonly #options: PollLaneOptions;
  readonly #lanes = new Map<string, Lane>();
  #isStopped = false;

  constructor(options: PollLaneOptions) {
    this.#options = options;
  }

  schedule<T>(request: PollRequest<T>): Promise<T> {
    assert(Number.isInteger(request.priority) && request.priority >= 0 && request.priority <= 9, 'a poll priority is 0 to 9');
    if (this.#isStopped) return Promise.reject(new DroppedError('stopped'));
    return this.#lane(request.bucket).schedule(request);
  }

  backOff(bucket: string, until: number, exitUntil = until): void {
    if (!this.#isStopped) this.#lane(bucket).backOff(until, exitUntil);
  }

  /**
   * Changes how many polls a second a bucket may start; one every ten seconds is the least. The question that is next in line
   * keeps the moment it was given.
   */
  setRate(bucket: string, perSecond: number): void {
    this.#lane(bucket).setRate(perSecond);
  }

  /** Drops what waits and forgets all timers; what runs is left to end. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  /** By bucket, for a status line. */
  counts(): Readonly<Record<string, PollLaneCounts>> {
    return Object.fromEntries([...this.#lanes].map(([bucket, lane]) => [bucket, lane.counts()]));
  }

  #lane(bucket: string): Lane {
    let lane = this.#lanes.get(bucket);
    if (lane === undefined) {
      lane = new Lane(this.#options.buckets[bucket] ?? this.#options.fallback, this.#options);
      this.#lanes.set(bucket, lane);
    }
    return lane;
  }
}

/**
 * The limiter only opens a gate, one question at a time, and the question runs outside of it: so a better priority is behind
 * one other at most, and a back-off holds the gate itself. The gate keeps the time between two questions by a clock that never
 * jumps; bottleneck would keep it by the wall clock, and wait for as long as that was set back.
 */
class Lane {
  readonly #clock: Clock;
  readonly #limiter: Bottleneck;
  readonly #maxWaiting: number;
  /** Keys that wait, with the promise their askers share. */
  readonly #waitingKeys = new Map<string, Promise<unknown>>();
  readonly #stopped = new AbortController();
  #waiting = 0;
  #running = 0;
  #started = 0;
  #merged = 0;
  #dropped = 0;
  #backedOffUntil = 0;
  #exitsBackedOffUntil = 0;
  readonly #isExitOpen: () => boolean;
  readonly #rate = new AdaptiveRate();
  #gapMs: number;
  #nextAt = -Infinity;

  constructor(bucket: PollBucket, options: PollLaneOptions) {
    this.#clock = options.clock;
    this.#maxWaiting = options.maxWaiting ?? 256;
    this.#isExitOpen = bucket.decidesExits === true ? (options.isExitOpen ?? never) : never;
    this.#gapMs = questionGapMs(bucket.perSecond - (bucket.reservedPerSecond ?? 0));
    this.#limiter = new Bottleneck({ maxConcurrent: 1, rejectOnDrop: true });
  }

  schedule<T>(request: PollRequest<T>): Promise<T> {
    const same = request.key === '' ? undefined : this.#waitingKeys.get(request.key);
    if (same !== undefined) {
      this.#merged++;
      return same as Promise<T>;
    }
    if (this.#waiting >= this.#maxWaiting) {
      this.#dropped++;
      return Promise.reject(new DroppedError('queue-full'));
    }
    const job = this.#enqueue(request);
    if (request.key !== '') this.#waitingKeys.set(request.key, job);
    return job;
  }

  backOff(until: number, exitUntil: number): void {
    this.#backedOffUntil = Math.max(this.#backedOffUntil, until);
    this.#exitsBackedOffUntil = Math.max(this.#exitsBackedOffUntil, exitUntil);
    this.#rate.refused(this.#clock.now(), until);
  }

  setRate(perSecond: number): void {
    this.#gapMs = questionGapMs(perSecond);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#limiter.stop({ dropWaitingJobs: true });
    await this.#limiter.disconnect();
  }

  counts(): PollLaneCounts {
    return {
      waiting: this.#waiting,
      running: this.#running,
      started: this.#started,
      merged: this.#merged,
      dropped: this.#dropped,
      backedOffUntil: this.#backedOffUntil,
      rateShare: this.#rate.share(this.#clock.now()),
    };
  }

  async #enqueue<T>(request: PollRequest<T>): Promise<T> {
    this.#waiting++;
    try {
      await this.#limiter.schedule({ priority: request.priority }, () => this.#gate());
    } catch {
      this.#dropped++;
      throw new DroppedError('stopped');
    } finally {
      this.#waiting--;
      if (request.key !== '') this.#waitingKeys.delete(request.key);
    }
    this.#started++;
    this.#running++;
    try {
      return await request.run();
    } finally {
      this.#running--;
    }
  }

  /** Waits for its turn and out every back-off, also one that is lengthened meanwhile. @throws AbortError when the lane stops */
  async #gate(): Promise<void> {
    forgetWallTime(this.#limiter);
    for (;;) {
      const now = this.#clock.now();
      const pausedUntil = this.#isExitOpen() ? this.#exitsBackedOffUntil : this.#backedOffUntil;
      const left = Math.max(pausedUntil, this.#nextAt) - now;
      if (left <= 0) {
        this.#nextAt = now + Math.ceil(this.#gapMs / this.#rate.share(now));
        return;
      }
      await setTimeout(Math.min(left, LOOK_MS), undefined, { signal: this.#stopped.signal });
    }
  }
}

function never(): boolean {
  return false;
}

/** bottleneck notes by the wall clock when its next job may start: forgotten, so that a wall set back makes nothing wait. */
function forgetWallTime(limiter: Bottleneck): void {
  const store: unknown = Reflect.get(limiter, '_store');
  assert(store instanceof Object && Reflect.has(store, '_nextRequest'), 'bottleneck keeps its next start where it did in 2.19.5');
  Reflect.set(store, '_nextRequest', 0);
}
