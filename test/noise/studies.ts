/** Whole searches of strategies without skill, and of one with an edge of known size among them, on drawn markets. */
import { join, resolve } from 'node:path';
import { Random } from '../../src/base/random.ts';
import type { SearchResult } from '../../src/report/research/search-result.ts';
import { optimize } from '../../src/run/search/optimize.ts';
import { profileOf } from '../../src/tape/synth/profile.ts';
import { synthTape } from '../../src/tape/synth/synth.ts';
import { TapeWriter } from '../../src/tape/write.ts';
import { configWith } from '../support/backtest/reference-backtest.ts';

const START = Date.UTC(2024, 0, 1);
/** Prices of a hundredth, so that the spread of a tick costs next to nothing. */
const GRID = { priceDecimals: 1, tickStep: 1, sizeDecimals: 3, lotStep: 1 };
const SYMBOL = 'BTCUSDT';
/** A search keeps the returns of so many spans, and holds the last 30 % of the tape out. */
const SPANS = 64;
const HOLDOUT = 0.3;

export interface StudySize {
  readonly folder: string;
  readonly seed: number;
  readonly trials: number;
  readonly workers: number;
}

/** A search among strategies of noise on a market of `tape synth`: 60 hours of a quiet symbol. */
export async function synthStudy({ folder, seed, trials, workers }: StudySize): Promise<SearchResult> {
  const tape = join(folder, `synth-${seed}`);
  // Few rows a second, so that many runs take little time; what is random about the market stays.
  const profile = { ...profileOf(SYMBOL), events: 0.25 };
  synthTape(tape, {
    symbols: [{ symbol: SYMBOL, grid: GRID, price: 600_000, profile }],
    seed,
    start: START,
    seconds: Math.round((SPANS * 4 * 600) / (1 - HOLDOUT)),
    shared: 0,
    overwrite: true,
  });
  return study(tape, { number: `1..${trials}` }, { slot: '10m' }, seed, trials, workers);
}

const SLOTS = 8;
const SLOT_MS = 60_000;
const ALL_SLOTS = Math.ceil((SPANS * SLOTS) / (1 - HOLDOUT));
/** Deviation of the price in a slot. */
const DEVIATION = 0.001;

/** Draws the change of a slot in deviations; its mean is 0 whatever came before. */
type Noise = (random: Random) => () => number;

/** Volatility that clusters: GARCH(1, 1) with α 0.1 and β 0.88. `scale` is the deviation of the next change. */
const clustered = (): { readonly scale: () => number; readonly next: (change: number) => void } => {
  let variance = 1;
  return { scale: () => Math.sqrt(variance), next: (change) => void (variance = 0.02 + 0.1 * change ** 2 + 0.88 * variance) };
};
/** Once in a hundred slots a change of ten deviations. */
const jump = (random: Random): number => (random.uniform() < 0.01 ? 10 * random.normal() : 0);

export const NOISES: Readonly<Record<string, Noise>> = {
  garch(random) {
    const { scale, next } = clustered();
    return () => {
      const change = scale() * random.normal();
      next(change);
      return change;
    };
  },
  jumps: (random) => () => random.normal() + jump(random),
  'garch with jumps'(random) {
    const { scale, next } = clustered();
    return () => {
      const change = scale() * random.normal();
      next(change);
      return change + jump(random);
    };
  },
  // Student's t with three degrees of freedom, of deviation 1.
  'fat tails': (random) => () => random.normal() / Math.sqrt(random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2),
};

/** A search among strategies of noise on one of `NOISES`: half of them go by a hash, half by averages that resemble each other. */
export async function noiseStudy({ folder, seed, trials, workers }: StudySize, kind: string): Promise<SearchResult> {
  const tape = join(folder, `noise-${seed}`);
  const random = new Random(seed);
  const change = NOISES[kind]!(random);
  draw(tape, () => ({ isUp: false, change: DEVIATION * change() }));
  return study(tape, { number: `2..${trials + 1}` }, { slot: '1m', follows: String(seed % 2 === 0) }, seed, trials, workers);
}

/**
 * The same with an edge: the size of each slot's first bid shows the sign of its drift, and strategy number 1 follows it. `edge` is the Sharpe
 * ratio of that strategy in each span of returns, before costs, which are a tick of spread.
 */
export async function plantedStudy({ folder, seed, trials, workers, edge }: StudySize & { readonly edge: number }): Promise<SearchResult> {
  const tape = join(folder, `planted-${seed}`);
  const random = new Random(seed);
  const drift = (edge * DEVIATION) / Math.sqrt(SLOTS);
  draw(tape, () => {
    const isUp = random.uniform() < 0.5;
    return { isUp, change: (isUp ? drift : -drift) + DEVIATION * random.normal() };
  });
  return study(tape, { number: `1..${trials}` }, { slot: '1m', planted: 'true' }, seed, trials, workers);
}

/** A tape of slots: `isUp` is shown by the size of the first bid, then the price changes by the share `change`. */
function draw(tape: string, slotOf: () => { readonly isUp: boolean; readonly change: number }): void {
  const writer = new TapeWriter(tape, { overwrite: true });
  const quotes = writer.stream(SYMBOL, 'quotes', GRID);
  let price = 600_000;
  for (let slot = 0; slot < ALL_SLOTS; slot++) {
    const { isUp, change } = slotOf();
    const time = START + slot * SLOT_MS;
    // A position of the slot before is left, and one is taken, at this quote.
    quotes.quote(time, price, isUp ? 101_000 : 100_000, price + 1, 100_000);
    quotes.quote(time + SLOT_MS / 2, price, 100_000, price + 1, 100_000);
    price = Math.max(1000, Math.round(price * Math.exp(change)));
  }
  writer.finish();
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
    holdout: HOLDOUT,
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
