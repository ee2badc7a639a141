/**
 * Repeated backtests in one process, or in several threads, over a tape that is loaded once.
 *
 *   const market = loadMarket(folder, config);              // rows in shared memory: post it to workers as it is
 *   const trials = await openTrials(market, options);       // once in each thread: loads the strategies
 *   const report = trials.run([{ fast: '10', slow: '30' }]); // synchronous; as often as wanted
 *
 * A trial gives the report that `runBacktest` gives with the same options.
 * Module state of a strategy file lives on from trial to trial.
 */
import type { BotConfig } from '../../config/model.ts';
import type { BacktestReport } from '../../report/backtest-report.ts';
import type { Manifest } from '../../tape/file/manifest.ts';
import { loadRows, readManifest, tapeOf } from '../../tape/read.ts';
import type { LoadedRows, Tape } from '../../tape/tape.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import { marketOf, readDetail, withDetail, type Detail } from '../setup/instruments/detail.ts';
import { instrumentsFor, type RunInstruments } from '../setup/instruments/instruments.ts';
import { measuredImpact } from './inputs/measured-impact.ts';
import type { BacktestOptions } from '../setup/options.ts';
import { assembleBacktest, type Backtest } from './assemble-backtest.ts';
import { forTape, takerOf, tapeOptionsFor } from './backtest.ts';
import type { BacktestHooks } from './inputs/hooks.ts';
import { playsBars } from './inputs/runs-on-bars.ts';
import { loadVenueRows, type VenueRows } from './venue/venue-rows.ts';

/** A loaded tape on the grids of a configuration. Plain data over SharedArrayBuffers: postMessage shares the rows and copies the rest. */
export interface LoadedMarket {
  readonly rows: LoadedRows;
  readonly venueRows: VenueRows;
  readonly instruments: RunInstruments;
  /** Finer data inside its bars, in memory. */
  readonly detail?: Detail | undefined;
}

/** What all trials have in common: the options of a backtest without its tapes. */
export type TrialOptions = Omit<BacktestOptions, 'tape' | 'detail'>;

/** A finer tape for the bars of a market: its folder, and the times for which the market is used. */
export interface DetailChoice {
  readonly detail?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What one trial changes. */
export interface TrialChanges {
  /** Milliseconds since 1970: `from` inclusive, `to` exclusive. Default: those of the options. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly seed?: number | undefined;
  readonly hooks?: BacktestHooks | undefined;
}

export interface Trials {
  readonly manifest: Manifest;
  /**
   * One backtest. `params` has one record for each strategy of the options, in their order; a parameter that is missing keeps the value of
   * the options. @throws ParamError for a value out of bounds, Failure if no row lies in the range
   */
  run(params: readonly Readonly<Record<string, string>>[], changes?: TrialChanges): BacktestReport;
  /** The same, assembled but not run, for callers that want the fills as well. */
  open(params: readonly Readonly<Record<string, string>>[], changes?: TrialChanges): Backtest;
}

/** Loads a tape for trials. `config` decides about the grids of prices and sizes, by its instruments. @throws Failure, TapeError */
export function loadMarket(tape: string, { instruments: specs }: Pick<BotConfig, 'instruments'>, chosen: DetailChoice = {}): LoadedMarket {
  const finer = chosen.detail === undefined ? undefined : readDetail(tape, chosen.detail, chosen);
  const market = instrumentsFor(withDetail(readManifest(tape), finer), specs);
  const gridOf = (symbol: string): RunInstruments['instruments'][number] | undefined =>
    market.instruments.find((one) => one.symbol === symbol && one.product === 'futures');
  const rows = loadRows(tape, { gridOf });
  const detail = finer && { ...finer, rows: loadRows(finer.folder, { gridOf, symbols: [...finer.covers.keys()] }) };
  return { rows, venueRows: loadVenueRows(tape, rows.manifest, market.instruments), instruments: market, detail };
}

/** Loads the strategies for trials on a loaded market. @throws Failure */
export async function openTrials({ rows, venueRows, instruments: market, detail }: LoadedMarket, options: TrialOptions): Promise<Trials> {
  const manifest = marketOf(rows.manifest, detail);
  const { chosen: common, notes } = forTape({ ...options, tape: rows.folder, detail }, rows.manifest);
  const setups = await strategySetups(common.strategies, market.instruments, market.guessed);
  const opened = (): Tape => tapeOf(rows, tapeOptionsFor(common, market.instruments));
  const impact = measuredImpact({ options: common, market, strategies: setups, opened });
  const Taker = playsBars(rows.manifest, common) ? undefined : await takerOf();

  const open: Trials['open'] = (params, { from = common.from, to = common.to, seed = common.seed, hooks = {} } = {}) => {
    if (params.length !== setups.length) {
      throw new RangeError(`expected parameters for each of ${setups.length} strategies, found ${params.length}`);
    }
    return assembleBacktest({
      options: { ...common, from, to, seed },
      market,
      tape: tapeOf(rows, tapeOptionsFor(common, market.instruments)),
      venueRows,
      strategies: setups.map((setup, k) => ({ ...setup, params: { ...setup.params, ...params[k] } })),
      impact,
      Taker,
      extras: { notes, hooks },
    });
  };
  return { manifest, open, run: (params, changes) => open(params, changes).run() };
}
