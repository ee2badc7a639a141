/**
 * The Sharpe ratio of the best of many trials, charged for the search: Bailey & López de Prado, "The deflated Sharpe ratio", Journal of Portfolio
 * Management (2014). Ratios are per period.
 */
import { normalQuantile } from './normal.ts';
import { probabilisticSharpe, type SharpeSample } from './sharpe.ts';

const EULER_MASCHERONI = 0.5772156649015329;

/** The ratio that the best of `trials` independent trials without skill is expected to show, when their ratios have this standard deviation. */
export function expectedBestSharpe(trials: number, spread: number): number {
  if (trials <= 1) return 0;
  const first = normalQuantile(1 - 1 / trials);
  const second = normalQuantile(1 - 1 / (trials * Math.E));
  return spread * ((1 - EULER_MASCHERONI) * first + EULER_MASCHERONI * second);
}

/** The probability that the true ratio of the best trial is above what the best of `trials` trials without skill would show. */
export const deflatedSharpe = (best: SharpeSample, trials: number, spread: number): number =>
  probabilisticSharpe(best, expectedBestSharpe(trials, spread));
