/** `walk-forward`: searches parameters on the past and judges them on what follows, again and again. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { WalkForwardOptions } from '../../run/search/walk-forward.ts';
import type { StudyProgress } from '../../run/search/study/run-study.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { objectivesOf } from './objectives.ts';
import { optimizeOptions } from './optimize-command.ts';
import type { OptimizeFlags } from './optimize-flags.ts';
import { showResult } from '../shell/show-result.ts';

export interface WalkForwardFlags extends OptimizeFlags {
  readonly folds: number;
  readonly train: number;
  readonly rolling?: true;
  readonly purge: number;
}

export async function runWalkForward(flags: WalkForwardFlags, context: CliContext): Promise<void> {
  const [{ walkForward }, { setRuntimeFlags }, { untilStopped }, { SearchProgress }] = await Promise.all([
    import('../../run/search/walk-forward.ts'),
    import('../../run/backtest/runtime-flags.ts'),
    import('../../run/setup/signals.ts'),
    import('../terminal/search-progress.ts'),
  ]);
  setRuntimeFlags('search');
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const progress = flags.json === true ? null : new SearchProgress(context.io, objectivesOf(flags.by));
  const options = {
    ...(await walkForwardOptions(flags, context, stopping.signal)),
    progress:
      progress === null ? undefined : (now: () => StudyProgress, fold: number) => progress.show(now, `window ${fold} of ${flags.folds} · `),
  };
  const result = await walkForward(options).finally(() => progress?.end());
  await showResult('walk-forward', result, flags, context);
  if (!result.isComplete) context.exit(exitCode.failed);
}

/** The options of a walk-forward, as the flags state them. @throws Failure */
export async function walkForwardOptions(flags: WalkForwardFlags, context: CliContext, signal: AbortSignal): Promise<WalkForwardOptions> {
  return {
    ...(await optimizeOptions({ ...flags, holdout: 0 }, context, signal)),
    folds: flags.folds,
    train: flags.train,
    kind: flags.rolling === true ? 'rolling' : 'anchored',
    purgeMs: flags.purge,
  };
}
