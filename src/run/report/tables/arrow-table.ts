/** A table as an Arrow IPC file ("Feather V2"). */
import {
  columnFromValues,
  decimal128,
  float64,
  int64,
  bool,
  tableFromColumns,
  tableToIPC,
  timestamp,
  TimeUnit,
  utf8,
} from '@uwdata/flechette';
import type { Column, DataType } from '@uwdata/flechette';
import { cellOf, type ColumnSpec, type Table } from '../../../report/tables/columns.ts';
import { DIGITS, scaleOf, unscaled, type NumberForm } from './decimals.ts';

export function arrowTable({ rows, specs }: Table, numbers: NumberForm): Uint8Array {
  const columns = Object.entries(specs).map(([name, spec]): [string, Column<unknown>] => {
    const { type, convert } = formOf(spec, rows, numbers);
    const visit = (take: (value: unknown) => void): void => {
      for (const row of rows) {
        const value = cellOf(row, spec);
        take(value === null ? null : convert(value));
      }
    };
    return [name, columnFromValues(visit, type)];
  });
  return tableToIPC(tableFromColumns(columns), { format: 'file' })!;
}

interface Form {
  readonly type: DataType;
  readonly convert: (value: string | number | boolean) => unknown;
}

function formOf(spec: ColumnSpec<never>, rows: readonly unknown[], numbers: NumberForm): Form {
  switch (spec.kind) {
    case 'text':
      return { type: utf8(), convert: String };
    case 'flag':
      return { type: bool(), convert: (value) => value === true };
    case 'time':
      return { type: timestamp(TimeUnit.MILLISECOND, 'UTC'), convert: Number };
    case 'count':
      return { type: int64(), convert: BigInt };
    case 'number':
      return { type: float64(), convert: Number };
    case 'decimal': {
      if (numbers === 'double') return { type: float64(), convert: Number };
      const scale = scaleOf(rows, spec);
      return { type: decimal128(DIGITS, scale), convert: (value) => unscaled(String(value), scale) };
    }
  }
}
