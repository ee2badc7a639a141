/** `walk-forward`: searches parameters on the past and judges them on what follows, again and again. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { WalkForwardOptions } from '../../run/search/walk-forward.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { optimizeOptions, type OptimizeFlags } from './optimize-command.ts';
import { showResult } from '../shell/show-result.ts';

interface WalkForwardFlags extends OptimizeFlags {
  readonly folds: number;
  readonly train: number;
  readonly rolling?: true;
  readonly purge: number;
}

export async function runWalkForward(flags: WalkForwardFlags, context: CliContext): Promise<void> {
  const [{ walkForward }, { setRuntimeFlags }, { untilStopped }] = await Promise.all([
    import('../../run/search/walk-forward.ts'),
    import('../../run/backtest/runtime-flags.ts'),
    import('../../run/setup/signals.ts'),
  ]);
  setRuntimeFlags();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const { stderr, isTty } = context.io;
  const options: WalkForwardOptions = {
    ...(await optimizeOptions({ ...flags, holdout: 0 }, context, stopping.signal)),
    folds: flags.folds,
    train: flags.train,
    kind: flags.rolling === true ? 'rolling' : 'anchored',
    purgeMs: flags.purge,
    onFold: isTty && flags.json !== true ? (_, number) => void stderr.write(`fold ${number} of ${flags.folds} is done\n`) : undefined,
  };
  const result = await walkForward(options);
  await showResult(result, flags, context);
  if (!result.isComplete) context.exit(exitCode.failed);
}
