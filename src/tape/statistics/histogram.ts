/** Distributions and autocorrelations of long series in constant memory. @hot */

/** Numbers below this have a bin each; above, every doubling has as many bins as half of it. */
const FINE = 64;
const BINS = FINE + (FINE / 2) * 48;

/** Whole numbers from 0 to 2^53 in bins at most 3 percent wide. */
export class Histogram {
  count = 0;
  readonly #bins = new Float64Array(BINS);
  #sum = 0;
  #squares = 0;

  add(value: number): void {
    this.count++;
    this.#sum += value;
    this.#squares += value * value;
    this.#bins[binOf(value)]!++;
  }

  get mean(): number {
    return this.count === 0 ? Number.NaN : this.#sum / this.count;
  }

  get deviation(): number {
    const { mean } = this;
    return Math.sqrt(Math.max(0, this.#squares / this.count - mean * mean));
  }

  /** (σ − μ) / (σ + μ): −1 for a clock, 0 for chance without memory, towards 1 for bursts (Goh and Barabási, 2008). */
  get burstiness(): number {
    const { mean, deviation } = this;
    return (deviation - mean) / (deviation + mean);
  }

  /** How many of them are `value`, which is below 64, as a share. */
  share(value: number): number {
    return this.#bins[value]! / this.count;
  }

  /** The value below which so many are, to 3 percent. */
  quantile(share: number): number {
    let left = share * this.count;
    for (let bin = 0; bin < BINS; bin++) {
      left -= this.#bins[bin]!;
      if (left < 0 || (left === 0 && share === 1)) return midOf(bin);
    }
    return Number.NaN;
  }
}

function binOf(value: number): number {
  if (value < FINE) return Math.max(0, Math.floor(value));
  let low = value;
  let octave = 0;
  while (low >= FINE) {
    low /= 2;
    octave++;
  }
  return Math.min(BINS - 1, FINE + (octave - 1) * (FINE / 2) + Math.floor(low) - FINE / 2);
}

function midOf(bin: number): number {
  if (bin < FINE) return bin;
  const octave = Math.floor((bin - FINE) / (FINE / 2)) + 1;
  const low = FINE / 2 + ((bin - FINE) % (FINE / 2));
  return Math.floor((low + 0.5) * 2 ** octave);
}

/** A series' mean, moments and autocorrelation at some lags. */
export class Series {
  count = 0;
  readonly #lags: readonly number[];
  readonly #last: Float64Array;
  readonly #products: Float64Array;
  readonly #pairs: Float64Array;
  #sum = 0;
  #squares = 0;
  #fourth = 0;
  #zeros = 0;

  constructor(lags: readonly number[]) {
    this.#lags = lags;
    this.#last = new Float64Array(Math.max(1, ...lags));
    this.#products = new Float64Array(lags.length);
    this.#pairs = new Float64Array(lags.length);
  }

  add(value: number): void {
    const length = this.#last.length;
    for (let i = 0; i < this.#lags.length; i++) {
      const lag = this.#lags[i]!;
      if (lag > this.count) continue;
      this.#products[i]! += value * this.#last[(this.count - lag) % length]!;
      this.#pairs[i]!++;
    }
    this.#last[this.count % length] = value;
    this.count++;
    this.#sum += value;
    const square = value * value;
    this.#squares += square;
    this.#fourth += square * square;
    if (value === 0) this.#zeros++;
  }

  /** Root of the mean square. */
  get size(): number {
    return Math.sqrt(this.#squares / this.count);
  }

  get variance(): number {
    const mean = this.#sum / this.count;
    return this.#squares / this.count - mean * mean;
  }

  get mean(): number {
    return this.#sum / this.count;
  }

  /** Around nought; 3 for the normal distribution. */
  get kurtosis(): number {
    const square = this.#squares / this.count;
    return this.#fourth / this.count / (square * square);
  }

  get zeros(): number {
    return this.#zeros / this.count;
  }

  /** Autocorrelation at the lag with this place among the lags; NaN when there are fewer than 30 pairs. */
  autocorrelation(place: number): number {
    if (this.#pairs[place]! < 30) return Number.NaN;
    const { mean } = this;
    return (this.#products[place]! / this.#pairs[place]! - mean * mean) / this.variance;
  }
}
