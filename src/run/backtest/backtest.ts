/** A backtest: the same bot as in every mode, on the simulator in this process, with a tape as the market and virtual time. */
import { Failure } from '../../base/failure.ts';
import { ownModule } from '../../base/own-module.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Kernel } from '../../engine/kernel.ts';
import { refusalsOf } from '../../engine/status.ts';
import type { StrategySetup } from '../../engine/strategy/setup.ts';
import type { RowTaker } from '../../engine/strategy/rows.ts';
import { backtestReport, type BacktestReport } from '../../report/backtest-report.ts';
import { executionOf } from '../../report/decisions.ts';
import type { Attribution } from '../../domain/attribution.ts';
import { EquityCurve } from '../../report/equity-curve.ts';
import type { FillLog } from '../../report/fill-log.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import { TapeMerge } from '../../tape/merge.ts';
import type { Manifest } from '../../tape/manifest.ts';
import { openTape, readManifest } from '../../tape/read.ts';
import type { MeasuredImpact } from '../market/measure-impact.ts';
import type { Tape, TapeOptions } from '../../tape/tape.ts';
import { barHistory } from '../market/bar-history.ts';
import { attributionFor, spotBookFor, spotCash, totalsOf } from './account-of-run.ts';
import { BarOrder, barNotes, hasBarMarket, onBars } from './bar-order.ts';
import { botOn } from './bot-of-run.ts';
import { detailNotes, marketOf, withDetail } from '../setup/detail.ts';
import { failedOf, notesOf, threwOf } from './notes.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import { Drive, type DriveParts } from './drive.ts';
import { feedOf, instrumentsFor, type RunInstruments } from '../setup/instruments.ts';
import type { BacktestOptions } from '../setup/options.ts';
import type { BacktestHooks } from './hooks.ts';
import { marketCharts } from './market-charts.ts';
import { PageFile } from './page-file.ts';
import { QuietLog } from './quiet-log.ts';
import { RunCounters } from './run-tally.ts';
import { configOf } from './report-config.ts';
import { measuredImpact } from './measured-impact.ts';
import { pathsOf, simFor } from './venue-of-run.ts';
import { loadVenueRows, timedRows, venueRowNotes, type VenueRows } from './venue-rows.ts';
import { widened } from './readings.ts';
import { periodsFor, sampleMsOf } from './series-of-run.ts';
import { sightOf } from './sight.ts';

export type { BacktestReport } from '../../report/backtest-report.ts';

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
  // Hooks are for the run that is reported; the other one only gives its result, so nobody asks for more of it.
  const unseen = { setups: hooks?.setups, isWatched: false, sampleMs: Infinity };
  const other = (await opened(chosen, { bars: new BarOrder(options.spread, true), hooks: unseen })).run();
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
 * The row loop of a run. The first run of a process uses the original; each later run loads a copy, because V8 produces
 * slower code for a loop that has called several strategies.
 */
export async function takerOf(): Promise<typeof RowTaker | undefined> {
  const run = runs++;
  if (run === 0) return undefined;
  const module = ownModule(new URL(`../../engine/strategy/rows.ts?run=${run}`, import.meta.url));
  const copy = (await import(module)) as { readonly RowTaker: typeof RowTaker };
  return copy.RowTaker;
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
  tally.watch.follow(sim.lines);
  tally.isWatched = hooks.isWatched ?? true;
  bars?.followTrades(kernel.tradesOnBars);
  const { inbox } = kernel;
  const barsWanted = kernel.barsWanted.map((one) => ({ ...one, count: one.count * (hooks.historyFactor ?? 1) }));
  const isAfterStart = options.from !== undefined && barsWanted.length > 0;
  for (const one of isAfterStart ? barHistory(tape, barsWanted, options.from) : []) {
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
      threw: threwOf({ status, log }),
      tape: {
        rows: drive.rows,
        isPath: streams.every(({ isPath }) => isPath) || undefined,
        symbols: [...new Set(streams.map((s) => s.symbol))],
        from: drive.first,
        to: drive.last,
      },
      config: { ...configOf(options, strategies, instruments), ...(impact === null ? {} : { impact: Object.fromEntries(impact) }) },
      orders: { ...tally.counts(), refused: refusalsOf([status]) },
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

/** Setting a parameter to nothing creates a strategy again as it is. */
function restartStrategies(kernel: Kernel): void {
  for (const { name } of kernel.status().strategies) {
    kernel.inbox.operate({ name: 'set', strategy: name, param: '', value: '', by: 'verify', why: 'a restart' });
  }
}

/** A function that reports rows and the share of the chosen time; undefined if no progress is wanted. */
function progressOf({ progress, speed, start, from, to }: BacktestOptions, manifest: Manifest): DriveParts['progress'] {
  if (progress === undefined) return undefined;
  const begin = start ?? manifest.from;
  const first = Math.max(begin, from ?? -Infinity);
  const last = Math.min(begin + (manifest.to - manifest.from) / speed, to ?? Infinity);
  return (rows, now) => progress(rows, Math.min(1, Math.max(0, (now - first) / Math.max(1, last - first))));
}

function nothingBetween({ from, to }: Manifest, tape: string): Failure {
  const [first, last] = [from, to].map((time) => new Date(time).toISOString());
  const hint = `the tape goes from ${first} to ${last}`;
  return new Failure('range-empty', { what: 'no row of the tape lies between --from and --to', where: tape, hint });
}
