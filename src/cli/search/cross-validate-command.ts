/** `cross-validate`: chooses parameters on most parts of a tape and judges them on the other parts, for every choice of parts. */
import { availableParallelism } from 'node:os';
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { optimizeOptions, type OptimizeFlags } from './optimize-command.ts';
import { showResult } from '../shell/show-result.ts';

interface CrossValidateFlags extends OptimizeFlags {
  readonly groups: number;
  readonly judging: number;
  readonly purge: number;
  readonly embargo: number;
}

export async function runCrossValidate(flags: CrossValidateFlags, context: CliContext): Promise<void> {
  const [{ crossValidateStrategy }, { setRuntimeFlags }, { untilStopped }] = await Promise.all([
    import('../../run/search/cross-validate.ts'),
    import('../../run/backtest/runtime-flags.ts'),
    import('../../run/setup/signals.ts'),
  ]);
  setRuntimeFlags();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const { stderr, isTty } = context.io;
  const isTold = isTty && flags.json !== true;
  const result = await crossValidateStrategy({
    ...(await optimizeOptions({ ...flags, holdout: 0 }, context, stopping.signal)),
    workers: flags.workers ?? availableParallelism(),
    groups: flags.groups,
    judging: flags.judging,
    purgeMs: flags.purge,
    embargoMs: flags.embargo,
    progress: isTold ? (done, of) => void stderr.write(`\r${done} of ${of} backtests${done === of ? '\n' : ''}`) : undefined,
  });
  await showResult(result, flags, context);
  if (!result.isComplete) context.exit(exitCode.failed);
}
