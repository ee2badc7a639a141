/** The result of a walk-forward as one JSON object. */
import type { Objective } from '../../search/trial.ts';
import type { Judged, Span } from './search-result.ts';

export interface WalkForwardFold {
  readonly searched: Span;
  readonly judged: Span;
  /** Null if no trial gave a result. */
  readonly best: Judged | null;
  /** The defaults of the strategy on the same parts. */
  readonly defaults: Judged;
  readonly hash: string;
}

export interface WalkForwardResult {
  readonly kind: 'walk-forward';
  readonly strategy: string;
  readonly objectives: readonly Objective[];
  readonly folds: readonly WalkForwardFold[];
  /** Return of all judged parts together, each begun with the same equity, compounded; that of the chosen parameters and of the defaults. */
  readonly totalReturn: number;
  readonly defaultsReturn: number;
  /** Return a year where judged divided by that where searched; null if nothing was earned where searched. */
  readonly efficiency: number | null;
  /** Share of the judged parts that made a profit. */
  readonly profitable: number;
  readonly isComplete: boolean;
}
