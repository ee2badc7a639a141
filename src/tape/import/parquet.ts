/** Recordings as Parquet: columns are read by chunks, numbers of floating point become the shortest decimals that are them. */
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead, parquetSchema, type FileMetaData } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { POW10 } from '../../domain/scale.ts';
import { TapeError } from '../error.ts';
import { FIRST, SIDE, SLOTS, TIME } from '../formats/format.ts';
import type { RowValues } from './csv-lines.ts';
import { LineScanner, UNTOLD } from './csv-lines.ts';
import { unreadableFile, type Input } from './inputs.ts';
import type { CsvLayout, Head } from './layout.ts';
import * as readings from './readings.ts';

type Buffers = Awaited<ReturnType<typeof asyncBufferFromFile>>;
type Values = ArrayLike<unknown>;

const HEAD_ROWS = 200;
const DECIMALS_MAX = 15;

/** Names of the columns and the first rows, as text. @throws TapeError malformed */
export async function parquetHead(input: Input): Promise<Head> {
  const { file, metadata, scales } = await opened(input);
  const names = columnsOf(metadata);
  const rows: string[][] = [];
  await chunks(file, metadata, names, 0, Math.min(HEAD_ROWS, Number(metadata.num_rows)), input, (values, count) => {
    for (let row = 0; row < count; row++) rows.push(values.map((column, k) => cellText(column[row], scales.get(names[k]!))));
  });
  return { leading: 0, delimiter: ',', header: names, headerLine: null, rows };
}

/** A file, and what its columns mean. */
interface ParquetRows {
  readonly input: Input;
  readonly layout: CsvLayout;
}

/** Hands over every row, with the symbol it has, if any. @throws TapeError malformed */
export async function readParquet({ layout, input }: ParquetRows, take: (row: RowValues, symbol: string) => void): Promise<void> {
  const { file, metadata, scales } = await opened(input);
  const fields = layout.names.flatMap((_, k) => (layout.readings[k] === readings.SKIP || layout.readings[k] === readings.TAG ? [] : [k]));
  const names = fields.map((k) => layout.names[k]!);
  const row = { value: new Float64Array(SLOTS), decimals: new Int32Array(SLOTS), written: new Int32Array(SLOTS) };
  row.value[FIRST] = -1;
  row.value[SIDE] = UNTOLD;
  const texts = fields.map((k) => new CellScanner(layout.readings[k]!, layout.slots[k]!, scales.get(layout.names[k]!)));
  let number = 0;
  for (const group of groupsOf(metadata)) {
    await chunks(file, metadata, names, group.from, group.to, input, (columns, count) => {
      const symbols = columns[fields.findIndex((k) => layout.readings[k] === readings.SYMBOL)];
      for (let at = 0; at < count; at++) {
        number++;
        for (let k = 0; k < columns.length; k++) {
          const value = columns[k]![at];
          if (!texts[k]!.read(value, row)) throw badCell(value, names[k]!, input, number);
        }
        take(row, symbols === undefined ? '' : String(symbols[at]));
      }
    });
  }
}

function badCell(value: unknown, name: string, input: Input, row: number): TapeError {
  const found = JSON.stringify(textOf(value).slice(0, 40));
  return new TapeError(
    'malformed',
    `${name}: a value of its kind was expected, found ${found}`,
    `${input.name}, row ${row}`,
    'correct or remove the row; nothing was written',
  );
}

/** Reads the cells of one column: numbers as they are, all else as a line would have them. */
class CellScanner {
  readonly #reading: number;
  readonly #slot: number;
  readonly #scanner: LineScanner;
  readonly #bytes = Buffer.alloc(128);
  #decimals = 0;
  readonly #scale: number | undefined;

  /** `scale`: decimals of a column of whole numbers. */
  constructor(reading: number, slot: number, scale: number | undefined) {
    this.#reading = reading;
    this.#slot = slot;
    this.#scale = scale;
    this.#scanner = new LineScanner({ readings: Uint8Array.of(reading), slots: Int32Array.of(slot), delimiter: 44 });
  }

