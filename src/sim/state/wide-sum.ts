/** @hot Sums over all accounts, which together may have more money than one number tells exactly: any size, to the last digit. */

/** A part of a sum stays below it, so that it and the next amount together are exact. */
const PART = 2 ** 52;
/** Amounts are added up in two pieces, above and below it. */
const HALF = 2 ** 26;
/** Set at first to a number that is not a small integer, so that the field never changes its representation. */
const WIDE = 0.5;

export class WideSum {
  /** The sum is high · 2^52 + low. */
  high = 0;
  low = WIDE;

  constructor() {
    this.low = 0;
  }

  /** Adds a safe integer of at most 2^52 either way. */
  add(amount: number): void {
    const sum = this.low + amount;
    if (sum >= PART) {
      this.high++;
      this.low = sum - PART;
    } else if (sum <= -PART) {
      this.high--;
      this.low = sum + PART;
    } else this.low = sum;
  }

  /** The sum as a number, which beyond 2^53 is rounded. */
  value(): number {
    return this.high * PART + this.low;
  }
}

/** Finds out whether many amounts come to nothing. */
export class ZeroSum {
  #high = 0;
  #low = 0;

  /** Adds a safe integer. */
  add(amount: number): void {
    const high = Math.floor(amount / HALF);
    this.#high += high;
    this.#low += amount - high * HALF;
  }

  addSum({ high, low }: WideSum): void {
    this.#high += high * HALF;
    this.add(low);
  }

  isZero(): boolean {
    return this.#high + this.#low / HALF === 0;
  }
}
