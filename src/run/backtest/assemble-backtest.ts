/** Assembles a backtest from what was loaded: simulator, bot, counters and the main loop. */
import { reachOf } from '../../engine/strategy/definition/universe.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Kernel } from '../../engine/kernel.ts';
import type { BacktestReport } from '../../report/backtest-report.ts';
import type { Attribution } from '../../domain/attribution.ts';
import { chartLevels, type ChartLevels } from '../../report/market/chart-bars.ts';
import { EquityCurve } from '../../report/equity/equity-curve.ts';
import { Drawings } from '../../report/market/drawings.ts';
import type { FillLog } from '../../report/fills/fill-log.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import { TapeMerge } from '../../tape/merge.ts';
import type { Manifest } from '../../tape/file/manifest.ts';
import { barHistory } from '../market/bar-history.ts';
import { attributionFor, spotBookFor, spotCash } from './report/account-of-run.ts';
import { botOn } from './bot-of-run.ts';
import { Ambiguity } from './counts/ambiguity.ts';
import type { BacktestHooks } from './inputs/hooks.ts';
import { Interruptions, type Interruption } from './loop/interruptions.ts';
import { BarDrive } from './loop/bar-drive.ts';
import { Drive, type DriveDeps } from './loop/drive.ts';
import { longestBar, playedBars, playsBars, refuseFiner } from './inputs/runs-on-bars.ts';
import { feedOf } from '../setup/instruments/instruments.ts';
import type { BacktestOptions } from '../setup/options.ts';
import { pageStores } from './counts/number-pages.ts';
import { QuietLog } from './counts/quiet-log.ts';
import { RunCounters } from './counts/run-counters.ts';
import { simFor } from './venue/venue-of-run.ts';
import { loadVenueRows, timedRows } from './venue/venue-rows.ts';
import { periodsFor, sampleMsOf } from './counts/series-of-run.ts';
import { marketViewOf } from './venue/market-view.ts';
import { onBarsOf } from './inputs/tape-bars.ts';
import { reportOf } from './report/report-of-run.ts';
import { SaidSignals } from './inputs/said-signals.ts';
import type { BacktestParts } from './inputs/backtest-parts.ts';

export interface Backtest {
  readonly sim: VenueSim;
  readonly kernel: Kernel;
  readonly instruments: readonly Instrument[];
  readonly fills: FillLog;
  /** The parts of several strategies; null for one alone. */
  readonly attribution: Attribution | null;
  /** Of bars; null if the run is not on bars. */
  readonly ambiguity: Ambiguity | null;
  /** Runs to the end of the tape and returns the report. Call it once. */
  run(): BacktestReport;
}

