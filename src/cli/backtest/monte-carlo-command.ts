/** `monte-carlo`: other possible results of a strategy on a tape. */
import { withParams, type CliContext } from '../shell/cli-context.ts';
import { showResult, type ResultFlags } from '../shell/show-result.ts';
import { withProgress } from '../terminal/progress.ts';
import { wholeRunOptions, type WholeRunFlags } from './whole-runs.ts';

interface MonteCarloFlags extends WholeRunFlags, ResultFlags {
  readonly curves: number;
  readonly runs: number;
  readonly markets: number;
}

/** What is tried besides. */
const DELAYS_MS = [100, 1_000, 5_000];
const MISSED = [0.05, 0.2];

export async function runMonteCarlo(flags: MonteCarloFlags, context: CliContext): Promise<void> {
  const options = await wholeRunOptions(flags, context);
  const [{ guardStrategies }, { monteCarlo }, { setRuntimeFlags }] = await Promise.all([
    import('../../run/guard/guard.ts'),
    import('../../run/monte-carlo/monte-carlo.ts'),
    import('../../run/backtest/runtime-flags.ts'),
  ]);
  setRuntimeFlags();
  guardStrategies(options.config, { isLive: false });
  const line = { what: 'monte-carlo', noun: 'backtests', isJson: flags.json === true };
  const result = await withParams(flags, () =>
    withProgress(context.io, line, (tell) =>
      monteCarlo({
        ...options,
        curves: flags.curves,
        runs: flags.runs,
        markets: flags.markets,
        delaysMs: DELAYS_MS,
        missed: MISSED,
        backtestDone: (done, of) => tell?.(done, done / of),
      }),
    ),
  );
  await showResult('monte-carlo', result, flags, context);
}
