/** Builds the manifest of a tape from the facts of its streams. */
import { greatestCommonDivisor, pow10 } from '../../domain/amounts/scale.ts';
import { TapeError } from '../file/error.ts';
import { FORMAT, FORMAT_VERSION, type Manifest, type StreamInfo, type SymbolInfo } from '../file/manifest.ts';
import type { StreamSummary } from './stream-writer.ts';

/** Decimals of the integers that are appended, and those the source wrote (default the same). */
export interface StreamScale {
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}

/** Streams with rows of one symbol. */
export interface SymbolStreams {
  readonly symbol: string;
  readonly summaries: readonly StreamSummary[];
  readonly written: StreamScale | undefined;
}

/** Symbols without rows are left out. @throws TapeError empty | range */
export function manifestOf(source: string, found: readonly SymbolStreams[], folder: string): Manifest {
  const symbols: SymbolInfo[] = [];
  const streams: StreamInfo[] = [];
  for (const one of found) {
    if (one.summaries.length === 0) continue;
    const scale = commonScale(one);
    symbols.push(scale);
    for (const summary of one.summaries) streams.push(atScale(summary, scale));
  }
  if (streams.length === 0) throw new TapeError('empty', 'at least one row was expected, found none', folder);
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    source,
    rows: streams.reduce((sum, s) => sum + s.rows, 0),
    from: Math.min(...streams.map((s) => s.from)),
    to: Math.max(...streams.map((s) => s.to)),
    symbols,
    streams,
  };
}

function commonScale({ symbol, summaries, written }: SymbolStreams): SymbolInfo {
  const priceDecimals = Math.max(...summaries.map((s) => s.priceDecimals));
  const sizeDecimals = Math.max(...summaries.map((s) => s.sizeDecimals));
  let priceStep = 0;
  let sizeStep = 0;
  for (const s of summaries) {
    if (s.info.kind === 'funding' || s.info.kind === 'marks') continue;
    priceStep = greatestCommonDivisor(priceStep, s.priceStep * pow10(priceDecimals - s.priceDecimals));
    sizeStep = greatestCommonDivisor(sizeStep, s.sizeStep * pow10(sizeDecimals - s.sizeDecimals));
  }
  return {
    symbol,
    priceDecimals,
    sizeDecimals,
    // Mark prices alone have no grid.
    priceStep: priceStep || 1,
    sizeStep: sizeStep || 1,
    writtenPriceDecimals: Math.max(priceDecimals, written?.priceDecimals ?? 0),
    writtenSizeDecimals: Math.max(sizeDecimals, written?.sizeDecimals ?? 0),
  };
}

function atScale(summary: StreamSummary, scale: SymbolInfo): StreamInfo {
  const maxPrice = summary.info.maxPrice * pow10(scale.priceDecimals - summary.priceDecimals);
  const maxSize = summary.info.maxSize * pow10(scale.sizeDecimals - summary.sizeDecimals);
  const greatest = Math.max(maxPrice, maxSize);
  if (greatest <= Number.MAX_SAFE_INTEGER) return { ...summary.info, maxPrice, maxSize };
  throw new TapeError(
    'range',
    `values up to 2^53 at ${scale.priceDecimals} price and ${scale.sizeDecimals} size decimals were expected, found ${greatest}`,
    summary.info.file,
  );
}
