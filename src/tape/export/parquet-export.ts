/** A stream as Parquet. Memory is one row group, whatever the length. */
import { zstdCompressSync } from 'node:zlib';
import { fileWriter, ParquetWriter, type ColumnSource } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';
import { DIRECTIONS } from '../../domain/codes.ts';
import { pow10 } from '../../domain/amounts/scale.ts';
import type { TapeStream } from '../file/stream.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './export-columns.ts';
import type { NumberForm, WriteOptions } from './export-columns.ts';

/** Digits of a decimal of 64 bits. */
const PRECISION = 18;
/** A row group ends with the block that brings it to so many rows: each of its columns is a page, and readers take as long for a small one. */
const GROUP_ROWS = 65_536;
const ROWS_MAX = 1 << 20;

export function writeParquet(stream: TapeStream, path: string, { numbers, wrote }: WriteOptions): void {
  const columns = EXPORT_COLUMNS[stream.kind];
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map((column) => schemaOf(column, stream, numbers))],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    createdBy: 'tickwright',
  });
  let rows = 0;
  let blocks: ColumnSource[][] = [];
  const end = (): void => {
    const columnData = columns.map((_, k) => joined(blocks.map((block) => block[k]!)));
    if (rows > 0) void writer.write({ columnData, rowGroupSize: ROWS_MAX });
    rows = 0;
    blocks = [];
  };
  while (stream.next()) {
    blocks.push(columns.map((column) => dataOf(column, stream, numbers)));
    rows += stream.length;
    if (rows >= GROUP_ROWS) end();
    wrote(stream.length);
  }
  end();
  void writer.finish();
}

/** One column of several blocks. */
function joined(blocks: readonly ColumnSource[]): ColumnSource {
  const [first] = blocks;
  if (first === undefined || blocks.length === 1) return first!;
  const parts = blocks.map(({ data }) => data);
  const rows = parts.reduce((sum, { length }) => sum + length, 0);
  if (first.data instanceof BigInt64Array) return { ...first, data: filled(new BigInt64Array(rows), parts as BigInt64Array[]) };
  if (first.data instanceof Float64Array) return { ...first, data: filled(new Float64Array(rows), parts as Float64Array[]) };
  return { ...first, data: (parts as unknown[][]).flat() };
}

function filled<A extends { set(part: A, at: number): void; readonly length: number }>(whole: A, parts: readonly A[]): A {
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function schemaOf({ name, what, decimals }: ExportColumn, stream: TapeStream, numbers: NumberForm): SchemaElement {
  const own = { name, repetition_type: 'REQUIRED' } as const;
  switch (what) {
    case 'symbol':
    case 'side':
      return { ...own, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
    case 'id':
      return { ...own, type: 'INT64' };
    case 'time':
      return {
        ...own,
        type: 'INT64',
        converted_type: 'TIMESTAMP_MILLIS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      };
    case 'number':
      if (numbers === 'double') return { ...own, type: 'DOUBLE' };
      return { ...own, type: 'INT64', converted_type: 'DECIMAL', scale: decimals(stream), precision: PRECISION };
  }
}

function dataOf({ name, what, decimals, value }: ExportColumn, stream: TapeStream, numbers: NumberForm): ColumnSource {
  const rows = stream.length;
  if (what === 'symbol') return { name, data: Array.from({ length: rows }, () => stream.symbol) };
  if (what === 'side') return { name, data: Array.from({ length: rows }, (_, row) => DIRECTIONS[value(stream, row)]!) };
  if (what === 'number' && numbers === 'double') {
    const unit = pow10(decimals(stream));
    const data = new Float64Array(rows);
    for (let row = 0; row < rows; row++) data[row] = value(stream, row) / unit;
    return { name, data };
  }
  const data = new BigInt64Array(rows);
  for (let row = 0; row < rows; row++) data[row] = BigInt(value(stream, row));
  // Times and ids grow in small steps.
  return { name, data, ...(what === 'number' ? {} : { encoding: 'DELTA_BINARY_PACKED' }) };
}
