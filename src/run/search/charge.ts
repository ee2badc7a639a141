/** What a finished search is charged: tests of its trials against luck, from the returns that it kept of each. */
import type { Charge } from '../../report/research/search-result.ts';
import { plateauOf } from '../../search/plateau.ts';
import { placesOf, type Dimension } from '../../search/space.ts';
import type { Objective, Trial } from '../../search/trial.ts';
import { crossValidate } from '../../statistics/cross-validation.ts';
import { searchCost } from '../../statistics/search-cost.ts';

/** Eight groups of which two judge: 28 splits, 7 paths. One span on either side of a judging part belongs to neither. */
const CROSS = { groups: 8, judging: 2, purge: 1, embargo: 1 } as const;

/** Null for fewer than two trials that ran to the end. */
export function chargeOf(
  trials: readonly Trial[],
  space: readonly Dimension[],
  [objective]: readonly Objective[],
  seed: number,
): Charge | null {
  const done = trials.filter(({ state, outcome }) => state === 'done' && outcome?.returns !== undefined);
  if (done.length < 2 || objective === undefined) return null;
  const returns = distinct(done.map(({ outcome }) => Float64Array.from(outcome?.returns ?? [])));
  const values = done.map(({ outcome }) => outcome?.figures[objective.figure] ?? Number.NaN);
  const known = done.map((_, k) => k).filter((k) => Number.isFinite(values[k]));
  return {
    cost: searchCost(returns, seed),
    crossValidation: returns.length < 2 ? null : crossValidate(returns, CROSS),
    plateau: plateauOf(
      known.map((k) => placesOf(space, done[k]!.point)),
      known.map((k) => values[k]!),
      objective.direction === 'max',
    ),
  };
}

/** The same returns twice are one try: parameters that change nothing are no search. */
function distinct(returns: readonly Float64Array[]): Float64Array[] {
  const seen = new Map(returns.map((series) => [series.join(' '), series] as const));
  return [...seen.values()];
}
