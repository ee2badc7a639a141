/** Measures problems of imported data: clocks that differ, impossible prices, missing bars. */
import type { Manifest, StreamInfo } from '../file/manifest.ts';
import { streamsOf } from '../streams-of.ts';
import { measureSkew } from './skew.ts';
import type { Cleaning, Outliers, Quality } from '../file/data-quality.ts';

/** What the import watched while rows went by, by "SYMBOL kind". */
interface Watched {
  readonly symbol: string;
  readonly kind: string;
  readonly outliers: { readonly count: number; readonly firstTime: number; readonly firstPrice: number; readonly firstUsual: number };
}

/** `folder` holds the files of the streams. */
export function measureQuality(
  folder: string,
  manifest: Manifest,
  watched: ReadonlyMap<string, Watched>,
  cleaned: readonly Cleaning[],
): Quality[] {
  return manifest.symbols.map(({ symbol }) => {
    const infos = manifest.streams.filter((stream) => stream.symbol === symbol);
    const streams = streamsOf(folder, manifest, (info) => info.symbol === symbol);
    const trades = streams.find(({ kind }) => kind === 'trades');
    const quotes = streams.find(({ kind }) => kind === 'quotes');
    return {
      symbol,
      skew: trades === undefined || quotes === undefined ? null : measureSkew(trades, quotes),
      outliers: infos.flatMap(({ kind }) => outliersOf(watched.get(`${symbol} ${kind}`))),
      gridRows: infos.filter(({ kind }) => kind !== 'marks' && kind !== 'funding').reduce((sum, { rows }) => sum + rows, 0),
      barsMissing: infos.reduce((sum, info) => sum + barsMissing(info), 0),
      cleaned: cleaned.filter((one) => one.symbol === symbol),
    };
  });
}

function outliersOf(watched: Watched | undefined): Outliers[] {
  if (watched === undefined || watched.outliers.count === 0) return [];
  const { count, firstTime, firstPrice, firstUsual } = watched.outliers;
  return [{ kind: watched.kind, count, time: firstTime, price: firstPrice, usual: firstUsual }];
}

function barsMissing({ barMs, from, to, rows }: StreamInfo): number {
  return barMs === undefined ? 0 : (to - from) / barMs + 1 - rows;
}
