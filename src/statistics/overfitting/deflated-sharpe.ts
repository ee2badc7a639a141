/**
 * The Sharpe ratio of the best of many trials, corrected for their number: Bailey & López de Prado, "The deflated Sharpe ratio", Journal of Portfolio
 * Management (2014). Ratios are per period.
 */
import { normalCdf, normalQuantile } from '../samples/normal.ts';
import { probabilisticSharpe, type SharpeSample } from '../sharpe.ts';

const EULER_MASCHERONI = 0.5772156649015329;
/** The most that the searched part is asked for, so that a part held out that is short gives a finite ratio. */
const SURE = 0.999;

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

export interface PowerOptions {
  /** Number of trials, number of independent trials among them, and the standard deviation of the ratios of trials without skill. */
  readonly trials: number;
  readonly effective: number;
  readonly spread: number;
  readonly periods: number;
  /** Periods of the part that was held out, in which the trial must earn something; null for none. */
  readonly heldOut: number | null;
  /** Largest share of searches in noise that may be called skill, and smallest share of searches with skill that must be. */
  readonly level: number;
  readonly power: number;
}

/**
 * The ratio that a single trial must truly have, among others without skill, for its search to be called skill with probability `power`: it
 * must pass the deflated ratio and, by Bonferroni's bound, a test of all trials at once. Its own ratio widens the spread of all. In the part
 * that was held out its ratio must be above 0.
 */
export function detectableSharpe({ trials, effective, spread, periods, heldOut, level, power }: PowerOptions): number {
  const wanted = normalQuantile(1 - level);
  const family = normalQuantile(1 - level / trials);
  let edge = 0;
  for (let k = 0; k < 50; k++) {
    const error = Math.sqrt((1 + (edge * edge) / 2) / (periods - 1));
    const wide = Math.hypot(spread, (edge * Math.sqrt(trials - 1)) / trials);
    const needed = Math.max(expectedBestSharpe(effective, wide) + wanted * error, family * error);
    const confirmed = heldOut === null ? 1 : normalCdf(edge * Math.sqrt(heldOut));
    // The first rounds may ask for more than certainty, as they begin without an edge.
    edge = needed + normalQuantile(Math.min(power / confirmed, SURE)) * error;
  }
  return edge;
}
