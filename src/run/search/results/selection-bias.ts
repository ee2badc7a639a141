/** How much of its result a finished search itself explains: tests of its trials against luck, from the returns of each trial. */
import type { SelectionBias, Span } from '../../../report/research/search-result.ts';
import { plateauOf } from '../../../search/plateau.ts';
import { placesOf, type Dimension } from '../../../search/space.ts';
import type { Objective, Trial } from '../../../search/trial.ts';
import { crossValidate } from '../../../statistics/cross-validation.ts';
import { searchCost } from '../../../statistics/search-cost.ts';
import { SPANS } from './figures.ts';

/** Eight groups of which two judge: 28 splits, 7 paths. One span on either side of a judging part belongs to neither. */
const CROSS = { groups: 8, judging: 2, purge: 1, embargo: 1 } as const;

const YEAR_MS = 365 * 86_400_000;

export interface FinishedSearch {
  readonly trials: readonly Trial[];
  readonly space: readonly Dimension[];
  readonly objectives: readonly Objective[];
  readonly searched: Span;
  readonly seed: number;
}

/** Null for fewer than two trials that ran to the end. */
export function selectionBiasOf({ trials, space, objectives: [objective], searched, seed }: FinishedSearch): SelectionBias | null {
  const done = trials.filter(({ state, outcome }) => state === 'done' && outcome?.returns !== undefined);
  if (done.length < 2 || objective === undefined) return null;
  const returns = distinct(done.map(({ outcome }) => Float64Array.from(outcome?.returns ?? [])));
  const values = done.map(({ outcome }) => outcome?.figures[objective.figure] ?? Number.NaN);
  const known = done.map((_, k) => k).filter((k) => Number.isFinite(values[k]));
  // Each pruned trial has parameters of its own: the sampler does not repeat them.
  const givenUp = trials.filter(({ state }) => state === 'pruned').length;
  const spanMs = (searched.to - searched.from) / SPANS;
  const root = Math.sqrt(YEAR_MS / spanMs);
  const yearly = (ratio: number): number => ratio * root;
  const cost = searchCost(returns, { seed, tried: returns.length + givenUp });
  const validation = returns.length < 2 ? null : crossValidate(returns, CROSS);
  return {
    figure: objective.figure,
    spanMs,
    cost: cost && {
      ...cost,
      sharpe: yearly(cost.sharpe),
      expectedBest: yearly(cost.expectedBest),
      detectable: yearly(cost.detectable),
    },
    crossValidation: validation && {
      ...validation,
      judged: [yearly(validation.judged[0]), yearly(validation.judged[1]), yearly(validation.judged[2])],
      chosen: yearly(validation.chosen),
    },
    plateau: plateauOf(
      known.map((k) => placesOf(space, done[k]!.point)),
      known.map((k) => values[k]!),
      objective.direction === 'max',
    ),
  };
}

/** Trials with the same returns count once: parameters that change nothing are not another try. */
function distinct(returns: readonly Float64Array[]): Float64Array[] {
  const seen = new Map(returns.map((series) => [series.join(' '), series] as const));
  return [...seen.values()];
}
