/** Sharpe's ratio of a year. sharpe.ts says how far it can be believed. `returns` are simple returns of equal periods, `perYear` their number in a year. */
import { autocorrelation, deviation, mean, type Sample } from './samples/moments.ts';

/** Mean by standard deviation of one period: the ratio without annualisation. NaN if the returns do not vary. */
function periodSharpe(returns: Sample): number {
  const spread = deviation(returns);
  return spread > 0 ? mean(returns) / spread : Number.NaN;
}

/** Sharpe 1994, with a risk-free rate of 0, times the square root of the periods in a year. */
export function sharpe(returns: Sample, perYear: number): number {
  return periodSharpe(returns) * Math.sqrt(perYear);
}

/**
 * Annualised with the autocorrelation of the returns: SR · q / √(q + 2 Σ (q − k) ρₖ), q periods a year. Lo 2002, equation 20. Autocorrelations
 * beyond lag ⌊4 (n/100)^(2/9)⌋ (Newey & West 1994) count as 0, as they cannot be estimated.
 */
export function loSharpe(returns: Sample, perYear: number): number {
  const lags = Math.min(Math.floor(4 * (returns.length / 100) ** (2 / 9)), Math.ceil(perYear) - 1);
  let scale = perYear;
  for (let k = 1; k <= lags; k++) scale += 2 * (perYear - k) * autocorrelation(returns, k);
  return scale > 0 ? (periodSharpe(returns) * perYear) / Math.sqrt(scale) : Number.NaN;
}
