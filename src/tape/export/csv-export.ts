/** A stream as CSV. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { DIRECTIONS } from '../../domain/codes.ts';
import { formatScaledShort } from '../../domain/amounts/scale.ts';
import type { TapeStream } from '../file/stream.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './export-columns.ts';
import type { WriteOptions } from './export-columns.ts';

const TEXT_AT_ONCE = 1 << 18;

export function writeCsv(stream: TapeStream, path: string, { wrote }: WriteOptions): void {
  const columns = EXPORT_COLUMNS[stream.kind];
  const cells = columns.map((column) => cellOf(stream, column));
  const file = openSync(path, 'w');
  try {
    let text = `${columns.map(({ name }) => name).join(',')}\n`;
    while (stream.next()) {
      for (let row = 0; row < stream.length; row++) {
        for (let k = 0; k < cells.length; k++) text += `${k === 0 ? '' : ','}${cells[k]!(row)}`;
        text += '\n';
        if (text.length < TEXT_AT_ONCE) continue;
        writeSync(file, text);
        text = '';
      }
      wrote(stream.length);
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

function cellOf(stream: TapeStream, { what, value, decimals }: ExportColumn): (row: number) => string {
  const scale = decimals(stream);
  switch (what) {
    case 'symbol':
      return () => stream.symbol;
    case 'side':
      return (row) => DIRECTIONS[value(stream, row)]!;
    case 'number':
      return (row) => formatScaledShort(value(stream, row), scale);
    case 'id':
    case 'time':
      return (row) => String(value(stream, row));
  }
}
