/** The bot of a backtest: the kernel of every mode, with its lanes, on virtual time and connected to the simulator. */
import { Kernel } from '../../engine/kernel.ts';
import { OrderLane } from '../../engine/polling/lane.ts';
import { PollLane } from '../../engine/polling/poll-lane.ts';
import type { StrategySetup } from '../../engine/strategy/setup.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import { SimPort } from '../../sim/port/port.ts';
import { allocationOption } from '../setup/allocation.ts';
import { externalOptions, laneRates, questionBuckets, riskLimits, tapePolls, timings } from '../setup/bot-parts.ts';
import type { BacktestOptions } from '../setup/options.ts';
import { latencyOf } from '../setup/sim-terms.ts';
import type { DriveParts } from './drive.ts';
import type { BacktestHooks } from './hooks.ts';
import { IdlePolls } from './idle-polls.ts';
import type { QuietLog } from './quiet-log.ts';
import { delayed } from './readings.ts';
import type { RunCounters } from './run-counters.ts';
import { pushedAccount, type Sight } from './sight.ts';
import { SplitPort } from './split-port.ts';
import { VirtualClock } from './virtual-clock.ts';

interface BotParts {
  readonly options: BacktestOptions;
  readonly instruments: readonly Instrument[];
  readonly strategies: readonly StrategySetup[];
  readonly counters: RunCounters;
  readonly log: QuietLog;
  readonly hooks: BacktestHooks;
  readonly sees: Sight;
}

/** The bot, its lanes and its connection to the simulator. Under `--every-tick` nothing is polled. */
export function botOn(
  sim: VenueSim,
  { options, instruments, strategies, counters, log, hooks, sees }: BotParts,
): Pick<DriveParts, 'port' | 'kernel' | 'lane' | 'polls' | 'clock'> {
  const { config, everyTick, seed } = options;
  const latency = delayed(latencyOf(config.simulation, seed), options.reading?.moreMs ?? 0);
  const clock = new VirtualClock();
  const identity = { bot: config.bot, epoch: 0 };
  const common = { sim, account: 0, identity, clock, nameOrders: !everyTick };
  const orders = new SimPort({ ...common, latency, push: everyTick });
  const reads = latency.reads && new SimPort({ ...common, latency: { ...latency, ...latency.reads }, push: false });
  const venue = reads === undefined ? orders : new SplitPort(orders, reads);
  const port = hooks.port?.(venue, clock) ?? venue;
  const settings = everyTick ? null : { ...tapePolls(config), pushesMarket: sees === 'points' };
  const polls = settings === null ? null : new PollLane({ venue: port, clock, ...questionBuckets(settings) });
  const lane = new OrderLane({ venue: polls ?? port, clock, rates: laneRates(config) });
  const idle = sees === 'points' && options.isPlain !== true ? new IdlePolls(lane, clock) : null;
  const kernel = new Kernel({
    instruments,
    venue: idle ?? lane,
    freeCommands: port === orders ? orders.freeCommands : undefined,
    clock,
    log: hooks.log?.(log) ?? log,
    journal: hooks.journal?.(counters.journal) ?? counters.journal,
    identity,
    strategies,
    risk: riskLimits(config),
    polls: settings,
    pushed: sees === 'polls' ? undefined : pushedAccount(sim, instruments),
    seed,
    timings: timings(config),
    onStrategyStop: config.onStrategyStop,
    ...externalOptions(config),
    ...allocationOption(config),
  });
  lane.connect(kernel.inbox, (command) => kernel.vetoOf(command));
  if (idle !== null) sim.setTap(0, idle);
  const inbox = idle?.connect(kernel) ?? kernel.inbox;
  port.connect(polls?.connect(inbox) ?? inbox);
  return { port, kernel, lane, polls, clock };
}