  read(value: unknown, row: RowValues): boolean {
    if (this.#reading === readings.SYMBOL) return true;
    if (this.#reading === readings.NUMBER && typeof value === 'number' && this.#scale === undefined) return this.#number(value, row);
    if (this.#reading === readings.TIME && value instanceof Date) {
      row.value[TIME] = value.getTime();
      return true;
    }
    if (this.#reading === readings.NUMBER && value === null) {
      row.value[this.#slot] = Number.NaN;
      return true;
    }
    const length = this.#bytes.write(cellText(value, this.#scale), 'latin1');
    if (!this.#scanner.scan(this.#bytes, 0, length)) return false;
    row.value[this.#slot] = this.#scanner.value[this.#slot]!;
    row.decimals[this.#slot] = this.#scanner.decimals[this.#slot]!;
    row.written[this.#slot] = this.#scanner.written[this.#slot]!;
    return true;
  }

  /** The shortest decimal that is this double. Values of a column mostly have as many decimals as the one before. */
  #number(value: number, row: RowValues): boolean {
    const slot = this.#slot;
    let decimals = this.#decimals;
    let digits = Math.round(value * POW10[decimals]!);
    if (digits / POW10[decimals]! !== value) {
      if (!Number.isFinite(value)) {
        row.value[slot] = Number.NaN;
        return Number.isNaN(value);
      }
      for (decimals = 0; decimals <= DECIMALS_MAX; decimals++) {
        digits = Math.round(value * POW10[decimals]!);
        if (digits / POW10[decimals]! === value) break;
      }
      if (decimals > DECIMALS_MAX || Math.abs(digits) > Number.MAX_SAFE_INTEGER) {
        // A sum of floating point such as 0.30000000000000004.
        const clean = Number(value.toPrecision(15));
        return clean !== value && this.#number(clean, row);
      }
      if (decimals > this.#decimals && decimals <= 8) this.#decimals = decimals;
    }
    row.value[slot] = digits;
    row.decimals[slot] = decimals;
    row.written[slot] = decimals;
    return true;
  }
}

async function opened(input: Input): Promise<{ file: Buffers; metadata: FileMetaData; scales: ReadonlyMap<string, number> }> {
  try {
    const file = await asyncBufferFromFile(input.file);
    const metadata = await parquetMetadataAsync(file);
    return { file, metadata, scales: takeScales(metadata) };
  } catch (error) {
    throw broken(input, error);
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

function groupsOf(metadata: FileMetaData): { from: number; to: number }[] {
  let from = 0;
  return metadata.row_groups.map((group) => {
    const to = from + Number(group.num_rows);
    const span = { from, to };
    from = to;
    return span;
  });
}

/** Reads these rows of these columns and hands them over as arrays. */
async function chunks(
  file: Buffers,
  metadata: FileMetaData,
  names: readonly string[],
  from: number,
  to: number,
  input: Input,
  take: (columns: readonly Values[], rows: number) => void,
): Promise<void> {
  const columns = new Map<string, unknown[] | Values>(names.map((name) => [name, []]));
  try {
    await parquetRead({
      file,
      metadata,
      columns: [...names],
      rowStart: from,
      rowEnd: to,
      compressors,
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
  } catch (error) {
    throw broken(input, error);
  }
  take(
    names.map((name) => columns.get(name)!),
    to - from,
  );
}

function broken(input: Input, error: unknown): TapeError {
  const known = unreadable(input, error);
  if (known !== null) return known;
  const what = `a whole Parquet file was expected, found ${(error as Error).message}`;
  return new TapeError('malformed', what, input.name, 'fetch the file again, or write it as CSV', { cause: error });
}

function unreadable(input: Input, error: unknown): TapeError | null {
  try {
    return unreadableFile(input.name, error);
  } catch {
    return null;
  }
}

function cellText(value: unknown, scale: number | undefined): string {
  if (scale === undefined || scale === 0 || (typeof value !== 'bigint' && typeof value !== 'number')) return textOf(value);
  const digits = String(value)
    .replace('-', '')
    .padStart(scale + 1, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
