/** Plain rows besides the tape's columns: a slow, obvious implementation to compare the fast code with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TapeMerge } from '../../../src/tape/merge.ts';
import type { StreamInfo, SymbolInfo } from '../../../src/tape/file/manifest.ts';
import { TapeStream, type BlockSource } from '../../../src/tape/file/stream.ts';

/** time, then the columns in order: id, price, size, side of a trade; bid, bidSize, ask, askSize of a quote. */
export type Row = readonly [time: number, a: number, b: number, c: number, d: number];

/** All rows of a stream, from its start. */
export function rowsOf(stream: TapeStream): Row[] {
  const rows: Row[] = [];
  stream.rewind();
  while (stream.next()) for (let i = 0; i < stream.length; i++) rows.push(rowAt(stream, i));
  return rows;
}

export function rowAt(stream: TapeStream, i: number): Row {
  const time = stream.time[i]!;
  if (stream.kind === 'trades') return [time, stream.id[i]!, stream.price[i]!, stream.size[i]!, stream.side[i]!];
  return [time, stream.bid[i]!, stream.bidSize[i]!, stream.ask[i]!, stream.askSize[i]!];
}

export interface MergedRow {
  readonly stream: number;
  readonly row: number;
  readonly time: number;
}

/** Merges with objects and a stable sort. */
export function mergedBySorting(streams: readonly TapeStream[]): MergedRow[] {
  const all = streams.flatMap((stream, index) => rowsOf(stream).map(([time], row) => ({ stream: index, row, time })));
  return all.toSorted((a, b) => a.time - b.time || a.stream - b.stream || a.row - b.row);
}

/** Merges with TapeMerge. */
export function mergedByRuns(streams: readonly TapeStream[], merge = new TapeMerge(streams)): MergedRow[] {
  const all: MergedRow[] = [];
  while (merge.next()) {
    const { stream } = merge;
    for (let i = merge.from; i < merge.to; i++)
      all.push({ stream: streams.indexOf(stream), row: stream.firstRow + i, time: stream.time[i]! });
  }
  return all;
}

/** A stream of trades at these times, in blocks of these lengths: each block is loaded into the same array, as from disk. */
export function streamOfTimes(index: number, blocks: readonly (readonly number[])[]): TapeStream {
  const times = blocks.flat();
  const info: StreamInfo = {
    symbol: `S${index}`,
    kind: 'trades',
    file: '',
    rows: times.length,
    blocks: blocks.length,
    bytes: 0,
    from: times[0] ?? 0,
    to: times.at(-1) ?? 0,
    maxPrice: 0,
    maxSize: 0,
    gaps: { over: 0, count: 0, totalMs: 0, longest: [] },
    checksum: 0,
  };
  const scale: SymbolInfo = {
    symbol: info.symbol,
    priceDecimals: 0,
    sizeDecimals: 0,
    priceStep: 1,
    sizeStep: 1,
    writtenPriceDecimals: 0,
    writtenSizeDecimals: 0,
  };
  const source: BlockSource = {
    load(stream, block) {
      const rows = blocks[block];
      if (rows === undefined) return 0;
      if (stream.time.length === 0) {
        for (const column of ['time', 'id'] as const) stream[column] = new Float64Array(64);
        for (const column of ['price', 'size'] as const) stream[column] = new Int32Array(64);
        stream.side = new Uint8Array(64);
      }
      stream.time.fill(Number.NaN);
      stream.time.set(rows);
      return rows.length;
    },
    close() {},
  };
  return new TapeStream(index, info, scale, source);
}

/** Runs `body` with the path of a fresh folder that is removed afterwards. */
export async function withFolder<T>(body: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tape-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
