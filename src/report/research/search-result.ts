/** The result of a search as one JSON object. Everything except `performance` depends only on the inputs. */
import type { Plateau } from '../../search/plateau.ts';
import type { Dimension, Point } from '../../search/space.ts';
import type { Constraint, Figures, Objective, Trial } from '../../search/trial.ts';
import type { CrossValidation } from '../../statistics/overfitting/cross-validation.ts';
import type { SearchCost } from '../../statistics/overfitting/search-cost.ts';

export type ParamTexts = Readonly<Record<string, string>>;

export interface SearchedTrial {
  readonly number: number;
  readonly params: ParamTexts;
  /** The values of `params`: durations in milliseconds. */
  readonly point: Point;
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
  readonly kind: 'search';
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
  readonly selectionBias: SelectionBias | null;
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

/** Tests of the trials against luck, from their returns of equal spans. Its Sharpe ratios are a year's, as those of the figures. */
export interface SelectionBias {
  /** The objective of the plateau. */
  readonly figure: string;
  /** Length of a span. */
  readonly spanMs: number;
  /** Null if the trials do not all have returns of the same spans. */
  readonly cost: SearchCost | null;
  readonly crossValidation: CrossValidation | null;
  readonly plateau: Plateau | null;
}
