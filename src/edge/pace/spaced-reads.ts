/**
 * Reads of public data apart from the polls of a bot, spaced by bottleneck: the most urgent first, in a bounded queue, slower after a
 * refusal. Starting a read takes milliseconds here, which does not matter because no bot trades on the answer. The only importer of
 * bottleneck.
 */
import { setTimeout } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { AdaptiveRate } from '../../base/adaptive-rate.ts';
import { assert } from '../../base/failure/assert.ts';
import type { Clock } from '../../ports/clock.ts';
import { DroppedError, queryGapMs } from '../../ports/limiter.ts';

export interface SpacedReadsOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  /** Reads that may wait; more are dropped. Default 256. */
  readonly maxWaiting?: number | undefined;
}

/** How often a read that waits for its turn looks at the clock. */
const LOOK_MS = 250;

/**
 * bottleneck keeps the queue and opens a gate, one read at a time; the read runs outside of it. The gate measures the gaps by a clock
 * that never jumps. bottleneck itself would use the wall clock, and wait for as long as that was set back.
 */
export class SpacedReads {
  readonly #clock: Clock;
  readonly #gapMs: number;
  readonly #maxWaiting: number;
  readonly #queue = new Bottleneck({ maxConcurrent: 1, rejectOnDrop: true });
  readonly #stopped = new AbortController();
  readonly #rate = new AdaptiveRate();
  #waiting = 0;
  #nextAt = -Infinity;
  #pausedUntil = -Infinity;

  constructor({ clock, perSecond, maxWaiting = 256 }: SpacedReadsOptions) {
    this.#clock = clock;
    this.#gapMs = queryGapMs(perSecond);
    this.#maxWaiting = maxWaiting;
  }

  /** Runs `read` when it is its turn, 0 before 9. @throws DroppedError, or rejects as `read` does */
  async schedule<T>(priority: number, read: () => Promise<T>): Promise<T> {
    assert(Number.isInteger(priority) && priority >= 0 && priority <= 9, 'a priority is 0 to 9');
    if (this.#stopped.signal.aborted) throw new DroppedError('stopped');
    if (this.#waiting >= this.#maxWaiting) throw new DroppedError('queue-full');
    this.#waiting++;
    try {
      await this.#queue.schedule({ priority }, () => this.#gate());
    } catch {
      throw new DroppedError('stopped');
    } finally {
      this.#waiting--;
    }
    return read();
  }

  /** Starts nothing before `until` (milliseconds since 1970), and is slower for a while afterwards. */
  backOff(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    this.#rate.refused(this.#clock.now(), until);
  }

  /** Drops what waits; what runs is left to end. */
  async stop(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    this.#stopped.abort();
    await this.#queue.stop({ dropWaitingJobs: true });
    await this.#queue.disconnect();
  }

  /** Waits for the gap and for every pause, also one that is lengthened meanwhile. @throws AbortError when the reads stop */
  async #gate(): Promise<void> {
    forgetWallTime(this.#queue);
    for (;;) {
      const now = this.#clock.now();
      const left = Math.max(this.#pausedUntil, this.#nextAt) - now;
      if (left <= 0) {
        this.#nextAt = now + Math.ceil(this.#gapMs / this.#rate.share(now));
        return;
      }
      await setTimeout(Math.min(left, LOOK_MS), undefined, { signal: this.#stopped.signal });
    }
  }
}

/** bottleneck notes by the wall clock when its next job may start. That is forgotten, so that a wall set back delays nothing. */
function forgetWallTime(queue: Bottleneck): void {
  const store: unknown = Reflect.get(queue, '_store');
  assert(store instanceof Object && Reflect.has(store, '_nextRequest'), 'bottleneck keeps its next start where it did in 2.19.5');
  Reflect.set(store, '_nextRequest', 0);
}
