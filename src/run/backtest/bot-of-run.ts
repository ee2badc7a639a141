/** The bot of a backtest: the kernel of every mode, with its throttles, on virtual time and connected to the simulator. */
import { Kernel } from '../../engine/kernel.ts';
import { OrderThrottle } from '../../engine/polling/order-throttle.ts';
import { ReadThrottle } from '../../engine/polling/read-throttle.ts';
import type { StrategySetup } from '../../engine/strategy/definition/setup.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import { BarPort } from '../../sim/port/bar-port.ts';
import { SimPort } from '../../sim/port/port.ts';
import { allocationOption } from '../setup/configured-allocation.ts';
import { externalOptions, commandRates, questionBuckets, riskLimits, tapePolls, timings } from '../setup/bot-parts.ts';
import type { BacktestOptions } from '../setup/options.ts';
import { latencyOf } from '../setup/sim-terms.ts';
import type { Ambiguity } from './counts/ambiguity.ts';
import type { DriveDeps } from './loop/drive.ts';
import type { BacktestHooks } from './inputs/hooks.ts';
import type { QuietLog } from './counts/quiet-log.ts';
import { delayed } from './inputs/readings.ts';
import type { Drawings } from '../../report/market/drawings.ts';
import type { RunCounters } from './counts/run-counters.ts';
import { pushedAccount, type MarketView } from './venue/market-view.ts';
import { SplitPort } from './venue/split-port.ts';
import { VirtualClock } from './venue/virtual-clock.ts';

interface BotDeps {
  readonly options: BacktestOptions;
  readonly instruments: readonly Instrument[];
  readonly strategies: readonly StrategySetup[];
  readonly counters: RunCounters;
  readonly drawings: Drawings;
  readonly log: QuietLog;
  readonly hooks: BacktestHooks;
  readonly sees: MarketView;
  readonly ambiguity: Ambiguity;
}

type Bot = Pick<DriveDeps, 'kernel' | 'throttle' | 'polls' | 'clock' | 'port'>;

/** The bot, its throttles and its connection to the simulator. Under `--every-tick` and on bars nothing is polled. */
export function botOn(sim: VenueSim, deps: BotDeps): Bot & { readonly barPort: BarPort | null } {
  const { options, instruments, strategies, counters, drawings, log, hooks, sees, ambiguity } = deps;
  const { config, everyTick, seed } = options;
  const clock = new VirtualClock();
  log.clock = clock;
  const identity = { bot: config.bot, epoch: 0 };
  const isPushed = sees !== 'polls';
  const common = { sim, account: 0, identity, clock, nameOrders: !isPushed };
  let kernel: Kernel | null = null;
  const barPort = sees === 'bars' ? new BarPort({ ...common, acts: () => kernel!.actsInside }) : null;
  const latency = delayed(latencyOf(config.simulation, seed), options.reading?.moreMs ?? 0);
  const orders = barPort ?? new SimPort({ ...common, latency, push: everyTick });
  const hasReads = latency.reads !== undefined && barPort === null;
  const venue = hasReads
    ? new SplitPort(orders, new SimPort({ ...common, latency: { ...latency, ...latency.reads }, push: false }))
    : orders;
  const port = hooks.port?.(venue, clock) ?? venue;
  const settings = isPushed ? null : tapePolls(config);
  const polls = settings === null ? null : new ReadThrottle({ reads: port, clock, ...questionBuckets(settings) });
  const throttle = new OrderThrottle({ orders: port, clock, rates: barPort === null ? commandRates(config) : NO_RATES });
  kernel = new Kernel({
    instruments,
    orders: throttle,
    reads: polls ?? port,
    freeCommands: port === orders && orders instanceof SimPort ? orders.freeCommands : undefined,
    clock,
    log: hooks.log?.(log) ?? log,
    journal: hooks.journal?.(counters.journal) ?? counters.journal,
    identity,
    strategies,
    drawing: hooks.isDrawn === false ? undefined : drawings,
    risk: riskLimits(config),
    polls: settings,
    pushed: isPushed ? pushedAccount(sim, instruments, () => ambiguity.passed()) : undefined,
    seed,
    timings: { ...timings(config), ...(barPort === null ? {} : BAR_TIMINGS) },
    onStrategyStop: config.onStrategyStop,
    ...externalOptions(config),
    ...allocationOption(config),
  });
  const { inbox } = kernel;
  throttle.connect(inbox, (command) => kernel.vetoOf(command));
  polls?.connect(inbox);
  port.connect(inbox, polls ?? inbox);
  return { port, kernel, throttle, polls, clock, barPort };
}

/** All commands of a moment meet the next open. */
const NO_RATES = { order: Infinity, spot: Infinity, margin: Infinity };
/** An outcome is told with the bar that a command meets, however long that takes. Bars of strategies end with those of the tape, not by timers. */
const BAR_TIMINGS = { commandTimeoutMs: Number.MAX_SAFE_INTEGER, barGraceMs: Infinity };
