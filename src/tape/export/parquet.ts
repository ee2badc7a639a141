/** A stream as Parquet, a row group for each block: memory is one block, whatever the length. */
import { zstdCompressSync } from 'node:zlib';
import { fileWriter, ParquetWriter, type ColumnSource } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';
import { DIRECTIONS } from '../../domain/codes.ts';
import { pow10 } from '../../domain/scale.ts';
import type { TapeStream } from '../stream.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './columns.ts';
import type { NumberForm, WriteOptions } from './columns.ts';

/** Digits of a decimal of 64 bits. */
const PRECISION = 18;
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
  while (stream.next()) {
    void writer.write({ columnData: columns.map((column) => dataOf(column, stream, numbers)), rowGroupSize: ROWS_MAX });
    wrote(stream.length);
  }
  void writer.finish();
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
