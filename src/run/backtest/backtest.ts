/** A backtest: the same bot as in every mode, on the simulator in this process, with a tape as the market and virtual time. */
import { ownModule } from '../../base/own-module.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { RowTaker } from '../../engine/strategy/rows.ts';
import type { BacktestReport } from '../../report/backtest-report.ts';
import { DEFAULT_SPREAD } from '../../tape/bars/bar-reader.ts';
import { openTape, readManifest } from '../../tape/read.ts';
import type { Tape, TapeOptions } from '../../tape/tape.ts';
import type { Manifest } from '../../tape/file/manifest.ts';
import { barNotes, drawnNotes, hasBarMarket, onBars, playsBars } from './inputs/runs-on-bars.ts';
import { detailNotes, marketOf, withDetail } from '../setup/instruments/detail.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import { instrumentsFor, type RunInstruments } from '../setup/instruments/instruments.ts';
import type { BacktestOptions } from '../setup/options.ts';
import type { BacktestHooks } from './inputs/hooks.ts';
import { measuredImpact } from './inputs/measured-impact.ts';
import type { RunExtras } from './inputs/backtest-parts.ts';
import { assembleBacktest, type Backtest } from './assemble-backtest.ts';

export type { BacktestReport } from '../../report/backtest-report.ts';

/** Runs the strategies on the tape. Same inputs give the same report, except `performance`. @throws Failure, TapeError, ParamError */
export async function runBacktest(options: BacktestOptions): Promise<BacktestReport> {
  return (await prepareBacktest(options)).run();
}

/** A backtest of the folder `options.tape`, ready to run. @throws Failure, TapeError, ParamError */
export async function prepareBacktest(options: BacktestOptions, hooks?: BacktestHooks): Promise<Backtest> {
  const stored = readManifest(options.tape);
  const { chosen, notes } = forTape(options, stored);
  const market = instrumentsFor(withDetail(stored, options.detail), options.config.instruments);
  const tape = openTape(chosen.tape, tapeOptionsFor(chosen, market.instruments));
  return openBacktest(chosen, market, tape, { hooks, notes });
}

/** The options as they are run on the tape, with what the report is to say of that. */
export function forTape(
  options: BacktestOptions,
  stored: Manifest,
): { readonly chosen: BacktestOptions; readonly notes: readonly string[] } {
  const { detail, reading, spread } = options;
  const manifest = marketOf(stored, detail);
  const finer = detailNotes(detail);
  const isOnBars = playsBars(stored, options);
  const simulation = { ...options.config.simulation, ...(reading === undefined ? {} : { fillModel: reading.fillModel }) };
  const stated = { ...options, config: { ...options.config, simulation } };
  const chosen = hasBarMarket(manifest) ? onBars(stated, manifest) : stated;
  if (isOnBars) return { chosen, notes: [...barNotes(manifest, spread, reading?.isBold), ...finer] };
  return { chosen, notes: [...drawnNotes(manifest, detail), ...finer] };
}

/** Options for opening the tape: prices in ticks, sizes in lots, time at the wanted speed. */
export function tapeOptionsFor(options: BacktestOptions, instruments: readonly Instrument[]): TapeOptions {
  return {
    speed: options.speed,
    start: options.start,
    spreadFactor: options.reading?.spreadFactor,
    bars: { spread: options.spread ?? DEFAULT_SPREAD, seed: options.seed },
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

/** Assembles a backtest, ready to run. */
export async function openBacktest(
  options: BacktestOptions,
  market: RunInstruments,
  tape: Tape,
  extras: RunExtras = {},
): Promise<Backtest> {
  const strategies =
    extras.hooks?.setups?.(market.instruments) ?? (await strategySetups(options.strategies, market.instruments, market.guessed));
  const opened = (): Tape => openTape(options.tape, tapeOptionsFor(options, market.instruments));
  const impact = measuredImpact({ options, market, strategies, opened });
  return assembleBacktest({ options, market, tape, strategies, impact, Taker: await takerOf(), extras });
}
