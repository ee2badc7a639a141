/** One comparison: a live run, the backtest with what was measured of it, the live run repeated, and backtests around. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitFor, type BotConfig, type StrategyChoice } from '../../src/config/model.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ENDPOINTS } from '../../src/contract/endpoints/endpoints.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { queryGapMs } from '../../src/ports/limiter.ts';
import { setRuntimeFlags } from '../../src/run/backtest/runtime-flags.ts';
import { openBacktest, tapeOptionsFor } from '../../src/run/backtest/backtest.ts';
import { instrumentsFor, instrumentsOf } from '../../src/run/setup/instruments.ts';
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
  readonly runs: { readonly live: Run; readonly backtest: Run; readonly repeated: Run };
  readonly figures: { readonly live: Figures; readonly backtest: Figures; readonly repeated: Figures };
  /** Intents that risk refused. */
  readonly refused: { readonly live: Refusals; readonly backtest: Refusals };
  readonly pairs: readonly Pair[];
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
  // A cold process takes longer from its start to its first trade: the backtest's bot starts so that both are armed together.
  const botFrom = live.armedAt - startupMs(measured, config);
  const { run: backtest, refused } = await backtestOf({ ...base, config: withTimes(config, measured), botFrom });
  const book = new Book(options.tape, { instruments, speed: options.speed, start: live.start });
  const figuresOf = (run: Run): Figures => {
    const last = new Map(symbols.map((symbol) => [symbol, book.mid(symbol, live.end)]));
    return { orders: run.orders.length, fills: run.fills.length, ...profitOf(run, instruments, last) };
  };
  const around: Figures[] = [];
  for (const [up, down, late] of AROUND) {
    const times = { upMs: measured.upMs + up, downMs: measured.downMs + down };
    const { run } = await backtestOf({ ...base, config: withTimes(config, times), botFrom: botFrom + late });
    around.push(figuresOf(run));
  }
  const seen = quoteTimes(repeated);
  const pairs = align(liveRun, backtest, {
    withinMs: 2 * Math.max(config.poll.quotes, config.poll.trades),
    refused: refusedPlacements(live.truth),
    pollMs: Math.min(config.poll.quotes, config.poll.trades),
    book,
    liveQuoteAt: (time) => seen.findLast(([at]) => at <= time)?.[1] ?? 0,
    backtestQuoteAt: (time) => time - measured.downMs,
  });
  const runs = { live: liveRun, backtest, repeated: repeated.run };
  const figures = { live: figuresOf(liveRun), backtest: figuresOf(backtest), repeated: figuresOf(repeated.run) };
  return {
    options,
    instruments,
    live,
    measured,
    runs,
    figures,
    refused: { live: repeated.refused, backtest: refused },
    pairs,
    repeated,
    around,
  };
}

async function backtestOf(options: BacktestOptions): Promise<{ run: Run; refused: Refusals }> {
  const market = instrumentsFor(readManifest(options.tape), options.config.instruments);
  setRuntimeFlags();
  const backtest = await openBacktest(options, market, openTape(options.tape, tapeOptionsFor(options, market.instruments)));
  const { orders } = backtest.run();
  const run = runOfSim(backtest.sim, backtest.fills, market.instruments, options.config.simulation.upMs);
  return { run, refused: orders.refused };
}

/** How long a backtest's bot reads before it is armed: its four questions, of which two share a bucket, and a millisecond later the positions again. */
function startupMs({ upMs, downMs }: Measured, { limits }: BotConfig): number {
  const gapMs = queryGapMs(limitFor(limits, ENDPOINTS.pendingOrders.cost.bucket));
  return 2 * (upMs + downMs) + gapMs + 1;
}

function withTimes(config: BotConfig, { upMs, downMs }: Pick<Measured, 'upMs' | 'downMs'>): BotConfig {
  return { ...config, simulation: { ...config.simulation, upMs, downMs } };
}

/** When quotes reached the bot, and the venue's time of them. */
function quoteTimes({ answers }: Repeated): (readonly [number, number])[] {
  return answers.filter(({ query }) => query.kind === 'quotes').map(({ at, venueTime }) => [at, venueTime]);
}
