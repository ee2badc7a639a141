/** Counts refusals of a symbol in a row; from some number on it lets one open through at growing intervals. @hot */

const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

/** The refusals of one symbol in a row. */
export class RefusalCircuit {
  /** Refusals alike in a row, and why. */
  count = 0;
  reason = '';
  /** No open before this; −Infinity while there is no reason against one. */
  probeAt = -Infinity;
  declare private readonly most: number;
  private delayMs = FIRST_MS;

  constructor(most: number) {
    this.most = most;
  }

  /** An open was approved: while the circuit is open it is the one probe of its interval. */
  sent(now: number): void {
    if (this.count >= this.most) this.probeAt = now + this.delayMs;
  }

  /** The venue refused an open. True when that opens the circuit. */
  refused(reason: string, now: number): boolean {
    if (reason !== this.reason) this.accepted();
    this.reason = reason;
    this.count++;
    if (this.count < this.most) return false;
    const isNew = this.count === this.most;
    if (!isNew) this.delayMs = Math.min(2 * this.delayMs, LONGEST_MS);
    this.probeAt = now + this.delayMs;
    return isNew;
  }

  /** The venue accepted an open. True when that closes the circuit. */
  accepted(): boolean {
    const wasOpen = this.count >= this.most;
    this.count = 0;
    this.reason = '';
    this.probeAt = -Infinity;
    this.delayMs = FIRST_MS;
    return wasOpen;
  }
}
