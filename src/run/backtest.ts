/** A backtest: the bot of every other mode on the venue's truth in this process, with a tape for a market and virtual time. */
import { Failure } from '../base/failure.ts';
import { limitFor } from '../config/model.ts';
import { formatScaledShort } from '../domain/scale.ts';
import { RATE_DECIMALS } from '../domain/units.ts';
import type { Instrument } from '../domain/instrument.ts';
import { Kernel } from '../engine/kernel.ts';
import { OrderLane } from '../engine/lane.ts';
import type { StrategySetup } from '../engine/options.ts';
import { backtestReport, type BacktestReport } from '../report/backtest-report.ts';
import { EquityCurve } from '../report/equity-curve.ts';
import type { FillLog } from '../report/fill-log.ts';
import { VenueSim } from '../sim/core.ts';
import { SimPort } from '../sim/port.ts';
import { QuestionLanes } from '../sim/port/question-lanes.ts';
import { TapeMerge } from '../tape/merge.ts';
import { openTape, readManifest } from '../tape/read.ts';
import type { Tape, TapeOptions } from '../tape/tape.ts';
import { laneRates, pollSettings, questionBuckets, riskLimits, strategySetups, timings } from './bot-parts.ts';
import { Drive } from './drive.ts';
import { feedOf, instrumentsFor, type RunInstruments } from './instruments.ts';
import type { BacktestOptions } from './options.ts';
import { QuietLog } from './quiet-log.ts';
import { RunTally } from './run-tally.ts';
import { VirtualClock } from './virtual-clock.ts';

export type { BacktestReport } from '../report/backtest-report.ts';

const LEVERAGE = 20;
/** Equity is sampled every second of the tape, on a long tape less often: about this many samples. */
const SAMPLES = 100_000;
const HISTORY_LIMIT = 10_000;
const KEEP_TRADES = 8_192;

/** Runs the strategies over the tape. Same inputs, same report but for `performance`. @throws Failure, TapeError, ParamError */
export async function runBacktest(options: BacktestOptions): Promise<BacktestReport> {
  const manifest = readManifest(options.tape);
  const market = instrumentsFor(manifest.symbols, options.config.instruments);
  const tape = openTape(options.tape, tapeOptionsFor(options, market.instruments));
  const backtest = await openBacktest(options, market, tape);
  return backtest.run();
}

/** How a backtest wants its tape opened: prices in ticks, sizes in lots, time at the wanted speed. */
export function tapeOptionsFor(options: BacktestOptions, instruments: readonly Instrument[]): TapeOptions {
  return {
    speed: options.speed,
    start: options.start,
    gridOf: (symbol) => instruments.find((i) => i.symbol === symbol && i.product === 'futures'),
  };
}

export interface Backtest {
  readonly sim: VenueSim;
  readonly fills: FillLog;
  /** Runs to the end of the tape and reports; once. */
  run(): BacktestReport;
}

