/** Recordings whose columns are stored one by one (Parquet, Arrow). A floating point number becomes the shortest decimal that equals it. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { POW10 } from '../../../domain/amounts/scale.ts';
import { systemCode, TapeError } from '../../file/error.ts';
import { FIRST, SIDE, SLOTS, TIME } from '../../formats/format.ts';
import { DECIMALS_SURE, DIGITS_SURE, LineScanner, UNTOLD, type RowValues } from '../lines/csv-lines.ts';
import { unreadableTime } from '../lines/import-error.ts';
import { unreadableFile, type Input } from '../files/inputs.ts';
import type { CsvLayout, Head } from '../lines/layout.ts';
import * as readings from '../lines/field-readings.ts';
import type { TimeReading } from '../times/times.ts';

export type Values = ArrayLike<unknown>;

/** An open file. */
export interface ColumnFile {
  /** Names of its columns, without those that have columns in them. */
  readonly names: readonly string[];
  /** Decimals of columns that hold whole numbers. */
  readonly scales: ReadonlyMap<string, number>;
  /** Columns that hold times as numbers of milliseconds. Others hold them as dates, or in a way that their values have to tell. */
  readonly instants: ReadonlySet<string>;
  /** Rows that are stored together: from, and the one after the last. */
  readonly groups: readonly (readonly [from: number, to: number])[];
  /** These rows of these columns, all of one group. @throws TapeError malformed */
  read(names: readonly string[], from: number, to: number): Promise<readonly Values[]>;
}

const HEAD_ROWS = 200;
const DECIMALS_MAX = 15;

/** Names of the columns and the first rows, as text. @throws TapeError malformed */
export async function columnHead(file: ColumnFile): Promise<Head> {
  const { names, scales, instants, groups } = file;
  const rows: string[][] = [];
  for (const [from, to] of groups) {
    const count = Math.min(HEAD_ROWS - rows.length, to - from);
    if (count <= 0) break;
    const read = await file.read(names, from, from + count);
    const columns = read.map((column, k) => (instants.has(names[k]!) ? Array.from(column, dated) : column));
    for (let row = 0; row < count; row++) rows.push(columns.map((column, k) => cellText(column[row], scales.get(names[k]!))));
  }
  return { leading: 0, delimiter: ',', header: names, headerLine: null, rows, lines: rows.map((_, k) => k + 1) };
}

function dated(ms: unknown): unknown {
  return typeof ms === 'number' ? new Date(ms) : ms;
}

/** A file, and what its columns mean. */
interface ColumnRows {
  readonly input: Input;
  readonly layout: CsvLayout;
  readonly times: TimeReading;
}

/** Hands over every row, with the symbol it has, if any. Gives how many numbers had rounding errors. @throws TapeError malformed | unsupported */
export async function readColumns(
  file: ColumnFile,
  { layout, input, times }: ColumnRows,
  take: (row: RowValues, symbol: string) => void,
): Promise<number> {
  if (times.isSplit) throw splitTime(input);
  const fields = layout.names.flatMap((_, k) => (layout.readings[k] === readings.SKIP || layout.readings[k] === readings.TAG ? [] : [k]));
  const names = fields.map((k) => layout.names[k]!);
  const row = { value: new Float64Array(SLOTS), decimals: new Int32Array(SLOTS), written: new Int32Array(SLOTS) };
  row.value[FIRST] = -1;
  row.value[SIDE] = UNTOLD;
  const cells = fields.map((k) => new CellScanner(layout, k, file, times));
  const symbolAt = fields.findIndex((k) => layout.readings[k] === readings.SYMBOL);
  let number = 0;
  for (const [from, to] of file.groups) {
    const columns = await file.read(names, from, to);
    const symbols = columns[symbolAt];
    for (let at = 0; at < to - from; at++) {
      number++;
      for (let k = 0; k < columns.length; k++) {
        const value = columns[k]![at];
        if (!cells[k]!.read(value, row)) throw badCell(value, { name: names[k]!, field: fields[k]! }, { layout, input, times }, number);
      }
      take(row, symbols === undefined ? '' : String(symbols[at]));
    }
  }
  return cells.reduce((sum, cell) => sum + cell.numbersRounded, 0);
}