/** A backtest, ready to run. Everything that is loaded asynchronously is in `parts`. @throws Failure if the tape has no rows */
export function assembleBacktest(given: BacktestParts): Backtest {
  const isOnBars = playsBars(given.tape.manifest, given.options);
  const parts = isOnBars ? withTapeBars(given) : given;
  const { options, market, tape, strategies, impact = null, Taker, extras = {} } = parts;
  const { hooks = {} } = extras;
  const { instruments } = market;
  const { manifest } = tape;
  const traded = new Set(strategies.flatMap(reachOf));
  const streams = isOnBars ? [] : tape.open();
  const ownBars = isOnBars ? tape.bars() : [];
  if (streams.length + ownBars.length === 0) throw new Failure('tape-empty', { what: 'the tape has no rows', where: options.tape });

  const feeds = [...streams, ...ownBars].map(({ symbol }) => feedOf(symbol, instruments, (i) => traded.has(i.index)));
  const counters = new RunCounters(instruments, feeds, pageStores());
  const levels = levelsOf(options, manifest, { markets: traded.size, isOnBars });
  const drawings = new Drawings(levels, strategies.length > 1);
  const log = new QuietLog(options.strategyLog, counters.blockage);
  const venueRows = timedRows(parts.venueRows ?? loadVenueRows(tape.folder, manifest, instruments), options, manifest);
  const sees = marketViewOf(options, isOnBars);
  const sim = simFor(options, instruments, counters, { impact, venueRows, sees });
  const ambiguity = new Ambiguity();
  const known = isOnBars ? ambiguity : null;
  const bot = botOn(sim, { options, instruments, strategies, counters, drawings, log, hooks, sees, ambiguity });
  const { kernel } = bot;
  counters.follow(kernel.markets);
  counters.blockage.refusals = () => kernel.refusals();
  counters.watch.follow(sim.lines);
  counters.isWatched = hooks.isWatched ?? true;
  if (isOnBars) refuseFiner(kernel, playedBars(manifest, options), options.tape);
  const { inbox } = kernel;
  const barsWanted = kernel.barsWanted.map((one) => ({ ...one, count: one.count * (hooks.historyFactor ?? 1) }));
  const isAfterStart = options.from !== undefined && barsWanted.length > 0;
  for (const one of isAfterStart ? barHistory(tape, barsWanted, options.from, isOnBars) : []) {
    if (one.rows.length > 0) inbox.history(one.instrument, one.timeframe, one.rows, one.until);
  }
  const spot = spotBookFor(sim, instruments, traded);
  counters.spot = spot;
  const attribution = attributionFor(sim, instruments, strategies);
  counters.attribution = attribution;
  const curve = new EquityCurve(sim.equity(0) + (spot === null ? 0 : spotCash(sim, instruments)));
  const sampleMs =
    hooks.sampleMs ?? sampleMsOf(isOnBars ? longestBar(manifest) / options.speed : 0, (manifest.to - manifest.from) / options.speed);
  const periods = periodsFor({ options, manifest, sim, traded: [...traded], start: curve.start, attribution });
  const begin = options.start ?? manifest.from;
  const said = new SaidSignals(kernel, options.signals ?? [], { from: Math.max(begin, options.from ?? begin), to: options.to ?? Infinity });
  const interruptions = new Interruptions([...interruptionsOf(kernel, hooks), ...said.interruptions]);
  const botFrom = options.botFrom ?? -Infinity;
  const progress = progressOf(options, manifest);
  const shared = { sim, ...bot, curve, periods, spot, sampleMs, botFrom, interruptions, watch: counters.watch, progress };
  const drive = isOnBars
    ? new BarDrive({
        ...shared,
        port: bot.barPort!,
        venue: bot.port,
        symbols: ownBars.map(({ source }, k) => ({ source, ...feeds[k]! })),
        ambiguity,
        isBold: options.reading?.isBold === true,
        isPlain: options.isPlain,
        from: options.from ?? -Infinity,
        to: options.to ?? Infinity,
      })
    : new Drive({
        ...shared,
        Taker,
        merge: new TapeMerge(streams, options.from, options.to),
        feeds,
        seesRows: sees !== 'polls',
        isPlain: options.isPlain,
        graceMs: hooks.graceMs,
      });

  const run = (): BacktestReport => {
    const started = process.hrtime.bigint();
    try {
      drive.run();
    } finally {
      for (const stream of [...streams, ...ownBars]) stream.close();
    }
    const wallMs = Number(process.hrtime.bigint() - started) / 1e6;
    sim.audit();
    if (drive.rows === 0) throw nothingBetween(manifest, options.tape);
    return reportOf({
      ...parts,
      extras: { ...extras, notes: [...(extras.notes ?? []), ...said.notes] },
      ...bot,
      sim,
      drive,
      symbols: [...new Set([...streams, ...ownBars].map(({ symbol }) => symbol))],
      ambiguity: known,
      unmet: bot.barPort?.unmet ?? 0,
      traded,
      counters,
      levels,
      drawings,
      log,
      spot,
      attribution,
      curve,
      periods,
      sees,
      sampleMs,
      venueRows,
      wallMs,
    });
  };
  return { sim, kernel, instruments, fills: counters.fills, attribution, ambiguity: known, run };
}

/** Strategies whose bars nobody chose run on those of the tape. */
function withTapeBars(parts: BacktestParts): BacktestParts {
  const { setups, notes } = onBarsOf(parts.strategies, longestBar(parts.tape.manifest) / parts.options.speed);
  return { ...parts, strategies: setups, extras: { ...parts.extras, notes: [...(parts.extras?.notes ?? []), ...notes] } };
}

function interruptionsOf(kernel: Kernel, { restartAt, signals = [] }: BacktestHooks): readonly Interruption[] {
  const restarts = restartAt === undefined ? [] : [{ at: restartAt, run: () => restartStrategies(kernel) }];
  const given = signals.map(({ at, strategy, text, from }) => ({
    at,
    run: () => void kernel.inbox.operate({ name: 'signal', strategy, text, by: from, why: '' }),
  }));
  return [...restarts, ...given];
}

/** Setting a parameter to nothing creates a strategy again as it is. */
function restartStrategies(kernel: Kernel): void {
  for (const { name } of kernel.status().strategies) {
    kernel.inbox.operate({ name: 'set', strategy: name, param: '', value: '', by: 'verify', why: 'a restart' });
  }
}

/** The lengths of the bars of the charts, by the time that the run may take. */
function levelsOf(
  { speed, start, from, to }: BacktestOptions,
  manifest: Manifest,
  { markets, isOnBars }: { readonly markets: number; readonly isOnBars: boolean },
): ChartLevels {
  const begin = start ?? manifest.from;
  const first = Math.max(begin, from ?? -Infinity);
  const last = Math.min(begin + (manifest.to - manifest.from) / speed, to ?? Infinity);
  return chartLevels(Math.max(1, last - first), markets, isOnBars ? longestBar(manifest) / speed : 0);
}

/** A function that reports rows and the share of the chosen time; undefined if no progress is wanted. */
function progressOf({ progress, speed, start, from, to }: BacktestOptions, manifest: Manifest): DriveDeps['progress'] {
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
