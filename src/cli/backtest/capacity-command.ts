/** `capacity`: how much money a strategy can work with before the impact of its own orders uses up its profit. */
import { withParams, type CliContext } from '../shell/cli-context.ts';
import { showResult, type ResultFlags } from '../shell/show-result.ts';
import { wholeRunOptions, type WholeRunFlags } from './whole-runs.ts';

interface CapacityFlags extends WholeRunFlags, ResultFlags {
  readonly size?: readonly string[];
  readonly doublings: number;
}

export async function runCapacity(flags: CapacityFlags, context: CliContext): Promise<void> {
  const options = await wholeRunOptions(flags, context);
  const [{ guardStrategies }, { capacity }, { setRuntimeFlags }] = await Promise.all([
    import('../../run/guard/guard.ts'),
    import('../../run/capacity/capacity.ts'),
    import('../../run/backtest/runtime-flags.ts'),
  ]);
  setRuntimeFlags();
  guardStrategies(options.config, { isLive: false });
  const named = flags.size ?? ['size'];
  const result = await withParams(flags, () =>
    capacity({
      ...options,
      sizes: named.length === 1 && named[0] === 'none' ? [] : named,
      multiples: Array.from({ length: flags.doublings + 1 }, (_, k) => 2 ** k),
    }),
  );
  await showResult('capacity', result, flags, context);
}
