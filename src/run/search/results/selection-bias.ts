/** Estimates how much of its result a finished search itself explains: tests of its trials against luck, from the returns of each trial. */
import type { SelectionBias, Span } from '../../../report/research/search-result.ts';
import { plateauOf } from '../../../search/plateau.ts';
import { placesOf, type Dimension } from '../../../search/space.ts';
import type { Objective, Trial } from '../../../search/trial.ts';
import { sharpeSample } from '../../../statistics/sharpe.ts';
import { crossValidate } from '../../../statistics/overfitting/cross-validation.ts';
import { searchCost, searchTests, type HeldOut } from '../../../statistics/overfitting/search-cost.ts';
import { SPANS } from './trial-figures.ts';

/** Eight groups of which two judge: 28 splits, 7 paths. One span on either side of a judging part belongs to neither. */
const CROSS = { groups: 8, judging: 2, purge: 1, embargo: 1 } as const;

const YEAR_MS = 365 * 86_400_000;

export interface FinishedSearch {
  readonly trials: readonly Trial[];
  readonly space: readonly Dimension[];
  readonly objectives: readonly Objective[];
  readonly searched: Span;
  readonly seed: number;
  /** Gives the chosen trial in the part that was held out, or null. Asked last, because threads compute it meanwhile. */
  readonly heldOut: () => Promise<HeldOutRun | null>;
}

/** Returns of equal spans of a run. */
export interface HeldOutRun {
  readonly returns: readonly number[];
  readonly span: Span;
}

/** Null for fewer than two trials that ran to the end. */
export async function selectionBiasOf(search: FinishedSearch): Promise<SelectionBias | null> {
  const { trials, space, objectives, searched, seed } = search;
  const [objective] = objectives;
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
  const tests = searchTests(returns, { seed, tried: returns.length + givenUp });
  const validation = returns.length < 2 ? null : crossValidate(returns, CROSS);
  const plateau = plateauOf(
    known.map((k) => placesOf(space, done[k]!.point)),
    known.map((k) => values[k]!),
    objective.direction === 'max',
  );
  const heldOut = heldOutOf(await search.heldOut(), spanMs);
  const cost = tests && searchCost(tests, heldOut);
  return {
    figure: objective.figure,
    spanMs,
    cost: cost && {
      ...cost,
      sharpe: yearly(cost.sharpe),
      expectedBest: yearly(cost.expectedBest),
      spread: yearly(cost.spread),
      heldOut: heldOut && { ...heldOut, sharpe: yearly(heldOut.sharpe) },
      detectable: yearly(cost.detectable),
    },
    crossValidation: validation && {
      ...validation,
      judged: [yearly(validation.judged[0]), yearly(validation.judged[1]), yearly(validation.judged[2])],
      chosen: yearly(validation.chosen),
    },
    plateau,
  };
}

/** In spans of the searched part, of whatever length its own were. */
function heldOutOf(run: HeldOutRun | null, spanMs: number): HeldOut | null {
  if (run === null || run.returns.length === 0) return null;
  const length = run.span.to - run.span.from;
  const { sharpe } = sharpeSample(run.returns);
  return { sharpe: sharpe * Math.sqrt((spanMs * run.returns.length) / length), periods: length / spanMs };
}

/** Trials with the same returns count once: parameters that change nothing are not another try. */
function distinct(returns: readonly Float64Array[]): Float64Array[] {
  const seen = new Map(returns.map((series) => [series.join(' '), series] as const));
  return [...seen.values()];
}
