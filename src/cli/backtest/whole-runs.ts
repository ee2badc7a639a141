/** Flags of commands that run a strategy on a tape many times: the flags of `backtest` for strategy, market and settings. */
import type { DetailChoice, TrialOptions } from '../../run/backtest/trials.ts';
import { BACKTEST_OPTIONS, type BacktestFlags } from './backtest.ts';
import { detailOf } from './bar-flags.ts';
import { configOf, requireFlag, requireTape, strategiesOf, type CliContext } from '../shell/context.ts';
import type { OptionGroup } from '../shell/plain.ts';

export type WholeRunFlags = Pick<
  BacktestFlags,
  | 'strategy'
  | 'param'
  | 'symbol'
  | 'config'
  | 'set'
  | 'tape'
  | 'everyTick'
  | 'spread'
  | 'detail'
  | 'insideBars'
  | 'speed'
  | 'from'
  | 'to'
  | 'seed'
>;

/** Flags of a backtest alone. */
const OF_ONE_RUN = ['--bot-from', '--study'];

export const WHOLE_RUN_OPTIONS: readonly OptionGroup[] = BACKTEST_OPTIONS.slice(0, 2).map(({ title, options }) => ({
  title,
  options: options.filter(({ flags }) => !OF_ONE_RUN.some((name) => flags.startsWith(name))),
}));

/** The options of each run, as the flags state them. @throws Failure */
export async function wholeRunOptions(
  flags: WholeRunFlags,
  context: CliContext,
): Promise<TrialOptions & DetailChoice & { readonly tape: string }> {
  const tape = requireTape(requireFlag(flags.tape, '--tape FOLDER'));
  const config = await configOf(flags, context);
  return {
    tape,
    strategies: strategiesOf(flags, config),
    config,
    everyTick: flags.everyTick === true,
    spread: flags.spread,
    insideBars: flags.insideBars,
    detail: detailOf(flags),
    speed: flags.speed,
    from: flags.from,
    to: flags.to,
    seed: flags.seed ?? config.seed,
  };
}
