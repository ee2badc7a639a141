/**
 * Whether the venue is reached at all. A venue that is away fails every question at once: that is told in one line, which comes
 * ever more seldom while it lasts, and in another when the venue is back.
 */
import type { Log } from '../../ports/log.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 64_000;

export class Reach {
  readonly #log: Log;
  #awaySince = -1;
  #failures = 0;
  #nextLineAt = 0;
  #pauseMs = FIRST_MS;

  constructor(log: Log) {
    this.#log = log;
  }

  /** A question found nobody. `detail` says where it was sent. */
  failed(cause: string, detail: string, now: number): void {
    if (this.#awaySince < 0) {
      this.#awaySince = now;
      this.#nextLineAt = now;
      this.#pauseMs = FIRST_MS;
      this.#failures = 0;
    }
    this.#failures++;
    if (now < this.#nextLineAt) return;
    this.#log.warn('venue-unreachable', { cause, detail, failures: this.#failures, forMs: now - this.#awaySince });
    this.#nextLineAt = now + this.#pauseMs;
    this.#pauseMs = Math.min(LONGEST_MS, 2 * this.#pauseMs);
  }

  /** A question was answered. */
  answered(now: number): void {
    if (this.#awaySince < 0) return;
    this.#log.info('venue-reached', { afterMs: now - this.#awaySince });
    this.#awaySince = -1;
  }
}
