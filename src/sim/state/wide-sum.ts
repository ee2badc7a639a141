/** @hot Exact sums of any size: the money of all accounts together can exceed the exact range of a double. */

/** Bound of the low part, so that adding an amount to it is exact. */
const PART = 2 ** 52;
/** Amounts are split into a part above and a part below it. */
const HALF = 2 ** 26;
/** Initial value of double fields. It is not a small integer, so V8 stores the field as a double from the start. */
const WIDE = 0.5;

export class WideSum {
  /** The sum is high · 2⁵² + low. */
  high = 0;
  low = WIDE;

  constructor() {
    this.low = 0;
  }

  /** Adds a safe integer of absolute value at most 2⁵². */
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

  /** The sum as a number, rounded beyond 2⁵³. */
  value(): number {
    return this.high * PART + this.low;
  }
}

/** Tells whether many amounts add up to zero. */
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
