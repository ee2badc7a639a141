/** Counts of a sample in classes of equal width whose edges are round numbers, 0 among them if it is within. */
import { quantileOfSorted, type Sample } from './moments.ts';

export interface Histogram {
  /** Width of a class. Class k holds the values from `from + k · step` (inclusive) to the next edge (exclusive). */
  readonly step: number;
  readonly from: number;
  readonly counts: readonly number[];
}

const CLASSES_MOST = 60;

/** 1, 2 or 5 times a power of ten that is at least `least`. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((one) => one * power >= least) ?? 10);
}

/** The largest such step that is at most `most`. */
function roundBelow(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2, 1].find((one) => one * power <= most) ?? 0.5);
}

/**
 * Freedman & Diaconis 1981: a width of twice the interquartile range by the cube root of the size, rounded down, and at most 60 classes.
 * `sorted` upwards. Equal values have one class, an empty sample none.
 */
export function histogram(sorted: Sample): Histogram {
  const n = sorted.length;
  if (n === 0) return { step: 1, from: 0, counts: [] };
  const [least, most] = [sorted[0]!, sorted[n - 1]!];
  const middle = quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25);
  const width = (2 * middle) / Math.cbrt(n);
  const narrowest = (most - least) / (CLASSES_MOST - 2);
  const steps = [...(width > 0 ? [roundBelow(width)] : []), ...(narrowest > 0 ? [roundStep(narrowest)] : [])];
  const step = steps.length === 0 ? Math.abs(least) || 1 : Math.max(...steps);
  // Whole numbers of steps: the same rule finds the class of the least and of each other value.
  const classOf = (value: number): number => Math.floor(value / step);
  const first = classOf(least);
  const counts = Array.from({ length: classOf(most) - first + 1 }, () => 0);
  for (let k = 0; k < n; k++) counts[classOf(sorted[k]!) - first]!++;
  return { step, from: first * step, counts };
}
