/** A table as a Parquet file. */
import { zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter, type ColumnSource } from 'hyparquet-writer';
import { cellOf, type ColumnSpec, type Table } from '../../../report/tables/columns.ts';
import { DIGITS, scaleOf, unscaled, type NumberForm } from './decimals.ts';

export function parquetTable({ rows, specs }: Table, numbers: NumberForm): Uint8Array {
  const columns = Object.entries(specs).map(([name, spec]) => columnOf(name, spec, rows, numbers));
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(({ schema }) => schema)],
    codec: 'ZSTD',
    compressors: { ZSTD: (plain) => zstdCompressSync(plain) },
    createdBy: 'tickwright',
  });
  if (rows.length > 0) void writer.write({ columnData: columns.map(({ source }) => source) });
  void writer.finish();
  return new Uint8Array(bytes.getBuffer());
}

interface Made {
  readonly schema: SchemaElement;
  readonly source: ColumnSource;
}

function columnOf(name: string, spec: ColumnSpec<never>, rows: readonly unknown[], numbers: NumberForm): Made {
  const form = formOf(spec, rows, numbers);
  const data = rows.map((row) => {
    const value = cellOf(row, spec);
    return value === null ? null : form.convert(value);
  });
  return { schema: { name, repetition_type: 'OPTIONAL', ...form.schema }, source: { name, data } };
}

interface Form {
  readonly schema: Partial<SchemaElement>;
  readonly convert: (value: string | number | boolean) => unknown;
}

function formOf(spec: ColumnSpec<never>, rows: readonly unknown[], numbers: NumberForm): Form {
  switch (spec.kind) {
    case 'text':
      return { schema: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, convert: String };
    case 'flag':
      return { schema: { type: 'BOOLEAN' }, convert: (value) => value === true };
    case 'time':
      return {
        schema: {
          type: 'INT64',
          converted_type: 'TIMESTAMP_MILLIS',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
        },
        convert: BigInt,
      };
    case 'count':
      return { schema: { type: 'INT64' }, convert: BigInt };
    case 'number':
      return { schema: { type: 'DOUBLE' }, convert: Number };
    case 'decimal': {
      if (numbers === 'double') return { schema: { type: 'DOUBLE' }, convert: Number };
      const scale = scaleOf(rows, spec);
      return {
        schema: { type: 'INT64', converted_type: 'DECIMAL', scale, precision: DIGITS },
        convert: (value) => unscaled(String(value), scale),
      };
    }
  }
}
