/** Strategies on their instruments, tried: what cannot be run is told before anything is opened, made or printed. */
import type { BotConfig } from '../../config/model.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { assemble } from '../../engine/assembly.ts';
import type { KernelOptions } from '../../engine/options.ts';
import type { StrategySetup } from '../../engine/strategy/setup.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import type { Venue } from '../../ports/venue.ts';
import { externalOptions, pollSettings, riskLimits, strategySetups, timings } from '../setup/bot-parts.ts';
import { instrumentsOf } from '../setup/instruments.ts';

export interface Preflight {
  readonly instruments: readonly Instrument[];
  readonly strategies: readonly StrategySetup[];
}

const NOWHERE: Venue = { execute: () => undefined, query: () => undefined };
/**
 * The strategies of a configuration on its instruments, or on those of the market that is named. They are made once to see that they can
 * be, with their parameters and polls, and that is thrown away. @throws Failure, StrategyError, ParamError, PollPlanError, ScaleError
 */
export async function castOf(config: BotConfig, instruments = instrumentsOf(config.instruments)): Promise<Preflight> {
  const preflight = { instruments, strategies: await strategySetups(config.strategies, instruments) };
  assemble({
    ...kernelSettings(config, preflight),
    venue: NOWHERE,
    clock: { now: () => 0 },
    log: SILENT_LOG,
    journal: recordingJournal(instruments, () => undefined),
    identity: { bot: config.bot, epoch: 0 },
  });
  return preflight;
}

/** How often the order history is looked through for orders of another bot that uses our name. */
const ID_WATCH_MS = 10_000;

/** What the kernel of a bot on a venue is told of the configuration: all but its ports, its ids and its memory. */
export function kernelSettings(
  config: BotConfig,
  { instruments, strategies }: Preflight,
): Omit<KernelOptions, 'venue' | 'clock' | 'log' | 'journal' | 'identity'> {
  return {
    instruments,
    strategies,
    risk: riskLimits(config),
    polls: pollSettings(config),
    seed: config.seed,
    timings: timings(config),
    ...externalOptions(config),
    onStrategyStop: config.onStrategyStop,
    idWatchMs: ID_WATCH_MS,
    unknownOwnOrders: config.recovery.unknownOwnOrders,
  };
}
