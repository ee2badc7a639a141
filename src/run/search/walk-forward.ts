/** `walk-forward`: searches parameters on the past and judges them on what follows, again and again over a tape. */
import { endOf, readManifest } from '../../tape/read.ts';
import { walkForwardSplits } from '../../statistics/overfitting/splits.ts';
import { optimize, type OptimizeOptions } from './optimize.ts';
import type { StudyProgress } from './study/run-study.ts';
import { KeptThreads } from './workers/kept-threads.ts';
import type { Judged } from '../../report/research/search-result.ts';
import type { WalkForwardFold, WalkForwardResult } from '../../report/research/walk-forward-result.ts';

export interface WalkForwardOptions extends Omit<OptimizeOptions, 'holdout' | 'study' | 'progress' | 'threads' | 'judges' | 'isExplained'> {
  readonly folds: number;
  /** Share of the time that the first search has, above 0 and below 1. */
  readonly train: number;
  /** `anchored`: each search begins at the start of the tape. `rolling`: each has the same length. */
  readonly kind: 'anchored' | 'rolling';
  /** Milliseconds before each judged part that belong to no search, for trades that reach over its edge. */
  readonly purgeMs: number;
  /** Gets for each fold, the first is 1, a function that tells how far its search is. */
  readonly progress?: ((now: () => StudyProgress, fold: number) => void) | undefined;
}

/** @throws Failure, TapeError, ParamError; RangeError if a part would be empty */
export async function walkForward(options: WalkForwardOptions): Promise<WalkForwardResult> {
  const { folds: count, train, kind, purgeMs, progress } = options;
  const manifest = readManifest(options.tape);
  const from = Math.max(options.from ?? manifest.from, manifest.from);
  const to = Math.min(options.to ?? endOf(manifest), endOf(manifest));
  const splits = walkForwardSplits({ periods: to - from, folds: count, train: Math.round((to - from) * train), kind, purge: purgeMs });
  const folds: WalkForwardFold[] = [];
  let strategy = '';
  // The chosen sets are judged in a thread that searches nothing: for so few runs a second one would compile more than it runs.
  const [searching, judging] = [new KeptThreads(), new KeptThreads()];
  try {
    for (const { train: parts, test } of splits) {
      if (options.signal.aborted) break;
      const [searched] = parts;
      const [judged] = test;
      if (searched === undefined) continue;
      const result = await optimize({
        ...options,
        study: null,
        // How much of a part finer data covers decides how it is run: then each part has threads of its own.
        ...(options.detail === undefined ? { threads: searching.start, judges: (_, ...given) => judging.start(1, ...given) } : {}),
        isExplained: false,
        progress: (now) => progress?.(now, folds.length + 1),
        from: from + searched.from,
        to: from + judged.to,
        holdout: (judged.to - judged.from) / (judged.to - searched.from),
        purgeMs,
      });
      if (!result.isComplete) break;
      strategy = result.strategy;
      const fold = {
        searched: result.searched,
        judged: result.holdout ?? { from: from + judged.from, to: from + judged.to },
        best: result.best,
        defaults: result.defaults,
        hash: result.hash,
      };
      folds.push(fold);
    }
  } finally {
    await Promise.all([searching.end(), judging.end()]);
  }
  return { kind: 'walk-forward', strategy, objectives: options.objectives, folds, ...totalsOf(folds), isComplete: folds.length === count };
}

const figure = (judged: Judged | null, part: 'searched' | 'holdout', name: string): number => judged?.[part]?.[name] ?? 0;

function totalsOf(
  folds: readonly WalkForwardFold[],
): Pick<WalkForwardResult, 'totalReturn' | 'defaultsReturn' | 'efficiency' | 'profitable'> {
  const compounded = (of: (fold: WalkForwardFold) => number): number => folds.reduce((value, fold) => value * (1 + of(fold)), 1) - 1;
  const rate = (part: 'searched' | 'holdout', span: 'searched' | 'judged'): number => {
    const earned = folds.reduce((sum, fold) => sum + figure(fold.best, part, 'totalReturn'), 0);
    return earned / folds.reduce((sum, fold) => sum + fold[span].to - fold[span].from, 0);
  };
  const searched = rate('searched', 'searched');
  return {
    totalReturn: compounded(({ best }) => figure(best, 'holdout', 'totalReturn')),
    defaultsReturn: compounded(({ defaults }) => figure(defaults, 'holdout', 'totalReturn')),
    efficiency: searched > 0 ? rate('holdout', 'judged') / searched : null,
    profitable: folds.filter(({ best }) => figure(best, 'holdout', 'totalReturn') > 0).length / Math.max(folds.length, 1),
  };
}
