/** Moving averages on plain numbers: one value in, one out, constant time per step. */

/** An incremental indicator. */
export interface Indicator {
  /** Takes the next value and returns the new result (NaN until `isReady`). @throws RangeError if `value` is not finite */
  next(value: number): number;
  /** The newest result; NaN until `isReady`. */
  readonly value: number;
  /** True once a whole period of values has been taken. */
  readonly isReady: boolean;
}

function checkPeriod(period: number): void {
  if (!(Number.isSafeInteger(period) && period >= 1)) throw new RangeError(`a period is an integer of at least 1, found ${period}`);
}

function checkValue(value: number): void {
  if (!Number.isFinite(value)) throw new RangeError(`an indicator takes finite numbers, found ${value}`);
}

/** Mean of the last `period` values. The sum is recomputed once per period, so that rounding errors do not accumulate. */
class SimpleMovingAverage implements Indicator {
  readonly #window: Float64Array;
  #at = 0;
  #sum = 0;
  isReady = false;
  value = Number.NaN;

  constructor(period: number) {
    checkPeriod(period);
    this.#window = new Float64Array(period);
  }

  next(value: number): number {
    checkValue(value);
    const window = this.#window;
    this.#sum += value - window[this.#at]!;
    window[this.#at] = value;
    if (++this.#at === window.length) {
      this.#at = 0;
      this.isReady = true;
      this.#sum = 0;
      for (let i = 0; i < window.length; i++) this.#sum += window[i]!;
    }
    if (this.isReady) this.value = this.#sum / window.length;
    return this.value;
  }
}

/** value + alpha · (next − value) with alpha = 2 / (period + 1), seeded by the mean of the first `period` values. */
class ExponentialMovingAverage implements Indicator {
  readonly #period: number;
  readonly #alpha: number;
  #count = 0;
  #sum = 0;
  isReady = false;
  value = Number.NaN;

  constructor(period: number) {
    checkPeriod(period);
    this.#period = period;
    this.#alpha = 2 / (period + 1);
  }

  next(value: number): number {
    checkValue(value);
    if (this.isReady) {
      this.value += this.#alpha * (value - this.value);
    } else {
      this.#sum += value;
      if (++this.#count === this.#period) {
        this.isReady = true;
        this.value = this.#sum / this.#period;
      }
    }
    return this.value;
  }
}

/** Simple moving average over `period` values. @throws RangeError if the period is not an integer ≥ 1 */
export function sma(period: number): Indicator {
  return new SimpleMovingAverage(period);
}

/** Exponential moving average, alpha = 2 / (period + 1), seeded by the simple mean. @throws RangeError if the period is invalid */
export function ema(period: number): Indicator {
  return new ExponentialMovingAverage(period);
}
