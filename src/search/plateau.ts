/** Judges whether the best trial stands on a plateau or on a peak: by how trials with nearly the same parameters do. */

export interface Plateau {
  /** Number of neighbours that were looked at. */
  readonly neighbours: number;
  /** Median of their objective, and that of the best trial. Both as the objective is shown. */
  readonly median: number;
  readonly best: number;
  /** Rank of that median among all trials: 1 is as good as the best, 0 as bad as the worst. */
  readonly rank: number;
}

/** Neighbours for each parameter. */
const EACH = 4;

/**
 * `places`: for each trial its place in the unit cube; `values`: its objective. `isLarger`: larger is better. Null for fewer than 10 trials at
 * other places than the best.
 */
export function plateauOf(places: readonly (readonly number[])[], values: readonly number[], isLarger: boolean): Plateau | null {
  const sign = isLarger ? 1 : -1;
  const best = values.indexOf(isLarger ? Math.max(...values) : Math.min(...values));
  const centre = places[best];
  if (centre === undefined) return null;
  const others = places
    .map((place, k) => ({ k, distance: Math.hypot(...place.map((x, i) => x - (centre[i] ?? 0))) }))
    .filter(({ distance }) => distance > 1e-9)
    .toSorted((a, b) => a.distance - b.distance || a.k - b.k);
  if (others.length < 10) return null;
  const near = others.slice(0, Math.max(3, Math.min(EACH * centre.length, Math.floor(others.length / 3))));
  const sorted = near.map(({ k }) => values[k] ?? 0).toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const below = values.filter((value) => sign * value < sign * median).length;
  const equal = values.filter((value) => value === median).length;
  return { neighbours: near.length, median, best: values[best] ?? 0, rank: (below + Math.max(equal - 1, 0) / 2) / (values.length - 1) };
}
