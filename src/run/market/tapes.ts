/** The work of the `tape` commands: make a tape out of recordings, describe a tape, draw one from a seed. */
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import type { InstrumentSpec } from '../../domain/instrument.ts';
import { importFiles, type ImportOptions, type ImportSummary } from '../../tape/import/import.ts';
import { tapeInfo, type TapeInfo } from '../../tape/quality/info.ts';
import { synthTape } from '../../tape/synth/synth.ts';
import { defaultConfig } from '../../config/defaults.ts';
import { readManifest } from '../../tape/read.ts';
import { instrumentsOf, rowsFor } from '../setup/instruments/instruments.ts';
import { withSynthetic } from '../setup/instruments/synthetic-instruments.ts';
import { synthSymbols } from './synthetic.ts';

export { tapeInfo, type TapeInfo } from '../../tape/quality/info.ts';
export { FIGURES, tapeStatistics, type FigureKey, type SymbolStatistics } from '../../tape/statistics/statistics.ts';
export type { ImportOptions, ImportSummary } from '../../tape/import/import.ts';
export { cutTape } from '../../tape/edit/cut.ts';
export { joinTapes } from '../../tape/edit/join.ts';
export { resampleTape } from '../../tape/edit/resample.ts';
export { previewFiles as previewRecordings, type Preview } from '../../tape/import/preview.ts';

/** Makes the tape `folder`. @throws TapeError */
export async function importRecordings(files: readonly string[], folder: string, options: ImportOptions): Promise<ImportSummary> {
  return importFiles(files, folder, options);
}

/** A file of instruments for the symbols of a tape, as text, and the symbols whose fees and limits are guessed. @throws TapeError off-grid */
export function instrumentsFile(folder: string): { readonly text: string; readonly count: number; readonly guessed: readonly string[] } {
  const { rows, guessed } = rowsFor(readManifest(folder), defaultConfig().instruments);
  return { text: `${JSON.stringify(rows, null, 2)}\n`, count: rows.length, guessed };
}

export interface SynthRequest {
  readonly folder: string;
  readonly instruments: readonly InstrumentSpec[];
  /** Empty = every futures instrument. */
  readonly symbols: readonly string[];
  /** Number of futures: those of the instruments first, then synthetic ones. Absent = those of the instruments. */
  readonly count?: number | undefined;
  readonly from: number;
  readonly durationMs: number;
  /** Bars of this length instead of trades and quotes. */
  readonly barMs?: number | undefined;
  /** Busier and quieter hours of the day. */
  readonly season: boolean;
  readonly seed: number;
  readonly overwrite: boolean;
  /** Called now and then with the rows written and the share of the time that they cover. */
  readonly progress?: ((rows: number, share: number) => void) | undefined;
}

/** Writes a synthetic market as a tape. @throws TapeError; Failure (usage) for a symbol that no instrument has */
export function synthesise(request: SynthRequest): TapeInfo {
  const specs = request.count === undefined ? request.instruments : withSynthetic(request.instruments, request.count);
  const futures = instrumentsOf(specs).filter((i) => i.product === 'futures');
  const known = futures.map((i) => i.symbol);
  for (const symbol of request.symbols) {
    if (known.includes(symbol)) continue;
    const hint = didYouMean(symbol, known) ?? `the futures are ${known.join(', ')}`;
    throw new Failure('symbol-flag', { what: `${symbol} is not a futures instrument`, where: '--symbol', hint });
  }
  const chosen = futures.filter((i) => request.symbols.length === 0 || request.symbols.includes(i.symbol));
  synthTape(request.folder, {
    symbols: synthSymbols(chosen),
    seed: request.seed,
    start: request.from,
    seconds: request.durationMs / 1000,
    season: request.season,
    barMs: request.barMs,
    overwrite: request.overwrite,
    progress: request.progress,
    source: `synthetic, seed ${request.seed}`,
  });
  return tapeInfo(request.folder);
}
