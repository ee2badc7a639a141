/** Arrow files ("Feather V2", as freqtrade and pandas write them) as columns. The file is read into memory. */
import { readFileSync } from 'node:fs';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { CompressionType, setCompressionCodec, tableFromIPC, Type, type Column } from '@uwdata/flechette';
import { brokenFile, type ColumnFile } from './columnar.ts';
import type { Input } from '../files/inputs.ts';
import { unpackLz4 } from './lz4.ts';

const unused = (): never => {
  throw new Error('nothing is packed here');
};
setCompressionCodec(CompressionType.LZ4_FRAME, { decode: unpackLz4, encode: unused });
setCompressionCodec(CompressionType.ZSTD, {
  decode: (bytes, length) => zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, length) }),
  encode: zstdCompressSync,
});

/** What a cell can be. */
const FLAT: ReadonlySet<number> = new Set([
  Type.Dictionary,
  Type.Int,
  Type.Float,
  Type.Utf8,
  Type.LargeUtf8,
  Type.Bool,
  Type.Decimal,
  Type.Date,
  Type.Timestamp,
]);

/** Arrow has a table of its own to look values up: this many rows of a column are taken out of it at once. */
const GROUP_ROWS = 65_536;

/** @throws TapeError malformed */
export function openFeather(input: Input): ColumnFile {
  try {
    const table = tableFromIPC(readFileSync(input.file), { useDate: true, useBigInt: true, useDecimalInt: true });
    const names = table.schema.fields.filter(({ type }) => FLAT.has(type.typeId)).map(({ name }) => name);
    const wanted = names.filter((name) => name !== '__index_level_0__');
    const scales = table.schema.fields.flatMap(({ name, type }): [string, number][] =>
      type.typeId === Type.Decimal ? [[name, type.scale]] : [],
    );
    const rows = table.numRows;
    const groups = Array.from({ length: Math.ceil(rows / GROUP_ROWS) }, (_, k): [number, number] => [
      k * GROUP_ROWS,
      Math.min(rows, (k + 1) * GROUP_ROWS),
    ]);
    const valuesOf = (column: Column<unknown>, from: number, to: number): unknown[] => {
      const values = Array.from({ length: to - from }, (_, k) => column.at(from + k));
      // A cell without a value is null.
      if (values.at(-1) === undefined) throw new RangeError('fewer values than rows');
      return values;
    };
    const read = async (of: readonly string[], from: number, to: number): Promise<unknown[][]> => {
      try {
        return await Promise.resolve(of.map((name) => valuesOf(table.getChild(name), from, to)));
      } catch (error) {
        throw brokenFile('Arrow', input, error);
      }
    };
    return { names: wanted, scales: new Map(scales), instants: new Set(), groups, read };
  } catch (error) {
    throw brokenFile('Arrow', input, error);
  }
}
