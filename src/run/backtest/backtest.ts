/** A backtest: the same bot as in every mode, on the simulator in this process, with a tape as the market and virtual time. size: one run, from tape to report */
import { Failure } from '../../base/failure.ts';
import { ownModule } from '../../base/own-module.ts';
import { limitFor } from '../../config/model.ts';
import { formatScaledShort } from '../../domain/scale.ts';
import { RATE_DECIMALS } from '../../domain/units.ts';
import { tradedName, type Instrument } from '../../domain/instrument.ts';
import { Kernel } from '../../engine/kernel.ts';
import { OrderLane } from '../../engine/polling/lane.ts';
import { PollLane } from '../../engine/polling/poll-lane.ts';
import type { CommandJournal } from '../../engine/state/journal.ts';
import { nameOf, type StrategySetup } from '../../engine/strategy/setup.ts';
import type { RowTaker } from '../../engine/strategy/rows.ts';
import type { Log } from '../../ports/log.ts';
import { backtestReport, type BacktestReport, type ReportInputs } from '../../report/backtest-report.ts';
import { executionOf } from '../../report/decisions.ts';
import { Attribution } from '../../domain/attribution.ts';
import { EquityCurve } from '../../report/equity-curve.ts';
import { PeriodSeries, periodFor } from '../../report/period-series.ts';
import type { FillLog } from '../../report/fill-log.ts';
import { SpotBook } from '../../report/spot-book.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import { SimPort } from '../../sim/port/port.ts';
import { TapeMerge } from '../../tape/merge.ts';
import type { Manifest } from '../../tape/manifest.ts';
import { openTape, readManifest } from '../../tape/read.ts';
import type { MeasuredImpact } from '../market/measure-impact.ts';
import type { TapeStream } from '../../tape/stream.ts';
import type { Tape, TapeOptions } from '../../tape/tape.ts';
import { barHistory } from '../market/bar-history.ts';
import { BarOrder, barNotes, hasBarMarket, onBars } from './bar-order.ts';
import { detailNotes, marketOf, withDetail } from '../setup/detail.ts';
import { failedOf, notesOf } from './notes.ts';
import { allocationOption } from '../setup/allocation.ts';
import { externalOptions, laneRates, questionBuckets, riskLimits, tapePolls, strategySetups, timings } from '../setup/bot-parts.ts';
import { shownParams } from '../setup/shown-params.ts';
import { Drive, type DriveParts } from './drive.ts';
import { feedOf, instrumentsFor, type RunInstruments } from '../setup/instruments.ts';
import type { BacktestOptions } from '../setup/options.ts';
import { marketCharts } from './market-charts.ts';
import { PageFile } from './page-file.ts';
import { QuietLog } from './quiet-log.ts';
import { RunCounters } from './run-tally.ts';
import { measuredImpact } from './measured-impact.ts';
import { latencyOf } from '../setup/sim-terms.ts';
import { coinOf, pathsOf, simFor } from './venue-of-run.ts';
import { loadVenueRows, timedRows, venueRowNotes, type VenueRows } from './venue-rows.ts';
import { delayed, widened } from './readings.ts';
import { IdlePolls } from './idle-polls.ts';
import type { BacktestPort } from './port.ts';
import { pushedAccount, sightOf, type Sight } from './sight.ts';
import { SplitPort } from './split-port.ts';
import { VirtualClock } from './virtual-clock.ts';

export type { BacktestReport } from '../../report/backtest-report.ts';

/** Target number of equity samples. A short tape is sampled every second. */
const SAMPLES = 20_000;

/** Runs the strategies on the tape. Same inputs give the same report, except `performance`. @throws Failure, TapeError, ParamError */
export async function runBacktest(options: BacktestOptions): Promise<BacktestReport> {
  return (await prepareBacktest(options)).run();
}

