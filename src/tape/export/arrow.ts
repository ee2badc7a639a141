/** A stream as an Arrow IPC file ("Feather V2"). The library makes the file in memory. */
import { writeFileSync } from 'node:fs';
import {
  columnFromValues,
  decimal128,
  dictionary,
  float64,
  int64,
  int8,
  tableFromColumns,
  tableToIPC,
  timestamp,
  TimeUnit,
  utf8,
  type Column,
  type DataType,
} from '@uwdata/flechette';
import { DIRECTIONS } from '../../domain/codes.ts';
import { pow10 } from '../../domain/amounts/scale.ts';
import { TapeError } from '../file/error.ts';
import type { TapeStream } from '../file/stream.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './export-columns.ts';
import type { NumberForm, WriteOptions } from './export-columns.ts';

/** About 50 bytes of memory each. */
const ROWS_MAX = 20_000_000;
const BATCH_ROWS = 1 << 20;

/** @throws TapeError range */
export function writeArrow(stream: TapeStream, path: string, { numbers, wrote }: WriteOptions): void {
  if (stream.rows > ROWS_MAX) {
    const what = `at most ${ROWS_MAX} rows were expected for an Arrow file, found ${stream.rows}`;
    throw new TapeError('range', what, `${stream.symbol} ${stream.kind}`, 'write --format parquet, or a part of the tape: tape cut');
  }
  const { length } = EXPORT_COLUMNS[stream.kind];
  const columns = EXPORT_COLUMNS[stream.kind].map((column): [string, Column<unknown>] => {
    const made = columnOf(column, stream, numbers);
    wrote(stream.rows / length);
    return [column.name, made];
  });
  writeFileSync(path, tableToIPC(tableFromColumns(columns), { format: 'file' })!);
}

function columnOf(column: ExportColumn, stream: TapeStream, numbers: NumberForm): Column<unknown> {
  const { type, convert } = formOf(column, stream, numbers);
  const { value } = column;
  stream.rewind();
  const visit = (take: (value: unknown) => void): void => {
    while (stream.next()) for (let row = 0; row < stream.length; row++) take(convert(value(stream, row)));
  };
  return columnFromValues(visit, type, { maxBatchRows: BATCH_ROWS });
}

interface Form {
  readonly type: DataType;
  readonly convert: (value: number) => unknown;
}

function formOf({ what, decimals }: ExportColumn, stream: TapeStream, numbers: NumberForm): Form {
  switch (what) {
    case 'symbol':
      return { type: dictionary(utf8(), int8()), convert: () => stream.symbol };
    case 'side':
      return { type: dictionary(utf8(), int8()), convert: (value) => DIRECTIONS[value]! };
    case 'id':
      return { type: int64(), convert: BigInt };
    case 'time':
      return { type: timestamp(TimeUnit.MILLISECOND, 'UTC'), convert: (value) => value };
    case 'number': {
      const scale = decimals(stream);
      if (numbers === 'decimal') return { type: decimal128(18, scale), convert: BigInt };
      const unit = pow10(scale);
      return { type: float64(), convert: (value) => value / unit };
    }
  }
}
