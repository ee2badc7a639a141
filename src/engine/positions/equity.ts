/**
 * Filters equity reads of the account (E9). A single read may be wrong: an answer to another request, or empty. A read near the accepted
 * equity is taken as it is; otherwise the accepted equity moves only as far as two consecutive reads agree. One wrong answer cannot close
 * a position, move a high-water mark or size an order. A read that is far off is repeated at once.
 */

/** Two reads agree if they differ by less than this share. The first accepted value needs two that agree. */
const NEAR = 0.05;
/** A read that differs from the accepted value by at most this share is taken at once; one that differs by more is repeated. */
const FAR = 0.005;
/** Shortest time between two repeats. */
const AGAIN_MS = 1_000;

export class EquityFilter {
  /** Accepted equity in money; NaN until two reads agree. */
  accepted = Number.NaN;
  #last = Number.NaN;
  #askedAt = -Infinity;

  /** Takes a read of the equity. True if it should be read again at once. */
  take(read: number, now: number): boolean {
    const last = this.#last;
    this.#last = read;
    if (this.#isNear(read)) this.accepted = read;
    else if (!Number.isNaN(this.accepted)) this.accepted = Math.min(Math.max(this.accepted, Math.min(last, read)), Math.max(last, read));
    else if (Math.abs(last - read) <= NEAR * Math.abs(read)) this.accepted = read;
    if (this.#isNear(read) || now < this.#askedAt + AGAIN_MS) return false;
    this.#askedAt = now;
    return true;
  }

  /** False while nothing is accepted. */
  #isNear(read: number): boolean {
    return Math.abs(read - this.accepted) <= FAR * Math.abs(this.accepted);
  }
}