/** A backtest of the folder `options.tape`, ready to run. @throws Failure, TapeError, ParamError */
export async function prepareBacktest(options: BacktestOptions, hooks?: BacktestHooks): Promise<Backtest> {
  const { detail } = options;
  const stored = readManifest(options.tape);
  const manifest = marketOf(stored, detail);
  const market = instrumentsFor(withDetail(stored, detail), options.config.instruments);
  const opened = (chosen: BacktestOptions, extras: RunExtras): Promise<Backtest> => {
    const tape = openTape(chosen.tape, { ...tapeOptionsFor(chosen, market.instruments), bars: extras.bars });
    return openBacktest(chosen, market, tape, extras);
  };
  const { reading } = options;
  if (reading !== undefined) {
    const bars = new BarOrder(widened(options.spread, reading.spreadFactor), reading.isTargetFirst);
    const stated = hasBarMarket(manifest) ? onBars(options, manifest) : options;
    const simulation = { ...stated.config.simulation, fillModel: reading.fillModel };
    return opened({ ...stated, config: { ...stated.config, simulation } }, { bars, hooks });
  }
  const bars = new BarOrder(options.spread);
  const finer = detailNotes(detail);
  if (!hasBarMarket(manifest)) return opened(options, { bars, hooks, notes: finer });
  const chosen = onBars(options, manifest);
  // Hooks are for the run that is reported; the other one only gives its result.
  const setups = hooks?.setups;
  const other = (await opened(chosen, { bars: new BarOrder(options.spread, true), hooks: setups && { setups } })).run();
  return opened(chosen, { bars, hooks, notes: [...barNotes(manifest, bars.spread, other.pnl.net), ...finer] });
}

/** Options for opening the tape: prices in ticks, sizes in lots, time at the wanted speed. */
export function tapeOptionsFor(options: BacktestOptions, instruments: readonly Instrument[]): TapeOptions {
  return {
    speed: options.speed,
    start: options.start,
    spreadFactor: options.reading?.spreadFactor,
    detail: options.detail,
    // Trade ids are needed only for polls.
    hasIds: !options.everyTick,
    gridOf: (symbol) => instruments.find((i) => i.symbol === symbol && i.product === 'futures'),
  };
}

let runs = 0;

/**
 * The row loop of a run. The first run of a process uses the original; each later run loads a copy, because V8 compiles a loop that has
 * called several strategies less well.
 */
export async function takerOf(): Promise<typeof RowTaker | undefined> {
  const run = runs++;
  if (run === 0) return undefined;
  const module = ownModule(new URL(`../../engine/strategy/rows.ts?run=${run}`, import.meta.url));
  const copy = (await import(module)) as { readonly RowTaker: typeof RowTaker };
  return copy.RowTaker;
}

/** What a test of a strategy puts between the parts of a run. */
export interface BacktestHooks {
  /** The strategies, instead of the files of the options. */
  readonly setups?: ((instruments: readonly Instrument[]) => readonly StrategySetup[]) | undefined;
  readonly log?: ((quiet: Log) => Log) | undefined;
  readonly journal?: ((counting: CommandJournal) => CommandJournal) | undefined;
  readonly port?: ((port: BacktestPort, clock: VirtualClock) => BacktestPort) | undefined;
  /** Milliseconds after the end in which the last commands still reach the venue. Default 0. */
  readonly graceMs?: number | undefined;
  /** Bars of history are read this many times as far back as the strategies ask for. Default 1. */
  readonly historyFactor?: number | undefined;
  /** Milliseconds between samples of the equity. Default: so many that a long run has 20,000. */
  readonly sampleMs?: number | undefined;
  /** Strategies are created again at this time with what `save` gives, as after a restart of the bot. */
  readonly restartAt?: number | undefined;
}

export interface RunExtras {
  readonly bars?: BarOrder | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly hooks?: BacktestHooks | undefined;
}

export interface Backtest {
  readonly sim: VenueSim;
  readonly kernel: Kernel;
  readonly instruments: readonly Instrument[];
  readonly fills: FillLog;
  /** The parts of several strategies; null for one alone. */
  readonly attribution: Attribution | null;
  /** Runs to the end of the tape and returns the report. Call it once. */
  run(): BacktestReport;
}

