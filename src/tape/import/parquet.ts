/** Parquet as columns. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead, parquetSchema, type FileMetaData } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { brokenFile, type ColumnFile, type Values } from './columnar.ts';
import type { Input } from './inputs.ts';

/** @throws TapeError malformed */
export async function openParquet(input: Input): Promise<ColumnFile> {
  try {
    const file = await asyncBufferFromFile(input.file);
    const metadata = await parquetMetadataAsync(file);
    return {
      names: columnsOf(metadata),
      scales: takeScales(metadata),
      groups: groupsOf(metadata),
      read: (names, from, to) =>
        chunks(file, metadata, names, from, to).catch((error: unknown) => {
          throw brokenFile('Parquet', input, error);
        }),
    };
  } catch (error) {
    throw brokenFile('Parquet', input, error);
  }
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

function groupsOf(metadata: FileMetaData): [number, number][] {
  let from = 0;
  return metadata.row_groups.map((group) => {
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

/** Node.js unpacks what it can: several times faster than JavaScript does. */
const DECOMPRESSORS: typeof compressors = {
  ...compressors,
  ZSTD: unpacking(zstdDecompressSync),
  GZIP: unpacking(gunzipSync),
  BROTLI: unpacking(brotliDecompressSync),
};

type Buffers = Awaited<ReturnType<typeof asyncBufferFromFile>>;

/** Reads these rows of these columns. */
async function chunks(
  file: Buffers,
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
  return names.map((name) => columns.get(name)!);
}
