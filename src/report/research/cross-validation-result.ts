/** The result of a combinatorial purged cross-validation of a strategy as one JSON object. */
import type { Figures, Objective } from '../../search/trial.ts';
import type { ParamTexts, Span } from './search-result.ts';

export interface CrossValidationSplit {
  /** Numbers of the groups that judge, from 0. */
  readonly groups: readonly number[];
  /** The parts on which the parameters were chosen: the other groups, without purge and embargo. */
  readonly searched: readonly Span[];
  /** The best on the searched parts; null if no trial has the objective there. */
  readonly chosen: {
    readonly trial: number;
    readonly params: ParamTexts;
    /** Means over the parts, weighted by their length, of the figures that exist. */
    readonly searched: Figures;
    readonly judged: Figures;
    /** Share of the trials that are worse where it was judged, from 0 to 1; null if it has no figure there. */
    readonly rank: number | null;
  } | null;
}

export interface CrossValidationResult {
  readonly kind: 'cross-validation';
  readonly strategy: string;
  readonly sampler: string;
  readonly seed: number;
  readonly objectives: readonly Objective[];
  /** Different points of the space, and how many backtests they made. */
  readonly trials: number;
  readonly runs: number;
  readonly groups: readonly Span[];
  readonly judging: number;
  readonly purgeMs: number;
  readonly embargoMs: number;
  readonly splits: readonly CrossValidationSplit[];
  /** Each path goes through all groups once, judged on each by another split: its value after each group, 1 at the start. */
  readonly paths: readonly (readonly number[])[];
  /** Share of the paths that end below their start. */
  readonly losingPaths: number;
  /** Quarter, median and three quarters of the objective over the splits, where chosen and where judged; null without any. */
  readonly searched: Quartiles | null;
  readonly judged: Quartiles | null;
  /** Share of the splits in which the chosen one is at most the median of all trials where it was judged. */
  readonly overfitting: number | null;
  readonly isComplete: boolean;
}

export type Quartiles = readonly [number, number, number];
