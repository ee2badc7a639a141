/** One comparison: a live run, the backtest with what was measured of it, the live run gone through again, and backtests around. */
import { limitFor, type BotConfig, type StrategyChoice } from '../../src/config/model.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ENDPOINTS } from '../../src/contract/endpoints.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { PlannedPoll } from '../../src/engine/schedule.ts';
import { questionGapMs } from '../../src/ports/limiter.ts';
import { openBacktest, tapeOptionsFor } from '../../src/run/backtest.ts';
import { instrumentsFor, instrumentsOf } from '../../src/run/instruments.ts';
import type { BacktestOptions } from '../../src/run/options.ts';
import { openTape, readManifest } from '../../src/tape/read.ts';
import { align, type Pair } from './align.ts';
import { Book } from './book.ts';
import { runLive, type CompareOptions, type LiveRun } from './live.ts';
import { replay, type Replay } from './replay.ts';
import { profitOf, refusedPlacements, runOfLedger, runOfSim, type Refusals, type Run } from './runs.ts';

/** Milliseconds, trimmed means of the live run; `spread` is what one in ten exceeds. */
export interface Measured {
  readonly upMs: number;
  readonly downMs: number;
  readonly askMs: number;
  readonly spread: { readonly upMs: number; readonly downMs: number; readonly askMs: number };
}

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
  readonly runs: { readonly live: Run; readonly backtest: Run; readonly again: Run };
  readonly figures: { readonly live: Figures; readonly backtest: Figures; readonly again: Figures };
  /** Intents that risk refused. */
  readonly refused: { readonly live: Refusals; readonly backtest: Refusals };
  readonly pairs: readonly Pair[];
  readonly replay: Replay;
  /** Backtests of the same bot with each time a little shorter or longer, and one that starts a little later. */
  readonly around: readonly Figures[];
}

/** How much shorter or longer the times of the neighbouring backtests are: up, down, ask, and how much later the bot starts. */
const AROUND = [
  [0, 0, -2, 0],
  [0, 0, 2, 0],
  [0, 0, 5, 0],
  [1, 0, 0, 0],
  [3, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 3, 0, 0],
  [1, 1, 2, 0],
  [0, 0, 0, 20],
] as const;

export async function compare(options: CompareOptions): Promise<Comparison> {
  const manifest = readManifest(options.tape);
  const symbols = options.symbols.length > 0 ? options.symbols : manifest.symbols.map(({ symbol }) => symbol);
  const chosen = { ...options, symbols };
  const config = loadConfig({ file: options.config, env: {}, set: options.set }).config;
  const strategies: StrategyChoice[] = [{ file: options.strategy, params: options.params, symbols }];
  const live = await runLive(chosen);
  const instruments = instrumentsOf(config.instruments);
  const again = await replay({ live, tape: options.tape, speed: options.speed, config, strategies, instruments });
  const madeAt = new Map(live.journal.filter(({ kind }) => kind === 'command').map(({ seq, time }) => [seq, time]));
  // The exchange orders its instruments by the tape.
  const served = instrumentsFor(manifest.symbols, config.instruments).instruments;
  const liveRun = runOfLedger(live.truth, { bot: config.bot, instruments: served, end: live.end, madeAt });
  const measured = measure(live, liveRun, again.polls);
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
    const last = new Map(symbols.map((symbol) => [symbol, book.middle(symbol, live.end)]));
    return { orders: run.orders.length, fills: run.fills.length, ...profitOf(run, instruments, last) };
  };
  const around: Figures[] = [];
  for (const [up, down, ask, late] of AROUND) {
    const times = { upMs: measured.upMs + up, downMs: measured.downMs + down, askMs: Math.max(0, measured.askMs + ask) };
    const { run } = await backtestOf({ ...base, config: withTimes(config, times), botFrom: botFrom + late });
    around.push(figuresOf(run));
  }
  const seen = quoteTimes(live);
  const pairs = align(liveRun, backtest, {
    withinMs: 2 * Math.max(config.poll.quotes, config.poll.trades),
    refused: refusedPlacements(live.truth),
    pollMs: Math.min(config.poll.quotes, config.poll.trades),
    book,
    liveQuoteAt: (time) => seen.findLast(([at]) => at <= time)?.[1] ?? 0,
    backtestQuoteAt: (time) => time - measured.downMs,
  });
  const runs = { live: liveRun, backtest, again: again.run };
  const figures = { live: figuresOf(liveRun), backtest: figuresOf(backtest), again: figuresOf(again.run) };
  return {
    options: chosen,
    instruments,
    live,
    measured,
    runs,
    figures,
    refused: { live: again.refused, backtest: refused },
    pairs,
    replay: again,
    around,
  };
}

async function backtestOf(options: BacktestOptions): Promise<{ run: Run; refused: Refusals }> {
  const market = instrumentsFor(readManifest(options.tape).symbols, options.config.instruments);
  const backtest = await openBacktest(options, market, openTape(options.tape, tapeOptionsFor(options, market.instruments)));
  const { orders } = backtest.run();
  const run = runOfSim(backtest.sim, backtest.fills, market.instruments, options.config.simulation.upMs);
  return { run, refused: orders.refused };
}

/** How long a backtest's bot reads before it is armed: its four questions, of which two share a bucket. */
function startupMs({ upMs, downMs, askMs }: Measured, { limits }: BotConfig): number {
  return askMs + questionGapMs(limitFor(limits, ENDPOINTS.pendingOrders.cost.bucket)) + upMs + downMs;
}

function withTimes(config: BotConfig, { upMs, downMs, askMs }: Pick<Measured, 'upMs' | 'downMs' | 'askMs'>): BotConfig {
  return { ...config, simulation: { ...config.simulation, upMs, downMs, askMs } };
}

/** When quotes reached the bot, and the venue's time of them. */
function quoteTimes({ steps }: LiveRun): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = [];
  for (const { input, query, at, venueTime } of steps) {
    if (input === 'answered' && query?.includes('"quotes"') === true) out.push([at, venueTime ?? 0]);
  }
  return out;
}

/** Means without the tenth at either end, as whole milliseconds: what a resting order misses grows with them. */
function measure({ steps }: LiveRun, live: Run, polls: readonly PlannedPoll[]): Measured {
  const up = live.orders.map((order) => order.arrivedAt - order.madeAt);
  const down: number[] = [];
  const ask: number[] = [];
  for (const { input, query, at, venueTime = 0 } of steps) {
    if (input !== 'answered' || query === undefined) continue;
    const { kind, instrument } = JSON.parse(query) as { kind: string; instrument: number };
    const poll = polls.find((one) => one.kind === kind && one.instrument === instrument);
    if (poll === undefined || (kind !== 'quotes' && kind !== 'trades')) continue;
    down.push(at - venueTime);
    ask.push((venueTime - poll.phaseMs) % poll.periodMs);
  }
  const upMs = mean(up);
  const spread = { upMs: tenth(up), downMs: tenth(down), askMs: Math.max(0, tenth(ask) - upMs) };
  return { upMs, downMs: mean(down), askMs: Math.max(0, mean(ask) - upMs), spread };
}

/** 1 when there are none. */
function mean(values: readonly number[]): number {
  const ends = Math.floor(values.length / 10);
  const kept = values.toSorted((a, b) => a - b).slice(ends, values.length - ends);
  if (kept.length === 0) return 1;
  return Math.max(0, Math.round(kept.reduce((sum, value) => sum + value, 0) / kept.length));
}

/** What one in ten exceeds. */
function tenth(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * 0.9)] ?? 0;
}