/** Puts a backtest together: everything but the rows is ready when this returns. */
export async function openBacktest(options: BacktestOptions, market: RunInstruments, tape: Tape): Promise<Backtest> {
  const { config, everyTick } = options;
  const { instruments, guessed } = market;
  const { manifest } = tape;
  const strategies = await strategySetups(options.strategies, instruments);
  const traded = new Set(strategies.flatMap((s) => s.instruments));
  const streams = tape.open();
  if (streams.length === 0) throw new Failure('configuration', { what: 'the tape has no rows', where: options.tape });

  const clock = new VirtualClock();
  const log = new QuietLog();
  const tally = new RunTally();
  const { deposits, fillModel, upMs, downMs, askMs } = config.simulation;
  const sim = new VenueSim(
    {
      instruments,
      accounts: [{ name: 'bot', futures: deposits['USDT'] ?? '0', spot: deposits }],
      fillModel,
      leverage: LEVERAGE,
      historyLimit: HISTORY_LIMIT,
      keepTrades: everyTick ? 0 : KEEP_TRADES,
      keepStats: !everyTick,
    },
    tally,
  );
  const identity = { bot: config.bot, epoch: 0 };
  const port = new SimPort({ sim, account: 0, identity, latency: { upMs, downMs }, clock, push: everyTick, nameOrders: !everyTick });
  const polls = everyTick ? null : pollSettings(config);
  const way = polls === null ? port : new QuestionLanes({ venue: port, clock, startMs: askMs, ...questionBuckets(polls) });
  const lane = new OrderLane({ venue: way, clock, rates: laneRates(config) });
  const kernel = new Kernel({
    instruments,
    venue: lane,
    clock,
    log,
    journal: tally.journal,
    identity,
    strategies,
    risk: riskLimits(config, instruments),
    polls,
    seed: options.seed,
    timings: timings(config),
  });
  lane.connect(kernel);
  port.connect(kernel);
  const curve = new EquityCurve(sim.equity(0));
  const drive = new Drive({
    merge: new TapeMerge(streams),
    feeds: streams.map((stream) => feedOf(stream.symbol, instruments, (i) => traded.has(i.index))),
    sim,
    port: way,
    kernel,
    lane,
    clock,
    everyTick,
    curve,
    sampleMs: Math.max(1000, Math.ceil((manifest.to - manifest.from) / options.speed / SAMPLES)),
    from: options.from ?? -Infinity,
    to: options.to ?? Infinity,
    botFrom: options.botFrom ?? -Infinity,
  });

  const run = (): BacktestReport => {
    const started = performance.now();
    drive.run();
    const wallMs = performance.now() - started;
    sim.audit();
    for (const stream of streams) stream.close();
    if (drive.rows === 0) throw new Failure('usage', { what: 'no row of the tape lies between --from and --to', where: options.tape });
    return backtestReport({
      tape: { rows: drive.rows, symbols: [...new Set(streams.map((s) => s.symbol))], from: drive.first, to: drive.last },
      config: configOf(options, strategies, instruments),
      orders: { ...tally.counts(), refused: refusalsOf(kernel) },
      instruments,
      fills: tally.fills,
      curve,
      ...sim.totals(0),
      notes: notesOf(options, { guessed, hasBook: streams.some((s) => s.kind === 'quotes'), log }),
      wallMs,
    });
  };
  return { sim, fills: tally.fills, run };
}

function configOf(options: BacktestOptions, strategies: readonly StrategySetup[], instruments: readonly Instrument[]): Record<string, unknown> {
  const { config } = options;
  return {
    strategies: strategies.map(({ name, strategy, params, instruments: traded }) => ({
      name,
      params: { ...defaultsOf(strategy), ...params },
      symbols: traded.map((i) => instruments[i]?.symbol),
    })),
    everyTick: options.everyTick,
    speed: options.speed,
    seed: options.seed,
    leverage: LEVERAGE,
    simulation: config.simulation,
    poll: config.poll,
    risk: config.risk,
    ordersPerSecond: limitFor(config.limits, 'order'),
    instruments: instruments.map((i) => ({
      symbol: i.symbol,
      product: i.product,
      tickSize: i.tickSize,
      lotSize: i.lotSize,
      makerFeeRate: formatScaledShort(i.makerFeeRate, RATE_DECIMALS),
      takerFeeRate: formatScaledShort(i.takerFeeRate, RATE_DECIMALS),
    })),
  };
}

function defaultsOf(strategy: StrategySetup['strategy']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(strategy.params).map(([name, param]) => [name, param.fallback]));
}

/** How often each risk rule refused an intent. */
function refusalsOf(kernel: Kernel): Record<string, number> {
  const prefix = 'intent-refused ';
  const counts = Object.entries(kernel.status().counts).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(counts.map(([name, count]) => [name.slice(prefix.length), count]));
}

interface Facts {
  readonly guessed: readonly string[];
  readonly hasBook: boolean;
  readonly log: QuietLog;
}

function notesOf(options: BacktestOptions, { guessed, hasBook, log }: Facts): string[] {
  const notes: string[] = [];
  const { simulation, poll } = options.config;
  if (options.everyTick) {
    notes.push('--every-tick: the strategy saw every row at once and heard of its fills at once, which is more than live would show it.');
  } else {
    notes.push(`the strategy saw the market as polls every ${poll.quotes} ms (quotes) and ${poll.trades} ms (trades) would have shown it.`);
  }
  const lanes = options.everyTick ? '' : `, ${simulation.askMs} ms more for a poll to start`;
  notes.push(`latency ${simulation.upMs} ms up and ${simulation.downMs} ms down${lanes}; resting orders fill by the "${simulation.fillModel}" model.`);
  if (!hasBook) notes.push('the tape has no book: orders that take trade at the last price, without a spread and without a limit of size.');
  if (options.speed !== 1) notes.push(`the tape's time runs ${options.speed} times faster than it was recorded.`);
  if (guessed.length > 0) notes.push(`${guessed.join(', ')}: no configuration; grid read off the tape, fees and limits guessed.`);
  notes.push('our own orders move no price; funding is not charged.');
  for (const [event, count] of log.worst(5)) notes.push(`logged ${count} times: ${event}`);
  return notes;
}
