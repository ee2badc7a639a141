/** What a tape holds, as data for whoever prints it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE, type StreamInfo, type SymbolInfo } from './manifest.ts';
import { readManifest } from './read.ts';
import { checkBlocks } from './sources.ts';

export interface TapeInfo {
  readonly folder: string;
  readonly source: string;
  readonly rows: number;
  /** Times of the first and last row, milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** All of them were read, and their checksums match. */
  readonly blocks: number;
  /** Bytes on disk, tape.json included. */
  readonly bytes: number;
  readonly bytesPerRow: number;
  readonly symbols: readonly SymbolInfo[];
  readonly streams: readonly (StreamInfo & { readonly bytesPerRow: number })[];
}

/** Reads every block, to see that it is as it was written: a gigabyte takes about a second. @throws TapeError as openTape */
export function tapeInfo(folder: string): TapeInfo {
  const { source, rows, from, to, symbols, streams } = readManifest(folder);
  for (const stream of streams) checkBlocks(folder, stream);
  const bytes = statSync(join(folder, MANIFEST_FILE)).size + streams.reduce((sum, stream) => sum + stream.bytes, 0);
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
    streams: streams.map((stream) => ({ ...stream, bytesPerRow: perRow(stream.bytes, stream.rows) })),
  };
}

function perRow(bytes: number, rows: number): number {
  return Math.round((bytes / rows) * 100) / 100;
}
