/**
 * Combinatorial purged cross-validation of a search: López de Prado, "Advances in financial machine learning" (2018), chapter 12. For each choice
 * of judging groups the trial that is best on the rest is judged on them. The judged parts make up several whole paths through time.
 */
import { quantileOfSorted } from '../samples/moments.ts';
import { purgedSplits, pathCount, type PurgedOptions, type Range } from './splits.ts';
import { sharpeSample } from '../sharpe.ts';

export interface CrossValidation {
  readonly splits: number;
  readonly paths: number;
  /** Sharpe ratios per period of the chosen trials where they were judged: the quarter, the median and the three quarters of all splits. */
  readonly judged: readonly [number, number, number];
  /** Median ratio where they were chosen. */
  readonly chosen: number;
  /** Share of the paths that end below where they began. */
  readonly losingPaths: number;
}

/**
 * `returns`: for each trial its returns, one for each period, all of equal length.
 * @throws RangeError without trials, or when a part would be empty
 */
export function crossValidate(returns: readonly Float64Array[], options: Omit<PurgedOptions, 'periods'>): CrossValidation {
  const periods = returns[0]?.length ?? 0;
  if (periods === 0) throw new RangeError('expected at least one trial with returns, found none');
  const { groups, judging } = options;
  const splits = purgedSplits({ ...options, periods });
  const paths = Array.from({ length: pathCount(groups, judging) }, () => 1);
  const used = new Uint32Array(groups);
  const judged: number[] = [];
  const chosen: number[] = [];
  for (const { train, test } of splits) {
    const ratios = returns.map((series) => sharpeSample(partsOf(series, train)).sharpe);
    const best = ratios.indexOf(Math.max(...ratios));
    const series = returns[best];
    if (series === undefined) continue;
    chosen.push(ratios[best] ?? 0);
    judged.push(sharpeSample(partsOf(series, test)).sharpe);
    for (let group = 0; group < groups; group++) {
      const from = Math.round((periods * group) / groups);
      if (!test.some((part) => part.from <= from && from < part.to)) continue;
      // The n-th time that a group is judged belongs to path n.
      const path = used[group] ?? 0;
      used[group] = path + 1;
      for (let i = from; i < Math.round((periods * (group + 1)) / groups); i++) paths[path] = (paths[path] ?? 1) * (1 + (series[i] ?? 0));
    }
  }
  judged.sort((a, b) => a - b);
  chosen.sort((a, b) => a - b);
  return {
    splits: splits.length,
    paths: paths.length,
    judged: [quantileOfSorted(judged, 0.25), quantileOfSorted(judged, 0.5), quantileOfSorted(judged, 0.75)],
    chosen: quantileOfSorted(chosen, 0.5),
    losingPaths: paths.filter((end) => end < 1).length / paths.length,
  };
}

function partsOf(series: Float64Array, parts: readonly Range[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { from, to } of parts) {
    all.set(series.subarray(from, to), at);
    at += to - from;
  }
  return all;
}
