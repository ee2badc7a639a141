/** One comparison: a live run, the backtest with what was measured of it, the live run repeated, and backtests around. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BotConfig, StrategyChoice } from '../../src/config/model.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Command } from '../../src/domain/orders/command.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { SILENT_LOG } from '../../src/ports/log.ts';
import { setRuntimeFlags } from '../../src/run/backtest/runtime-flags.ts';
import { openBacktest, tapeOptionsFor } from '../../src/run/backtest/backtest.ts';
import type { BacktestHooks } from '../../src/run/backtest/inputs/hooks.ts';
import { RecordedPort } from '../../src/run/live/counterfactual/recorded-port.ts';
import { readRecording } from '../../src/run/live/counterfactual/recording.ts';
import { instrumentsFor, instrumentsOf } from '../../src/run/setup/instruments/instruments.ts';
import type { BacktestOptions } from '../../src/run/setup/options.ts';
import { openTape, readManifest } from '../../src/tape/read.ts';
import { align, type Pair } from './align.ts';
import { Book } from './book.ts';
import { runLive, type CompareOptions, type LiveRun } from './live.ts';
import { measure, type Measured } from './measure.ts';
import { repeat, type Repeated } from './repeat.ts';
import { profitOf, refusedPlacements, runOfLedger, runOfSim, type Refusals, type Run } from './runs.ts';

export interface Figures {
  readonly orders: number;
  readonly fills: number;
  readonly fees: number;
  readonly net: number;
}

export interface Comparison {
  readonly options: CompareOptions;
  readonly instruments: readonly Instrument[];
  readonly live: LiveRun;
  readonly measured: Measured;
  /** `timed` is the backtest in which each message takes as long as it took live. */
  readonly runs: { readonly live: Run; readonly backtest: Run; readonly timed: Run; readonly repeated: Run };
  readonly figures: { readonly live: Figures; readonly backtest: Figures; readonly timed: Figures; readonly repeated: Figures };
  /** Intents that risk refused. */
  readonly refused: { readonly live: Refusals; readonly backtest: Refusals };
  /** The orders of the live run beside those of the backtest, and of the one with the times of each message. */
  readonly pairs: readonly Pair[];
  readonly timedPairs: readonly Pair[];
  readonly repeated: Repeated;
  /** Backtests of the same bot with each time a little shorter or longer, and one that starts a little later. */
  readonly around: readonly Figures[];
}

/** How much longer the times of the neighbouring backtests are: up, down, and how much later the bot starts. */
const AROUND = [
  [1, 0, 0],
  [2, 0, 0],
  [3, 0, 0],
  [0, 1, 0],
  [0, 2, 0],
  [0, 3, 0],
  [1, 1, 0],
  [3, 3, 0],
  [0, 0, 20],
] as const;

