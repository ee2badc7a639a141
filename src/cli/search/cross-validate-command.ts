/** `cross-validate`: chooses parameters on most parts of a tape and judges them on the other parts, for every choice of parts. */
import { availableParallelism } from 'node:os';
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { optimizeOptions } from './optimize-command.ts';
import type { OptimizeFlags } from './optimize-flags.ts';
import { withProgress } from '../terminal/progress.ts';
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
  setRuntimeFlags('search');
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const options = await optimizeOptions({ ...flags, holdout: 0 }, context, stopping.signal);
  const line = { what: 'cross-validate', noun: 'backtests', isJson: flags.json === true };
  const result = await withProgress(context.io, line, (tell) =>
    crossValidateStrategy({
      ...options,
      workers: flags.workers ?? availableParallelism(),
      groups: flags.groups,
      judging: flags.judging,
      purgeMs: flags.purge,
      embargoMs: flags.embargo,
      progress: (done, of) => tell?.(done, done / of),
    }),
  );
  await showResult('cross-validate', result, flags, context);
  if (!result.isComplete) context.exit(exitCode.failed);
}