/** Assembles a backtest, ready to run. */
export async function openBacktest(
  options: BacktestOptions,
  market: RunInstruments,
  tape: Tape,
  extras: RunExtras = {},
): Promise<Backtest> {
  const strategies = extras.hooks?.setups?.(market.instruments) ?? (await strategySetups(options.strategies, market.instruments));
  const opened = (): Tape => openTape(options.tape, tapeOptionsFor(options, market.instruments));
  const impact = measuredImpact({ options, market, strategies, opened });
  return assembleBacktest({ options, market, tape, strategies, impact, Taker: await takerOf(), extras });
}

export interface BacktestParts {
  readonly options: BacktestOptions;
  readonly market: RunInstruments;
  readonly tape: Tape;
  readonly strategies: readonly StrategySetup[];
  /** Terms of the impact model by symbol, if they are to be measured on the tape. */
  readonly impact?: ReadonlyMap<string, MeasuredImpact> | null | undefined;
  /** The row loop, see `takerOf`. */
  readonly Taker?: typeof RowTaker | undefined;
  readonly extras?: RunExtras | undefined;
  /** Mark prices and funding rates. Default: those of the tape's folder. */
  readonly venueRows?: VenueRows | undefined;
}

/** The same with everything that is loaded asynchronously. */
export function assembleBacktest(parts: BacktestParts): Backtest {
  const { options, market, tape, strategies, impact = null, Taker, extras = {} } = parts;
  const { bars, notes = [], hooks = {} } = extras;
  const { instruments, guessed, adjusted } = market;
  const { manifest } = tape;
  const traded = new Set(strategies.flatMap((s) => s.instruments));
  const streams = tape.open();
  if (streams.length === 0) throw new Failure('tape-empty', { what: 'the tape has no rows', where: options.tape });

  const log = new QuietLog();
  const feeds = streams.map((stream) => feedOf(stream.symbol, instruments, (i) => traded.has(i.index)));
  const tally = new RunCounters(instruments, feeds, () => new PageFile());
  const venueRows = timedRows(parts.venueRows ?? loadVenueRows(tape.folder, manifest, instruments), options, manifest);
  const sees = sightOf(options, streams, feeds);
  const sim = simFor(options, instruments, tally, { impact, venueRows, sees, paths: pathsOf(streams, feeds) });
  bars?.follow(sim, instruments);
  const bot = botOn(sim, { options, instruments, strategies, tally, log, hooks, sees });
  const { kernel } = bot;
  tally.follow(kernel.markets);
  bars?.followTrades(kernel);
  const { inbox } = kernel;
  const barsWanted = kernel.barsWanted.map((one) => ({ ...one, count: one.count * (hooks.historyFactor ?? 1) }));
  const isAfterStart = options.from !== undefined && barsWanted.length > 0;
  for (const one of isAfterStart ? barHistory(tape.open(), barsWanted, options.from) : []) {
    if (one.rows.length > 0) inbox.history(one.instrument, one.timeframe, one.rows, one.until);
  }
  const spot = spotBookFor(sim, instruments, traded);
  tally.spot = spot;
  const attribution = attributionFor(sim, instruments, strategies);
  tally.attribution = attribution;
  const curve = new EquityCurve(sim.equity(0) + (spot === null ? 0 : spotCash(sim, instruments)));
  const sampleMs = hooks.sampleMs ?? sampleMsOf(streams, (manifest.to - manifest.from) / options.speed);
  const periods = periodsFor({ options, manifest, sim, traded: [...traded], start: curve.start, attribution });
  const drive = new Drive({
    Taker,
    merge: new TapeMerge(streams, options.from, options.to),
    feeds,
    sim,
    ...bot,
    seesRows: sees !== 'polls',
    curve,
    periods,
    spot,
    sampleMs,
    botFrom: options.botFrom ?? -Infinity,
    interruption: hooks.restartAt === undefined ? undefined : { at: hooks.restartAt, run: () => restartStrategies(kernel) },
    isPlain: options.isPlain,
    watch: tally.watch,
    graceMs: hooks.graceMs,
    progress: progressOf(options, manifest),
  });

  const run = (): BacktestReport => {
    const started = process.hrtime.bigint();
    try {
      drive.run();
    } finally {
      for (const stream of streams) stream.close();
    }
    const wallMs = Number(process.hrtime.bigint() - started) / 1e6;
    sim.audit();
    if (drive.rows === 0) throw nothingBetween(manifest, options.tape);
    const status = kernel.status();
    return backtestReport({
      failed: failedOf({ status, log }),
      tape: { rows: drive.rows, symbols: [...new Set(streams.map((s) => s.symbol))], from: drive.first, to: drive.last },
      config: { ...configOf(options, strategies, instruments), ...(impact === null ? {} : { impact: Object.fromEntries(impact) }) },
      orders: { ...tally.counts(), refused: refusalsOf(kernel) },
      instruments,
      fills: tally.fills,
      brackets: tally.brackets,
      excursions: tally.watch.excursions,
      execution: executionOf(tally.decisions, tally.watch),
      market: () =>
        marketCharts(
          tape,
          instruments.filter(({ index }) => traded.has(index)),
          { from: drive.first, to: drive.last },
        ),
      curve,
      periods,
      attribution,
      ...totalsOf(sim, spot),
      notes: notesOf({
        sees,
        barNotes: [...notes, ...venueRowNotes(venueRows, instruments)],
        options,
        manifest,
        instruments,
        strategies,
        guessed,
        adjusted,
        sampleMs,
        status,
        sim,
        impact,
        tally,
        log,
        spot,
      }),
      wallMs,
    });
  };
  return { sim, kernel, instruments, fills: tally.fills, attribution, run };
}

