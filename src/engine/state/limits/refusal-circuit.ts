/**
 * A circuit breaker for opens of one symbol: after a number of identical refusals in a row it allows one open at growing intervals. @hot
 */
import { assert } from '../../../base/failure/assert.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

/** The identical refusals of one symbol in a row. */
export class RefusalCircuit {
  /** Number of identical refusals in a row, and their reason. */
  count = 0;
  reason = '';
  /** No open before this time; −Infinity while the circuit is closed. */
  probeAt = -Infinity;
  declare private readonly most: number;
  private delayMs = FIRST_MS;

  constructor(most: number) {
    this.most = most;
  }

  /** An open was approved: with an open circuit it is the only probe of its interval. */
  sent(now: number): void {
    if (this.count >= this.most) this.probeAt = now + this.delayMs;
  }

  /** The venue refused an open. True if that opens the circuit. */
  refused(reason: string, now: number): boolean {
    if (reason !== this.reason) this.accepted();
    this.reason = reason;
    this.count++;
    if (this.count < this.most) return false;
    const isNew = this.count === this.most;
    assert(this.most > 0, 'a circuit opens after refusals', this.most);
    if (!isNew) this.delayMs = Math.min(2 * this.delayMs, LONGEST_MS);
    this.probeAt = now + this.delayMs;
    return isNew;
  }

  /** The venue accepted an open. True if that closes the circuit. */
  accepted(): boolean {
    const wasOpen = this.count >= this.most;
    this.count = 0;
    this.reason = '';
    this.probeAt = -Infinity;
    this.delayMs = FIRST_MS;
    return wasOpen;
  }
}
