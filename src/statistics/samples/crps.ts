/**
 * Score of a forecast distribution against what happened. Continuous ranked probability score of an empirical distribution X:
 * CRPS(X, y) = E|X − y| − ½ E|X − X′|. Gneiting & Raftery, "Strictly proper scoring rules, prediction, and estimation" (2007), eq. 21. It is in
 * the unit of y; less is better, and for a single number it is the absolute error.
 */
import { mean, type Sample } from './moments.ts';

/** Mean score of the forecast `drawn` over all `observed`; NaN if one of them is empty. */
export function crps(drawn: Sample, observed: Sample): number {
  const sorted = Float64Array.from(drawn).sort();
  const n = sorted.length;
  let spread = 0;
  for (let i = 0; i < n; i++) spread += (2 * i + 1 - n) * sorted[i]!;
  let away = 0;
  for (let k = 0; k < observed.length; k++) {
    let all = 0;
    for (let i = 0; i < n; i++) all += Math.abs(sorted[i]! - observed[k]!);
    away += all / n;
  }
  return away / observed.length - spread / (n * n);
}

/** At most `most` values that stand for the sample: its quantiles at equal steps, the least and the greatest among them. */
export function quantilesOf(values: Sample, most: number): number[] {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length <= most) return [...sorted];
  return Array.from({ length: most }, (_, k) => sorted[Math.round((k * (sorted.length - 1)) / (most - 1))]!);
}

/** Mean squared error of forecasts between 0 and 1. Brier, "Verification of forecasts expressed in terms of probability" (1950). */
export function brier(forecasts: Sample, outcomes: Sample): number {
  return mean(Array.from({ length: outcomes.length }, (_, k) => (forecasts[k]! - outcomes[k]!) ** 2));
}
