/**
 * Computes how much a Sharpe ratio of a sample can be believed. All ratios here are per period, not per year; `kurtosis` is 3 for a normal
 * distribution. Sources: Lo, "The statistics of Sharpe ratios" (2002) and Mertens (2002) for the error; Bailey & López de Prado, "The
 * Sharpe ratio efficient frontier" (2012) for the probabilistic ratio and the least track record.
 */
import { deviation, kurtosis, mean, skewness, type Sample } from './samples/moments.ts';
import { normalCdf, normalQuantile } from './samples/normal.ts';

/** What the error of a Sharpe ratio depends on. */
export interface SharpeSample {
  /** Mean of the returns divided by their standard deviation. */
  readonly sharpe: number;
  /** Number of returns. */
  readonly count: number;
  readonly skew: number;
  readonly kurtosis: number;
}

/** The Sharpe ratio of returns and what its error depends on. A sample that does not vary has a ratio of 0. */
export function sharpeSample(returns: Sample): SharpeSample {
  const spread = deviation(returns);
  if (!(spread > 0)) return { sharpe: 0, count: returns.length, skew: 0, kurtosis: 3 };
  return { sharpe: mean(returns) / spread, count: returns.length, skew: skewness(returns), kurtosis: kurtosis(returns) };
}

/** The variance of one return's share in the ratio (Mertens 2002): 1 + SR²/2 for normal returns. */
const unitVariance = ({ skew, kurtosis: fourth }: SharpeSample, sharpe: number): number =>
  Math.max(1 - skew * sharpe + ((fourth - 1) / 4) * sharpe * sharpe, 0);

/** The standard error of a Sharpe ratio (Mertens 2002, with n − 1 as in Bailey & López de Prado 2012). */
export const sharpeError = (sample: SharpeSample): number => Math.sqrt(unitVariance(sample, sample.sharpe) / (sample.count - 1));

/** The probability that the true Sharpe ratio is above `benchmark`. NaN for fewer than two returns. */
export function probabilisticSharpe(sample: SharpeSample, benchmark: number): number {
  if (sample.count < 2) return Number.NaN;
  return normalCdf((sample.sharpe - benchmark) / sharpeError(sample));
}

/** How many returns are needed until the true ratio is above `benchmark` with probability `confidence`. Infinite when the ratio is not above it. */
export function leastTrackRecord(sample: SharpeSample, benchmark: number, confidence: number): number {
  if (!(sample.sharpe > benchmark)) return Number.POSITIVE_INFINITY;
  return 1 + unitVariance(sample, sample.sharpe) * (normalQuantile(confidence) / (sample.sharpe - benchmark)) ** 2;
}
