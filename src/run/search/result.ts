/** The result of a search as one JSON object. Everything except `performance` depends only on the inputs. */
import { importanceOf } from '../../search/importance.ts';
import { bestOf, paretoFront } from '../../search/ranking.ts';
import { placesOf, type Dimension } from '../../search/space.ts';
import type { Charge } from './charge.ts';
import type { Constraint, Figures, Objective, Outcome, Trial } from '../../search/trial.ts';

export type ParamTexts = Readonly<Record<string, string>>;

export interface SearchedTrial {
  readonly number: number;
  readonly params: ParamTexts;
  readonly state: Trial['state'];
  /** Number of shares of the tape that it ran on; 1 without pruning. */
  readonly runs: number;
  readonly figures: Figures;
  readonly meetsConstraints: boolean;
  readonly error?: string;
  /** Returns of 64 equal spans. */
  readonly returns: readonly number[];
  readonly hash: string;
}

/** A set of parameters in the searched part and in the last part, which took no part in the search. */
export interface Judged {
  /** Number of the trial; null for the defaults of the strategy. */
  readonly number: number | null;
  readonly params: ParamTexts;
  readonly searched: Figures;
  readonly holdout: Figures | null;
  /** Why a run of it failed. */
  readonly error?: string;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface ImportanceRow {
  /** One parameter, or two. */
  readonly params: readonly string[];
  /** Share of the variance of the objective that they explain, from 0 to 1. */
  readonly share: number;
}

export interface SearchResult {
  readonly strategy: string;
  readonly sampler: string;
  readonly seed: number;
  readonly objectives: readonly Objective[];
  readonly constraints: readonly Constraint[];
  readonly space: readonly Dimension[];
  readonly fixed: ParamTexts;
  readonly searched: Span;
  /** Null if nothing was held out. */
  readonly holdout: Span | null;
  /** False if the search was interrupted. */
  readonly isComplete: boolean;
  readonly counts: Readonly<Record<'done' | 'pruned' | 'failed', number>>;
  /** Null if no trial is done. With several objectives the first of the front. */
  readonly best: Judged | null;
  /** Trials that no other dominates; with one objective the best alone. At most twenty. */
  readonly front: readonly Judged[];
  readonly defaults: Judged;
  /** By objective; null if it cannot be said. */
  readonly importance: Readonly<Record<string, readonly ImportanceRow[] | null>>;
  /** What the search itself explains of its best result; null for fewer than two trials. */
  readonly charge: Charge | null;
  readonly notes: readonly string[];
  readonly trials: readonly SearchedTrial[];
  /** Of the trials: the same for any number of workers. */
  readonly hash: string;
  readonly performance: {
    readonly wallMs: number;
    readonly workers: number;
    /** Runs of this process; trials that the study file had already need none. */
    readonly runs: number;
  };
}

const FRONT_MAX = 20;

/** The trials that are run again on the last part: the best, or the front of several objectives. */
export function chosenTrials(trials: readonly Trial[], objectives: readonly Objective[]): Trial[] {
  const best = bestOf(trials);
  if (best === null) return [];
  if (objectives.length === 1) return [best];
  const front = [...paretoFront(trials)].sort((a, b) => a.costs[0]! - b.costs[0]! || a.number - b.number);
  const distinct = front.filter(
    ({ point }, at) => front.findIndex((other) => JSON.stringify(other.point) === JSON.stringify(point)) === at,
  );
  if (distinct.length === 0) return [best];
  if (distinct.length <= FRONT_MAX) return distinct;
  // Evenly along the front, its ends included.
  return Array.from({ length: FRONT_MAX }, (_, k) => distinct[Math.round((k * (distinct.length - 1)) / (FRONT_MAX - 1))]!);
}

export function searchedTrial({ number, state, rungs, outcome, violation }: Trial, params: ParamTexts): SearchedTrial {
  const { figures = {}, hash = '', error, returns = [] } = outcome ?? {};
  const row = { number, params, state, runs: rungs, figures, meetsConstraints: violation === 0, returns, hash };
  return error === undefined ? row : { ...row, error };
}

export function judged(number: number | null, params: ParamTexts, searched: Outcome, holdout: Outcome | null): Judged {
  const error = searched.error ?? holdout?.error;
  const row = { number, params, searched: searched.figures, holdout: holdout?.figures ?? null };
  return error === undefined ? row : { ...row, error };
}

/** Importance of parameters and of pairs for each objective, the largest first. */
export function importanceRows(
  trials: readonly Trial[],
  space: readonly Dimension[],
  objectives: readonly Objective[],
  seed: number,
): Record<string, ImportanceRow[] | null> {
  const done = trials.filter(({ state }) => state === 'done');
  const places = done.map(({ point }) => placesOf(space, point));
  return Object.fromEntries(
    objectives.map(({ figure }, k) => {
      const values = done.map(({ costs }) => costs[k]!);
      const found = values.every(Number.isFinite) ? importanceOf(places, values, seed) : null;
      if (found === null) return [figure, null];
      const rows = [
        ...found.single.map((share, i) => ({ params: [space[i]!.name], share })),
        ...found.pairs.map(({ first, second, share }) => ({ params: [space[first]!.name, space[second]!.name], share })),
      ];
      return [figure, rows.sort((a, b) => b.share - a.share)];
    }),
  );
}
