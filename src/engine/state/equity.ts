/**
 * The equity as reads of the account (E9) agree on it. One read alone is a claim: it may be the answer to somebody else's question, or
 * empty. What is believed moves only as far as two reads in a row show, so that one wrong answer neither closes a position, nor moves the
 * high from which a loss is counted, nor sizes an order. A read that is far off is asked for again at once.
 */

/** Two reads that differ by less, as a share, agree; before anything is known it takes two that do. */
const NEAR = 0.05;
/** A read that differs by more from what is believed is asked for again. */
const FAR = 0.005;
/** But not more often than this. */
const AGAIN_MS = 1_000;

export class EquityClaim {
  /** Money; NaN until two reads agree. */
  believed = Number.NaN;
  #last = Number.NaN;
  #askedAt = -Infinity;

  /** The equity was read. Whether it should be read again at once. */
  take(read: number, now: number): boolean {
    const last = this.#last;
    this.#last = read;
    if (!Number.isNaN(this.believed)) this.believed = Math.min(Math.max(this.believed, Math.min(last, read)), Math.max(last, read));
    else if (Math.abs(last - read) <= NEAR * Math.abs(read)) this.believed = read;
    const isFar = !(Math.abs(read - this.believed) <= FAR * Math.abs(this.believed));
    if (!isFar || now < this.#askedAt + AGAIN_MS) return false;
    this.#askedAt = now;
    return true;
  }
}
