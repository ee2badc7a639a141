/**
 * Logs the connectivity of the venue. An unreachable venue fails every query at once, so that one log line covers all of them. It is
 * repeated at growing intervals, and another line follows when the venue answers again.
 */
import type { Log } from '../../ports/log.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 64_000;

export class Connectivity {
  readonly #log: Log;
  #awaySince = -1;
  #failures = 0;
  #nextLineAt = 0;
  #pauseMs = FIRST_MS;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Called for a query that could not reach the venue. `detail` names the address. */
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

  /** Called for a query that was answered. */
  answered(now: number): void {
    if (this.#awaySince < 0) return;
    this.#log.info('venue-reached', { afterMs: now - this.#awaySince });
    this.#awaySince = -1;
  }
}
