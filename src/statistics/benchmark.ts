/** A series of returns against that of a benchmark: columns of equal length, one entry per period. */
import { covariance, deviation, mean, variance, type Sample } from './samples/moments.ts';
import { over } from './ratios.ts';

function difference(returns: Sample, benchmark: Sample): Float64Array {
  const out = new Float64Array(returns.length);
  for (let k = 0; k < out.length; k++) out[k] = returns[k]! - benchmark[k]!;
  return out;
}

/** Slope of the returns over those of the benchmark. Sharpe 1964. */
export function beta(returns: Sample, benchmark: Sample): number {
  return over(covariance(returns, benchmark), variance(benchmark));
}

/** What the mean return has beyond beta times that of the benchmark, compounded to a year. Jensen 1968, risk-free rate 0. */
export function alpha(returns: Sample, benchmark: Sample, perYear: number): number {
  return (1 + mean(returns) - beta(returns, benchmark) * mean(benchmark)) ** perYear - 1;
}

/** Standard deviation of a year of the difference. */
export function trackingError(returns: Sample, benchmark: Sample, perYear: number): number {
  return deviation(difference(returns, benchmark)) * Math.sqrt(perYear);
}

/** Mean difference of a year by its standard deviation. Grinold & Kahn 1995. */
export function informationRatio(returns: Sample, benchmark: Sample, perYear: number): number {
  const active = difference(returns, benchmark);
  return over(mean(active), deviation(active)) * Math.sqrt(perYear);
}
