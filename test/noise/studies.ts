/** Whole searches of strategies without skill, and of one with an edge of known size among them, on drawn markets. */
import { join, resolve } from 'node:path';
import { Random } from '../../src/base/random.ts';
import type { SearchResult } from '../../src/report/research/search-result.ts';
import { optimize } from '../../src/run/search/optimize.ts';
import { profileOf } from '../../src/tape/synth/profile.ts';
import { synthTape } from '../../src/tape/synth/synth.ts';
import { TapeWriter } from '../../src/tape/write.ts';
import { configWith } from '../support/reference-backtest.ts';

const START = Date.UTC(2024, 0, 1);
/** Prices of a hundredth, so that the spread of a tick costs next to nothing. */
const GRID = { priceDecimals: 1, tickStep: 1, sizeDecimals: 3, lotStep: 1 };
const SYMBOL = 'BTCUSDT';
/** A search keeps the returns of so many spans. */
const SPANS = 64;

export interface StudySize {
  readonly folder: string;
  readonly seed: number;
  readonly trials: number;
  readonly workers: number;
}

/** A search among strategies of noise on a market of `tape synth`: 42 hours of a quiet symbol. */
export async function noiseStudy({ folder, seed, trials, workers }: StudySize): Promise<SearchResult> {
  const tape = join(folder, `noise-${seed}`);
  // Few rows a second, so that many runs take little time; what is random about the market stays.
  const profile = { ...profileOf(SYMBOL), events: 0.25 };
  synthTape(tape, {
    symbols: [{ symbol: SYMBOL, grid: GRID, price: 600_000, profile }],
    seed,
    start: START,
    seconds: SPANS * 4 * 600,
    shared: 0,
    overwrite: true,
  });
  return study(tape, { number: `1..${trials}` }, { slot: '10m' }, seed, trials, workers);
}

const SLOTS = 8;
const SLOT_MS = 60_000;
/** Deviation of the price in a slot. */
const DEVIATION = 0.001;

/**
 * The same with an edge: the size of each slot's first bid shows the sign of its drift, and strategy number 1 follows it. `edge` is the Sharpe
 * ratio of that strategy in each span of returns, before costs, which are a tick of spread.
 */
export async function plantedStudy({ folder, seed, trials, workers, edge }: StudySize & { readonly edge: number }): Promise<SearchResult> {
  const tape = join(folder, `planted-${seed}`);
  const random = new Random(seed);
  const writer = new TapeWriter(tape, { overwrite: true });
  const quotes = writer.stream(SYMBOL, 'quotes', GRID);
  let price = 600_000;
  const drift = (edge * DEVIATION) / Math.sqrt(SLOTS);
  for (let slot = 0; slot < SPANS * SLOTS; slot++) {
    const isUp = random.uniform() < 0.5;
    const time = START + slot * SLOT_MS;
    // A position of the slot before is left, and one is taken, at this quote.
    quotes.quote(time, price, isUp ? 101_000 : 100_000, price + 1, 100_000);
    quotes.quote(time + SLOT_MS / 2, price, 100_000, price + 1, 100_000);
    price = Math.max(1000, Math.round(price * Math.exp((isUp ? drift : -drift) + DEVIATION * random.normal())));
  }
  writer.finish();
  return study(tape, { number: `1..${trials}` }, { slot: '1m', planted: 'true' }, seed, trials, workers);
}

function study(
  tape: string,
  params: Readonly<Record<string, string>>,
  fixed: Readonly<Record<string, string>>,
  seed: number,
  trials: number,
  workers: number,
): Promise<SearchResult> {
  return optimize({
    version: 'test',
    strategy: { file: resolve(import.meta.dirname, 'strategy.ts'), params: fixed, symbols: [SYMBOL] },
    params,
    tape,
    // Nothing is charged and nothing takes time, so that a strategy without skill neither wins nor loses.
    config: configWith({ simulation: { upMs: 0, downMs: 0 }, contract: { makerFeeRate: '0', takerFeeRate: '0' } }),
    everyTick: true,
    spread: undefined,
    from: undefined,
    to: undefined,
    holdout: 0,
    trials,
    objectives: [{ figure: 'totalReturn', direction: 'max' }],
    constraints: [],
    sampler: 'grid',
    seed,
    isPruned: false,
    study: null,
    workers,
    remote: null,
    signal: new AbortController().signal,
  });
}
