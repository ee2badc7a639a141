/** Several series of returns side by side: how they move together, and which part of the whole's risk each of them has. */
import { correlation, covariance, variance, type Sample } from './moments.ts';
import { over } from './ratios.ts';

/** Pearson's correlation of each series with each; NaN where one of them is constant, 1 of a series with itself. */
export function correlationMatrix(series: readonly Sample[]): number[][] {
  return series.map((a, i) => series.map((b, k) => (i === k ? 1 : correlation(a, b))));
}

/**
 * Share of the variance of the whole that each part contributes: cov(part, whole) / var(whole), which add up to 1 if the parts add up to
 * the whole (Litterman 1996, "Hot Spots and Hedges"; the derivative of the volatility by the weight, times the weight). A part below 0
 * is a hedge. NaN if the whole is constant.
 */
export function riskShares(parts: readonly Sample[], whole: Sample): number[] {
  const total = variance(whole);
  return parts.map((part) => over(covariance(part, whole), total));
}
