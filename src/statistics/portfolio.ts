/** Several series of returns side by side: how they move together, which part of the whole's risk each has, and how to spread money over them. */
import { correlation, covariance, deviation, variance, type Sample } from './samples/moments.ts';
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

/** Weights in proportion to 1 / volatility, together 1. Null if one of the volatilities is not above 0. */
export function inverseVolatility(series: readonly Sample[]): number[] | null {
  const inverse = series.map((one) => 1 / deviation(one));
  return inverse.every((one) => one > 0 && Number.isFinite(one)) ? normalised(inverse) : null;
}

export function covarianceMatrix(series: readonly Sample[]): number[][] {
  return series.map((a) => series.map((b) => covariance(a, b)));
}

const SWEEPS = 10_000;
const CLOSE_ENOUGH = 1e-13;

/**
 * Weights above 0, together 1, with which each part contributes the same to the variance: wᵢ (Σw)ᵢ is equal for all i (Maillard, Roncalli &
 * Teïletche 2010, "The Properties of Equally Weighted Risk Contribution Portfolios"). They minimise ½ xᵀΣx − Σ ln xᵢ (Spinu 2013), solved by
 * cyclical coordinate descent: xᵢ = (−sᵢ + √(sᵢ² + 4 Σᵢᵢ)) / (2 Σᵢᵢ) with sᵢ = Σ_{k≠i} Σᵢₖ xₖ (Griveau-Billion, Richard & Roncalli 2013).
 * Null if a variance is not above 0, or if the descent does not settle, as with a part that hedges all others without risk left.
 */
export function riskParity(covariances: readonly (readonly number[])[]): number[] | null {
  if (!covariances.every((row, i) => row[i]! > 0 && row.every(Number.isFinite))) return null;
  // In units of the volatilities, so that the size of the returns does not matter.
  const scale = covariances.map((row, i) => Math.sqrt(row[i]!));
  const matrix = covariances.map((row, i) => row.map((one, k) => one / (scale[i]! * scale[k]!)));
  const x = scale.map(() => 1);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let change = 0;
    for (const [i, row] of matrix.entries()) {
      let others = 0;
      for (let k = 0; k < x.length; k++) if (k !== i) others += row[k]! * x[k]!;
      const next = (-others + Math.sqrt(others * others + 4 * row[i]!)) / (2 * row[i]!);
      change = Math.max(change, Math.abs(next - x[i]!) / x[i]!);
      x[i] = next;
    }
    if (change < CLOSE_ENOUGH) return normalised(x.map((one, i) => one / scale[i]!));
  }
  return null;
}

function normalised(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, one) => sum + one, 0);
  return weights.map((one) => one / total);
}
