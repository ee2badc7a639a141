/** Chooses when a backtest samples its equity, and makes the series of its returns. */
import type { Attribution } from '../../../domain/attribution.ts';
import { PeriodSeries, periodFor } from '../../../report/equity/period-series.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { Manifest } from '../../../tape/file/manifest.ts';
import type { BacktestOptions } from '../../setup/options.ts';

/** Target number of equity samples. A short tape is sampled every second. */
const SAMPLES = 20_000;

/** Milliseconds between equity samples of a run over `spanMs`: at ends of bars of `barMs`, 0 for none, unless they are longer than that. */
export function sampleMsOf(barMs: number, spanMs: number): number {
  const wanted = Math.max(1000, Math.ceil(spanMs / SAMPLES));
  return wanted > barMs && Number.isInteger(barMs) && barMs > 0 ? Math.ceil(wanted / barMs) * barMs : wanted;
}

interface PeriodDeps {
  readonly options: BacktestOptions;
  readonly manifest: Manifest;
  readonly sim: VenueSim;
  /** Indices of the traded instruments. */
  readonly traded: readonly number[];
  readonly start: number;
  readonly attribution: Attribution | null;
}

/** The series of returns, beside buying and holding what is traded. */
export function periodsFor({ options, manifest, sim, traded, start, attribution }: PeriodDeps): PeriodSeries {
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
