/** Flags of commands that run a strategy on a tape many times: the flags of `backtest` for strategy, market and settings. */
import type { DetailChoice, TrialOptions } from '../../run/backtest/trials.ts';
import type { SignalGiven } from '../../run/setup/options.ts';
import { Failure } from '../../base/failure/failure.ts';
import { configOf, requireTape, strategiesOf, type ChoiceFlags, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';
import type { SpreadModel } from '../shell/values.ts';

export interface WholeRunFlags extends ChoiceFlags, ConfigFlags {
  readonly tape: string;
  readonly everyTick?: true;
  readonly spread?: SpreadModel;
  readonly detail?: string;
  readonly insideBars?: true;
  readonly speed: number;
  readonly from?: number;
  readonly to?: number;
  readonly seed?: number;
}

/** The options of each run, as the flags state them. @throws Failure */
export async function wholeRunOptions(
  flags: WholeRunFlags,
  context: CliContext,
): Promise<TrialOptions & DetailChoice & { readonly tape: string }> {
  const tape = requireTape(flags.tape);
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

/** The folder of --detail. @throws Failure (usage) */
export function detailOf({ detail, speed = 1 }: { readonly detail?: string; readonly speed?: number }): string | undefined {
  if (detail === undefined) return undefined;
  if (speed !== 1)
    throw new Failure('flag-value', { what: `--detail works only at the recorded speed, found --speed ${speed}`, where: '--detail' });
  return requireTape(detail, '--detail');
}

/** What the file of --signals says. @throws Failure (usage, signals-unreadable) */
export async function signalsOf({
  signals,
  speed = 1,
}: {
  readonly signals?: string;
  readonly speed?: number;
}): Promise<readonly SignalGiven[] | undefined> {
  if (signals === undefined) return undefined;
  if (speed !== 1)
    throw new Failure('flag-conflict', { what: `--signals works only at the recorded speed, found --speed ${speed}`, where: '--signals' });
  return (await import('./signals-file.ts')).readSignals(signals);
}