/** Milliseconds between equity samples of a run over `spanMs`: at begins of bars, unless they are longer than that. */
function sampleMsOf(streams: readonly TapeStream[], spanMs: number): number {
  const wanted = Math.max(1000, Math.ceil(spanMs / SAMPLES));
  const barMs = Math.max(0, ...streams.map(({ whole }) => whole?.barMs ?? 0));
  return wanted > barMs && Number.isInteger(barMs) && barMs > 0 ? Math.ceil(wanted / barMs) * barMs : wanted;
}

/** Setting a parameter to nothing creates a strategy again as it is. */
function restartStrategies(kernel: Kernel): void {
  for (const { name } of kernel.status().strategies) {
    kernel.inbox.operate({ name: 'set', strategy: name, param: '', value: '', by: 'verify', why: 'a restart' });
  }
}

interface PeriodParts {
  readonly options: BacktestOptions;
  readonly manifest: Manifest;
  readonly sim: VenueSim;
  /** Indices of the traded instruments. */
  readonly traded: readonly number[];
  readonly start: number;
  readonly attribution: Attribution | null;
}

/** The series of returns, beside buying and holding what is traded. */
function periodsFor({ options, manifest, sim, traded, start, attribution }: PeriodParts): PeriodSeries {
  const first = options.start ?? manifest.from;
  const last = first + (manifest.to - manifest.from) / options.speed;
  const from = Math.max(first, options.from ?? first);
  const midOf = (k: number): number => {
    const book = sim.bookTicker(traded[k]!);
    return book !== null && book.bid > 0 && book.ask > 0 ? (book.bid + book.ask) / 2 : sim.markPrice(traded[k]!);
  };
  const ms = periodFor(Math.min(last, options.to ?? last) - from);
  return new PeriodSeries({ ms, from, start, symbols: traded.length, priceOf: midOf, onRow: (time) => attribution?.sample(time) });
}

