/** `walk-forward`: searches parameters on the past and judges them on what follows, again and again. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { WalkForwardOptions } from '../../run/search/walk-forward.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { objectivesOf } from './objectives.ts';
import { optimizeOptions, type OptimizeFlags } from './optimize-command.ts';
import { showResult } from '../shell/show-result.ts';

interface WalkForwardFlags extends OptimizeFlags {
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
  setRuntimeFlags();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const progress = flags.json === true ? null : new SearchProgress(context.io, objectivesOf(flags.by));
  const options: WalkForwardOptions = {
    ...(await optimizeOptions({ ...flags, holdout: 0 }, context, stopping.signal)),
    folds: flags.folds,
    train: flags.train,
    kind: flags.rolling === true ? 'rolling' : 'anchored',
    purgeMs: flags.purge,
    progress: progress === null ? undefined : (now, fold) => progress.show(now, `window ${fold} of ${flags.folds} · `),
  };
  const result = await walkForward(options).finally(() => progress?.end());
  await showResult(result, flags, context);
  if (!result.isComplete) context.exit(exitCode.failed);
}
