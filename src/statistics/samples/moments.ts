/** Moments, quantiles and co-moments of samples. Every function returns NaN for a sample that is too small for it. */
import { partsOf, type PagedColumn } from './columns.ts';
import { ranked } from './selection.ts';

export type Sample = ArrayLike<number>;
/** A sample that may be too long for the memory. */
export type LongSample = Sample | PagedColumn;

export function sum(values: LongSample): number {
  let all = 0;
  for (const part of partsOf(values)) for (let k = 0; k < part.length; k++) all += part[k]!;
  return all;
}

export function mean(values: LongSample): number {
  return sum(values) / values.length;
}

/** Mean of the powers of the deviations from the mean. Products, which are faster than `**`. */
function central(values: LongSample, power: 2 | 3 | 4): number {
  const middle = mean(values);
  let all = 0;
  for (const part of partsOf(values)) {
    for (let k = 0; k < part.length; k++) {
      const off = part[k]! - middle;
      const square = off * off;
      all += power === 2 ? square : power === 3 ? square * off : square * square;
    }
  }
  return all / values.length;
}

/** Divided by n − 1, the unbiased estimate; NaN below two values. */
export function variance(values: LongSample): number {
  const n = values.length;
  return n < 2 ? Number.NaN : (central(values, 2) * n) / (n - 1);
}

/** Square root of `variance`. */
export function deviation(values: LongSample): number {
  return Math.sqrt(variance(values));
}

/** Skewness of the sample itself, g₁ = m₃ / m₂^1.5 (scipy.stats.skew). NaN if all values are equal. */
export function skewness(values: Sample): number {
  const m2 = central(values, 2);
  return m2 > 0 ? central(values, 3) / m2 ** 1.5 : Number.NaN;
}

/** Kurtosis of the sample itself, m₄ / m₂²: 3 for a normal distribution. NaN if all values are equal. */
export function kurtosis(values: Sample): number {
  const m2 = central(values, 2);
  return m2 > 0 ? central(values, 4) / m2 ** 2 : Number.NaN;
}

/** Skewness with the correction for small samples, G₁ (pandas, Excel). NaN below three values. */
export function adjustedSkewness(values: Sample): number {
  const n = values.length;
  return n < 3 ? Number.NaN : (Math.sqrt(n * (n - 1)) / (n - 2)) * skewness(values);
}

/** Excess kurtosis with the correction for small samples, G₂ (pandas, Excel): 0 for a normal distribution. NaN below four values. */
export function adjustedKurtosis(values: Sample): number {
  const n = values.length;
  if (n < 4) return Number.NaN;
  return ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * (kurtosis(values) - 3) + 6);
}

/** Divided by n − 1. Both samples have the same length. */
export function covariance(a: Sample, b: Sample): number {
  const n = a.length;
  if (n < 2) return Number.NaN;
  const [meanA, meanB] = [mean(a), mean(b)];
  let all = 0;
  for (let k = 0; k < n; k++) all += (a[k]! - meanA) * (b[k]! - meanB);
  return all / (n - 1);
}

/** Pearson's correlation, −1 to 1; NaN if one of the samples is constant. */
export function correlation(a: Sample, b: Sample): number {
  const scale = deviation(a) * deviation(b);
  return scale > 0 ? covariance(a, b) / scale : Number.NaN;
}

/** Correlation of the sample with itself `lag` entries later, by the mean and variance of the whole sample. */
export function autocorrelation(values: Sample, lag: number): number {
  const n = values.length;
  const whole = central(values, 2) * n;
  if (lag >= n || !(whole > 0)) return Number.NaN;
  const middle = mean(values);
  let all = 0;
  for (let k = lag; k < n; k++) all += (values[k]! - middle) * (values[k - lag]! - middle);
  return all / whole;
}

/** `share` of 0 to 1 of a sample sorted upwards, linear between values (type 7 of Hyndman & Fan 1996, the default of numpy). */
export function quantileOfSorted(sorted: Sample, share: number): number {
  return quantileOfRanks(sorted.length, share, (rank) => sorted[rank]!);
}

/** The same of a sample in any order. */
export function quantile(values: LongSample, share: number): number {
  if ('parts' in values) return quantileOfRanks(values.length, share, (rank) => ranked(values, rank));
  return quantileOfSorted(Float64Array.from(values).sort(), share);
}

function quantileOfRanks(n: number, share: number, valueAt: (rank: number) => number): number {
  if (n === 0) return Number.NaN;
  const at = (n - 1) * share;
  const low = Math.floor(at);
  const below = valueAt(low);
  return low === at ? below : below + (at - low) * (valueAt(low + 1) - below);
}

export function median(values: LongSample): number {
  return quantile(values, 0.5);
}