/** Tells rows and the share of the chosen time, or undefined if nobody asks. */
function progressOf({ progress, speed, start, from, to }: BacktestOptions, manifest: Manifest): DriveParts['progress'] {
  if (progress === undefined) return undefined;
  const begin = start ?? manifest.from;
  const first = Math.max(begin, from ?? -Infinity);
  const last = Math.min(begin + (manifest.to - manifest.from) / speed, to ?? Infinity);
  return (rows, now) => progress(rows, Math.min(1, Math.max(0, (now - first) / Math.max(1, last - first))));
}

interface BotParts {
  readonly options: BacktestOptions;
  readonly instruments: readonly Instrument[];
  readonly strategies: readonly StrategySetup[];
  readonly tally: RunCounters;
  readonly log: QuietLog;
  readonly hooks: BacktestHooks;
  readonly sees: Sight;
}

/** The bot, its lanes and its connection to the simulator. Under `--every-tick` nothing is polled. */
function botOn(
  sim: VenueSim,
  { options, instruments, strategies, tally, log, hooks, sees }: BotParts,
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
    journal: hooks.journal?.(tally.journal) ?? tally.journal,
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

/** The parts of several strategies; null for one alone. */
function attributionFor(sim: VenueSim, instruments: readonly Instrument[], strategies: readonly StrategySetup[]): Attribution | null {
  if (strategies.length < 2) return null;
  return new Attribution({
    instruments,
    strategies: strategies.map(nameOf),
    coin: coinOf(instruments),
    markOf: (i) => (instruments[i]!.product === 'spot' ? spotPrice(sim, i) : sim.markPrice(i)),
  });
}

/** Price in ticks at which a spot holding is valued. */
function spotPrice(sim: VenueSim, instrument: number): number {
  return sim.bookTicker(instrument)?.bid || sim.markPrice(instrument);
}

/** The spot profit, which is part of the result if a strategy trades spot; otherwise null. */
function spotBookFor(sim: VenueSim, instruments: readonly Instrument[], traded: ReadonlySet<number>): SpotBook | null {
  if (!instruments.some((one) => one.product === 'spot' && traded.has(one.index))) return null;
  return new SpotBook(instruments, coinOf(instruments), (i) => spotPrice(sim, i));
}

function spotCash(sim: VenueSim, instruments: readonly Instrument[]): number {
  const coin = coinOf(instruments);
  return sim.balances(0).reduce((sum, one) => (one.coin === coin ? sum + one.free + one.locked : sum), 0);
}

function totalsOf(sim: VenueSim, spot: SpotBook | null): Pick<ReportInputs, 'realised' | 'unrealised' | 'fees' | 'funding' | 'insurance'> {
  const { realised, unrealised, fees, funding, insurance } = sim.totals(0);
  const cash = { funding, insurance };
  if (spot === null) return { realised, unrealised, fees, ...cash };
  return { realised: realised + spot.realised, unrealised: unrealised + spot.unrealised(), fees: fees + spot.fees, ...cash };
}

function configOf(
  options: BacktestOptions,
  strategies: readonly StrategySetup[],
  instruments: readonly Instrument[],
): Record<string, unknown> {
  const { config } = options;
  return {
    strategies: strategies.map(({ name, strategy, params, instruments: traded }) => ({
      name,
      params: shownParams(strategy, params),
      symbols: traded.map((i) => tradedName(instruments[i]!)),
    })),
    everyTick: options.everyTick,
    speed: options.speed,
    seed: options.seed,
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

function nothingBetween({ from, to }: Manifest, tape: string): Failure {
  const [first, last] = [from, to].map((time) => new Date(time).toISOString());
  const hint = `the tape goes from ${first} to ${last}`;
  return new Failure('range-empty', { what: 'no row of the tape lies between --from and --to', where: tape, hint });
}

/** How often each risk rule refused an intent. */
export function refusalsOf(kernel: Kernel): Record<string, number> {
  const prefix = 'intent-refused ';
  const counts = Object.entries(kernel.status().counts).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(counts.map(([name, count]) => [name.slice(prefix.length), count]));
}