export async function compare(options: CompareOptions): Promise<Comparison> {
  const manifest = readManifest(options.tape);
  const symbols = options.symbols.length > 0 ? options.symbols : manifest.symbols.map(({ symbol }) => symbol);
  const chosen = { ...options, symbols };
  const config = loadConfig({ file: options.config, env: {}, set: options.set }).config;
  const strategies: StrategyChoice[] = [{ file: options.strategy, params: options.params, symbols }];
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-compare-'));
  try {
    const live = await runLive(chosen, folder);
    const repeated = await repeat({ live, tape: options.tape, speed: options.speed, config });
    return await compared({ options: chosen, config, strategies, live, repeated });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Parts {
  readonly options: CompareOptions;
  readonly config: BotConfig;
  readonly strategies: readonly StrategyChoice[];
  readonly live: LiveRun;
  readonly repeated: Repeated;
}

async function compared({ options, config, strategies, live, repeated }: Parts): Promise<Comparison> {
  const { symbols } = options;
  const manifest = readManifest(options.tape);
  const instruments = instrumentsOf(config.instruments);
  const madeAt = new Map(live.journal.filter(({ kind }) => kind === 'command').map(({ seq, time }) => [seq, time]));
  // The exchange orders its instruments by the tape.
  const served = instrumentsFor(manifest, config.instruments).instruments;
  const liveRun = runOfLedger(live.truth, { bot: config.bot, instruments: served, end: live.end, madeAt });
  const measured = measure(liveRun, repeated, config.limits);
  const base = {
    strategies,
    tape: options.tape,
    everyTick: false,
    speed: options.speed,
    seed: config.seed,
    start: live.start,
    to: live.end + 1,
  };
  const start = { ...base, config: withTimes(config, measured), armedAt: live.armedAt };
  const { run: backtest, refused } = await armedBacktest(start);
  const timed = await timedBacktest({ ...start, config: withTimes(config, { upMs: 0, downMs: 0 }) }, live);
  const book = new Book(options.tape, { instruments, speed: options.speed, start: live.start });
  const figuresOf = (run: Run): Figures => {
    const last = new Map(symbols.map((symbol) => [symbol, book.mid(symbol, live.end)]));
    return { orders: run.orders.length, fills: run.fills.length, ...profitOf(run, instruments, last) };
  };
  const around: Figures[] = [];
  for (const [up, down, late] of AROUND) {
    const times = { upMs: measured.upMs + up, downMs: measured.downMs + down };
    const { run } = await armedBacktest({ ...start, config: withTimes(config, times), armedAt: live.armedAt + late });
    around.push(figuresOf(run));
  }
  const seen = quoteTimes(repeated);
  const liveQuoteAt = (time: number): number => seen.findLast(([at]) => at <= time)?.[1] ?? 0;
  const beside = (run: Run, backtestQuoteAt: (time: number) => number): Pair[] =>
    align(liveRun, run, {
      withinMs: 2 * Math.max(config.poll.quotes, config.poll.trades),
      refused: refusedPlacements(live.truth),
      pollMs: Math.min(config.poll.quotes, config.poll.trades),
      book,
      liveQuoteAt,
      backtestQuoteAt,
    });
  const pairs = beside(backtest, (time) => time - measured.downMs);
  const timedPairs = beside(timed, liveQuoteAt);
  const runs = { live: liveRun, backtest, timed, repeated: repeated.run };
  const figures = {
    live: figuresOf(liveRun),
    backtest: figuresOf(backtest),
    timed: figuresOf(timed),
    repeated: figuresOf(repeated.run),
  };
  return {
    options,
    instruments,
    live,
    measured,
    runs,
    figures,
    refused: { live: repeated.refused, backtest: refused },
    pairs,
    timedPairs,
    repeated,
    around,
  };
}

/** The backtest in which each message that is sent after the bot was armed takes as long as the recording says. */
async function timedBacktest(options: ArmedOptions, live: LiveRun): Promise<Run> {
  const recording = readRecording(live.session);
  const madeAt = new Map<number, number>();
  const uses = { latency: true, polls: false, refusals: false, unknowns: false };
  const sent = ({ seq, time }: Command): void => void madeAt.set(seq, time);
  const port: BacktestHooks['port'] = (behind, clock) =>
    new RecordedPort({ port: behind, clock, recording, uses, sent, timedFrom: live.armedAt + 1 });
  const { run } = await armedBacktest(options, port);
  return { ...run, orders: run.orders.map((order) => ({ ...order, madeAt: madeAt.get(order.seq) ?? order.madeAt })) };
}

type ArmedOptions = Omit<BacktestOptions, 'botFrom'> & { readonly armedAt: number };

/** Longer than the bot of a backtest reads before it is armed. */
const EARLY_MS = 500;

/** The backtest whose bot is armed at a given time, as a first backtest shows how long it reads before. */
async function armedBacktest({ armedAt, ...options }: ArmedOptions, port?: BacktestHooks['port']): Promise<Ran> {
  const botFrom = armedAt - EARLY_MS;
  const first = await backtestOf({ ...options, botFrom, to: armedAt }, port);
  return backtestOf({ ...options, botFrom: botFrom + armedAt - first.armedAt }, port);
}

interface Ran {
  readonly run: Run;
  readonly refused: Refusals;
  readonly armedAt: number;
}

async function backtestOf(options: BacktestOptions, port: BacktestHooks['port'] = (given) => given): Promise<Ran> {
  const market = instrumentsFor(readManifest(options.tape), options.config.instruments);
  setRuntimeFlags();
  const tape = openTape(options.tape, tapeOptionsFor(options, market.instruments));
  let now = (): number => 0;
  let armedAt = options.botFrom ?? 0;
  const hooks: BacktestHooks = {
    port: (given, clock) => {
      now = () => clock.now();
      return port(given, clock);
    },
    log: () => ({ ...SILENT_LOG, info: (event) => void (event === 'armed' && (armedAt = now())) }),
  };
  const backtest = await openBacktest(options, market, tape, { hooks });
  const { orders } = backtest.run();
  const run = runOfSim(backtest.sim, backtest.fills, market.instruments, options.config.simulation.upMs);
  return { run, refused: orders.refused, armedAt };
}

function withTimes(config: BotConfig, { upMs, downMs }: Pick<Measured, 'upMs' | 'downMs'>): BotConfig {
  return { ...config, simulation: { ...config.simulation, upMs, downMs } };
}

/** When quotes reached the bot, and the venue's time of them. */
function quoteTimes({ answers }: Repeated): (readonly [number, number])[] {
  return answers.filter(({ query }) => query.kind === 'quotes').map(({ at, venueTime }) => [at, venueTime]);
}
