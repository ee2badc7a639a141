/** The content of a tape as data, for output. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE, type Manifest, type Recording, type StreamInfo, type SymbolInfo } from '../file/manifest.ts';
import { readManifest } from '../read.ts';
import { logName, logsIn } from '../write/logs.ts';
import { formatScaledShort } from '../../domain/amounts/scale.ts';
import { qualitySentences } from './sentences.ts';
import { checkBlocks } from '../block-sources.ts';

export interface TapeInfo {
  readonly folder: string;
  readonly source: string;
  readonly rows: number;
  /** Times of the first and last row, milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** All of them were read, and their checksums match. */
  readonly blocks: number;
  /** Bytes on disk, with tape.json and the logs of a recording. */
  readonly bytes: number;
  readonly bytesPerRow: number;
  readonly symbols: readonly SymbolInfo[];
  /** Tick and lot of each symbol, as its rows show them, and on how many of these they rest. */
  readonly grids: readonly { readonly symbol: string; readonly tickSize: string; readonly lotSize: string; readonly rows: number }[];
  /** Rows that the import left out, by reason; null where that was not noted. */
  readonly dropped: Readonly<Record<string, number>> | null;
  /** What is odd about the data, in sentences. */
  readonly findings: readonly string[];
  readonly streams: readonly (Omit<StreamInfo, 'tail'> & { readonly bytesPerRow: number })[];
  /** Days of public archives that `tape fetch` brought, and those that were not there. */
  readonly fetched: NonNullable<Manifest['fetched']>;
  /** When it was recorded, and what is missing; null for other tapes. */
  readonly recording: Recording | null;
}

/** Reads every block, to see that it is as it was written: a gigabyte takes about a second. @throws TapeError as openTape */
export function tapeInfo(folder: string): TapeInfo {
  const manifest = readManifest(folder);
  const { source, rows, from, to, symbols, streams, dropped } = manifest;
  for (const stream of streams) checkBlocks(folder, stream);
  const logged = manifest.recording === undefined ? [] : logsIn(folder).map(logName);
  const ownFiles = [MANIFEST_FILE, ...logged].reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const bytes = ownFiles + streams.reduce((sum, stream) => sum + stream.bytes - (stream.tail?.length ?? 0), 0);
  return {
    folder,
    source,
    rows,
    from,
    to,
    blocks: streams.reduce((sum, stream) => sum + stream.blocks, 0),
    bytes,
    bytesPerRow: perRow(bytes, rows),
    symbols,
    grids: symbols.map((info) => gridOf(info, streams)),
    dropped: dropped ?? null,
    findings: qualitySentences(manifest),
    streams: streams.map(({ tail: _tail, ...stream }) => ({ ...stream, bytesPerRow: perRow(stream.bytes, stream.rows) })),
    fetched: manifest.fetched ?? [],
    recording: manifest.recording ?? null,
  };
}

function gridOf(info: SymbolInfo, streams: readonly StreamInfo[]): TapeInfo['grids'][number] {
  const { symbol, priceStep, priceDecimals, sizeStep, sizeDecimals } = info;
  const own = streams.filter((stream) => stream.symbol === symbol && stream.kind !== 'marks' && stream.kind !== 'funding');
  return {
    symbol,
    tickSize: formatScaledShort(priceStep, priceDecimals),
    lotSize: formatScaledShort(sizeStep, sizeDecimals),
    rows: own.reduce((sum, { rows }) => sum + rows, 0),
  };
}

function perRow(bytes: number, rows: number): number {
  return Math.round((bytes / rows) * 100) / 100;
}
