/** Tries strategies on their instruments, so that an invalid configuration is reported before any file or socket is opened. */
import { assert } from '../../base/failure/assert.ts';
import { type PlannedPoll, readsAMinute } from '../../engine/polling/schedule.ts';
import type { BotConfig } from '../../config/model.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { assemble } from '../../engine/assembly.ts';
import type { KernelOptions } from '../../engine/options.ts';
import type { StrategySetup } from '../../engine/strategy/definition/setup.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import type { OrderPort, ReadPort } from '../../ports/venue.ts';
import { allocationOption } from '../setup/configured-allocation.ts';
import { externalOptions, pollSettings, riskLimits, strategySetups, timings } from '../setup/bot-parts.ts';
import { strategyOf } from '../setup/strategy/loaded-sources.ts';
import { instrumentsOf } from '../setup/instruments/instruments.ts';

export interface Preflight {
  readonly instruments: readonly Instrument[];
  readonly strategies: readonly StrategySetup[];
}

const NOWHERE: OrderPort & ReadPort = { execute: () => undefined, query: () => undefined };
/**
 * Loads the strategies of a configuration with their instruments. Creates them once, with parameters and polls, as a check; that copy is
 * discarded. @throws Failure, StrategyError, ParamError, PollPlanError, ScaleError
 */
export async function preflightOf(config: BotConfig, instruments = instrumentsOf(config.instruments)): Promise<Preflight> {
  const preflight = { instruments, strategies: await strategySetups(config.strategies, instruments) };
  tryKernel(config, preflight);
  return preflight;
}

/**
 * Makes a kernel that is thrown away, and returns its polls. @throws StrategyError, ParamError, PollPlanError, ScaleError if no kernel can be
 * made of this
 */
export function tryKernel(config: BotConfig, { instruments, strategies }: Preflight): readonly PlannedPoll[] {
  const { poller } = assemble({
    ...kernelSettings(config, { instruments, strategies }),
    orders: NOWHERE,
    reads: NOWHERE,
    clock: { now: () => 0 },
    log: SILENT_LOG,
    journal: recordingJournal(instruments, () => undefined),
    identity: { bot: config.bot, epoch: 0 },
  });
  return poller?.plan.polls ?? [];
}

/** What a universe costs in requests: the trades of its candidates, with all its places taken. */
export function universeCost({ universe }: StrategySetup, polls: readonly PlannedPoll[]): string {
  assert(universe !== undefined, 'a cost is of a strategy with a universe');
  const { candidates, terms } = universe;
  const own = polls.filter(({ kind, instrument }) => kind === 'trades' && candidates.includes(instrument));
  const cost = own.reduce((sum, poll) => sum + readsAMinute(poll), 0);
  const top = Math.min(terms.top, candidates.length);
  return `universe: ${top} of ${candidates.length} candidates; their trades cost ${Math.ceil(cost)} requests a minute`;
}

/** Interval of searches in the order history for orders of another bot with our name. */
const ID_WATCH_MS = 10_000;

/** Kernel options from the configuration: everything except ports, ids and recovered state. */
export function kernelSettings(
  config: BotConfig,
  { instruments, strategies }: Preflight,
): Omit<KernelOptions, 'orders' | 'reads' | 'clock' | 'log' | 'journal' | 'identity'> {
  return {
    instruments,
    strategies,
    risk: riskLimits(config),
    polls: pollSettings(config),
    seed: config.seed,
    timings: timings(config),
    ...externalOptions(config),
    ...allocationOption(config),
    onStrategyStop: config.onStrategyStop,
    idWatchMs: ID_WATCH_MS,
    unknownOwnOrders: config.recovery.unknownOwnOrders,
    strategyOf,
  };
}