function splitTime({ name }: Input): TapeError {
  return new TapeError(
    'unsupported',
    'date and time in one column were expected, found a column for each',
    name,
    'join them, or write the file as CSV',
  );
}

/** The error of a file that cannot be read as what it is. */
export function brokenFile(form: string, { name, file }: Input, error: unknown): TapeError {
  if (error instanceof TapeError) return error;
  // Node.js has codes for wrong arguments too: damaged bytes led to them.
  if (systemCode(error) !== '' && !systemCode(error).startsWith('ERR_')) return unreadableFile(name, error);
  const found = hasEnd(file) ? damageIn(error) : 'a file that is cut off: its last bytes are missing';
  return new TapeError('malformed', `a whole ${form} file was expected, found ${found}`, name, 'fetch the file again, or write it as CSV', {
    cause: error,
  });
}

/** Parquet and Arrow files end with the mark that they begin with. */
function hasEnd(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const ends = Buffer.alloc(8);
    readSync(handle, ends, 0, 4, 0);
    readSync(handle, ends, 4, 4, Math.max(0, fstatSync(handle).size - 4));
    const text = ends.toString('latin1');
    return text === 'PAR1PAR1' || text === 'ARROROW1';
  } finally {
    closeSync(handle);
  }
}

/** A library that trips over damaged bytes says little about the file in its own words. */
function damageIn(error: unknown): string {
  const { message, name } = error as Error;
  const isAboutFile = name !== 'TypeError' && !/undefined|null|BigInt|bounds|allocation|typed array/i.test(message);
  return isAboutFile ? `damaged data (${message})` : 'damaged data';
}

function badCell(value: unknown, column: { name: string; field: number }, { input, layout, times }: ColumnRows, row: number): TapeError {
  const { name, field } = column;
  if (typeof value === 'string' && layout.readings[field] === readings.TIME)
    return unreadableTime(name, times.form, value, `${input.name}, row ${row}`);
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
  #rounded = 0;
  readonly #scale: number | undefined;
  readonly #isInstant: boolean;

  constructor(layout: CsvLayout, field: number, { scales, instants }: ColumnFile, times: TimeReading) {
    const name = layout.names[field]!;
    const reading = layout.readings[field]!;
    const slot = layout.slots[field]!;
    this.#reading = reading;
    this.#slot = slot;
    this.#scale = scales.get(name);
    this.#isInstant = instants.has(name);
    this.#scanner = new LineScanner({ readings: Uint8Array.of(reading), slots: Int32Array.of(slot), delimiter: 44, point: 46 }, times);
  }

  get numbersRounded(): number {
    return this.#rounded + this.#scanner.numbersRounded;
  }

  read(value: unknown, row: RowValues): boolean {
    if (this.#reading === readings.SYMBOL) return true;
    if (this.#reading === readings.NUMBER && typeof value === 'number' && this.#scale === undefined) return this.#number(value, row);
    if (this.#reading === readings.TIME && this.#isInstant && typeof value === 'number') {
      row.value[TIME] = value;
      return true;
    }
    if (this.#reading === readings.TIME && value instanceof Date) {
      row.value[TIME] = value.getTime();
      return true;
    }
    if (this.#reading === readings.NUMBER && value === null) {
      row.value[this.#slot] = Number.NaN;
      return true;
    }
    const length = this.#bytes.write(cellText(this.#isInstant ? dated(value) : value, this.#scale), 'latin1');
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
      const isLong = decimals > DECIMALS_SURE && Math.abs(digits) >= DIGITS_SURE;
      if (isLong || decimals > DECIMALS_MAX || Math.abs(digits) > Number.MAX_SAFE_INTEGER) {
        // A sum of floating point such as 0.30000000000000004.
        const clean = Number(value.toPrecision(15));
        if (clean === value) return false;
        this.#rounded++;
        return this.#number(clean, row);
      }
      if (decimals > this.#decimals && decimals <= 8) this.#decimals = decimals;
    }
    row.value[slot] = digits;
    row.decimals[slot] = decimals;
    row.written[slot] = decimals;
    return true;
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
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no time' : value.toISOString();
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
