/** A backtest: the same bot as in every mode, on the simulator in this process, with a tape as the market and virtual time. */
import { ownModule } from '../../base/own-module.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { RowTaker } from '../../engine/strategy/rows.ts';
import type { BacktestReport } from '../../report/backtest-report.ts';
import { openTape, readManifest } from '../../tape/read.ts';
import type { Tape, TapeOptions } from '../../tape/tape.ts';
import { BarOrder, barNotes, hasBarMarket, onBars } from './bar-order.ts';
import { detailNotes, marketOf, withDetail } from '../setup/detail.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import { instrumentsFor, type RunInstruments } from '../setup/instruments.ts';
import type { BacktestOptions } from '../setup/options.ts';
import type { BacktestHooks } from './hooks.ts';
import { measuredImpact } from './measured-impact.ts';
import { widened } from './readings.ts';
import type { RunExtras } from './parts.ts';
import { assembleBacktest, type Backtest } from './assembly.ts';

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
