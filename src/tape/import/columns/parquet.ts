/** Parquet as columns. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetMetadataAsync, parquetRead, parquetSchema, type AsyncBuffer, type FileMetaData } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { brokenFile, type ColumnFile, type Values } from './columnar.ts';
import type { Input } from '../files/inputs.ts';
import { checkSnappy } from './snappy.ts';

/** @throws TapeError malformed */
export async function openParquet(input: Input): Promise<ColumnFile> {
  try {
    const file = bytesOf(input.file);
    const metadata = await parquetMetadataAsync(file);
    const units = takeUnits(metadata);
    const names = columnsOf(metadata);
    return {
      names,
      scales: takeScales(metadata),
      instants: new Set(units.keys()),
      groups: groupsOf(metadata, names),
      read: (wanted, from, to) =>
        chunks(file, metadata, wanted, from, to)
          .then((columns) => columns.map((column, k) => inMs(column, units.get(wanted[k]!))))
          .catch((error: unknown) => {
            throw brokenFile('Parquet', input, error);
          }),
    };
  } catch (error) {
    throw brokenFile('Parquet', input, error);
  }
}

/** The bytes of a file. A stream for each slice, as the library would read it, takes longer than the slice. */
function bytesOf(path: string): AsyncBuffer {
  const { size } = statSync(path);
  return {
    byteLength: size,
    slice(start, end = size) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
      const file = openSync(path, 'r');
      try {
        let done = 0;
        for (let read = 1; read > 0 && done < bytes.length; done += read)
          read = readSync(file, bytes, done, bytes.length - done, start + done);
        return bytes.buffer.slice(0, done);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** How many of each unit a millisecond has. */
const PER_MS = { MILLIS: 1n, MICROS: 1000n, NANOS: 1_000_000n } as const;

/** Columns of times as whole numbers of 64 bits, and their units. The library would make an object of each time. */
function takeUnits({ schema }: FileMetaData): Map<string, bigint> {
  const units = new Map<string, bigint>();
  for (const element of schema) {
    const { type, logical_type: logical, converted_type: converted, name } = element;
    const unit = logical?.type === 'TIMESTAMP' ? logical.unit : UNITS_BY_OLD_TYPE.get(converted ?? '');
    if (type !== 'INT64' || unit === undefined) continue;
    units.set(name, PER_MS[unit]);
    delete element.converted_type;
    delete element.logical_type;
  }
  return units;
}

const UNITS_BY_OLD_TYPE: ReadonlyMap<string, keyof typeof PER_MS> = new Map([
  ['TIMESTAMP_MILLIS', 'MILLIS'],
  ['TIMESTAMP_MICROS', 'MICROS'],
]);

/** Times of this unit in milliseconds, later than or at 1970 cut off; other columns as they are. */
function inMs(column: Values, unit: bigint | undefined): Values {
  if (unit === undefined) return column;
  const msOf = unit === 1n ? Number : (time: bigint): number => Number(time / unit);
  if (!(column instanceof BigInt64Array))
    return Array.from(column as ArrayLike<bigint | null>, (time) => (time == null ? null : msOf(time)));
  const times = new Float64Array(column.length);
  for (let k = 0; k < times.length; k++) times[k] = msOf(column[k]!);
  return times;
}

/** Decimals of columns that hold whole numbers of 64 bits. The library would multiply them as floating point: they are read as they are. */
function takeScales({ schema }: FileMetaData): Map<string, number> {
  const scales = new Map<string, number>();
  for (const element of schema) {
    if (element.converted_type !== 'DECIMAL' || (element.type !== 'INT64' && element.type !== 'INT32')) continue;
    scales.set(element.name, element.scale ?? 0);
    delete element.converted_type;
    delete element.logical_type;
  }
  return scales;
}

/** Columns that are read: flat ones. */
function columnsOf(metadata: FileMetaData): string[] {
  return parquetSchema(metadata)
    .children.filter((child) => child.children.length === 0)
    .map((child) => child.element.name)
    .filter((name) => name !== '__index_level_0__');
}

/** @throws RangeError if a group claims other rows than its columns have */
function groupsOf(metadata: FileMetaData, flat: readonly string[]): [number, number][] {
  let from = 0;
  return metadata.row_groups.map((group) => {
    for (const { meta_data: column } of group.columns) {
      const isOther = column === undefined || column.num_values !== group.num_rows;
      if (isOther && flat.includes(column?.path_in_schema.join('.') ?? '')) throw new RangeError('fewer values than rows');
    }
    const to = from + Number(group.num_rows);
    const span: [number, number] = [from, to];
    from = to;
    return span;
  });
}

interface Sized {
  readonly chunkSize: number;
  readonly maxOutputLength: number;
}

/** A page says how long it is once unpacked: one output chunk takes it, and nothing longer is made. */
function unpacking(unpack: (page: Uint8Array, sized: Sized) => Uint8Array) {
  return (page: Uint8Array, length: number): Uint8Array => {
    try {
      return unpack(page, { chunkSize: Math.max(length + 1024, 1 << 14), maxOutputLength: Math.max(1, length) });
    } catch (cause) {
      throw new Error(`a page that cannot be unpacked (${(cause as Error).message})`, { cause });
    }
  };
}

/** A damaged length must neither reserve memory nor keep the library busy forever. */
function checked(name: 'SNAPPY' | 'LZ4' | 'LZ4_RAW', check: (page: Uint8Array, length: number) => void) {
  return (page: Uint8Array, length: number): Uint8Array => {
    check(page, length);
    return compressors[name]!(page, length);
  };
}

/** A byte of LZ4 makes 255 at most. */
function checkLength(page: Uint8Array, length: number): void {
  if (length > 255 * page.length) throw new RangeError(`a page of ${page.length} bytes that claims ${length}`);
}

/** Node.js unpacks what it can: several times faster than JavaScript does. */
const DECOMPRESSORS: typeof compressors = {
  ...compressors,
  SNAPPY: checked('SNAPPY', checkSnappy),
  LZ4: checked('LZ4', checkLength),
  LZ4_RAW: checked('LZ4_RAW', checkLength),
  ZSTD: unpacking(zstdDecompressSync),
  GZIP: unpacking(gunzipSync),
  BROTLI: unpacking(brotliDecompressSync),
};

/** Reads these rows of these columns. */
async function chunks(
  file: AsyncBuffer,
  metadata: FileMetaData,
  names: readonly string[],
  from: number,
  to: number,
): Promise<readonly Values[]> {
  const columns = new Map<string, unknown[] | Values>(names.map((name) => [name, []]));
  await parquetRead({
    file,
    metadata,
    columns: [...names],
    rowStart: from,
    rowEnd: to,
    compressors: DECOMPRESSORS,
    onChunk: ({ columnName, columnData, rowStart, rowEnd }) => {
      const rows = rowEnd - rowStart;
      const start = Math.max(0, from - rowStart);
      const end = Math.min(rows, to - rowStart);
      if (start >= end) return;
      const known = columns.get(columnName) as unknown[];
      if (known.length === 0 && start === 0 && end === rows) columns.set(columnName, columnData as Values);
      else columns.set(columnName, [...Array.from(known), ...Array.from(columnData as Values).slice(start, end)]);
    },
  });
  return names.map((name) => {
    const values = columns.get(name)!;
    if (values.length !== to - from) throw new RangeError('fewer values than rows');
    return values;
  });
}
