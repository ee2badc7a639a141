/** The first rows of recordings as the import understands them, without importing anything. */
import { SIDES_OF_TRADES } from './side-names.ts';
import { ROLES, SIDE, TIME } from '../formats/format.ts';
import { plainSymbol } from '../formats/symbols.ts';
import { formatScaledShort } from '../../domain/amounts/scale.ts';
import { LineScanner } from './lines/csv-lines.ts';
import { describeBadLine } from './lines/import-error.ts';
import { timeReading } from './source/source-times.ts';
import type { CsvLayout } from './lines/layout.ts';
import { sourcesOf, type Source, type SourceChoice } from './source/source.ts';

export interface Preview {
  readonly file: string;
  readonly format: string;
  readonly title: string;
  readonly kind: string;
  /** Of rows that have none. */
  readonly symbol: string | null;
  /** What times are written in. */
  readonly timeUnit: string;
  /** Form of the dates; null: numbers. */
  readonly timeFormat: string | null;
  /** Zone of dates that have none. */
  readonly timeZone: string;
  /** Length of the bars, 0 for other kinds. */
  readonly barMs: number;
  readonly isNewestFirst: boolean;
  /** What each column is read as; "" where it is not. */
  readonly columns: readonly { readonly name: string; readonly role: string }[];
  /** Names of the values, and the first rows of them. */
  readonly values: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const ROWS = 5;

/** @throws TapeError as importFiles, for the first rows */
export async function previewFiles(
  files: readonly string[],
  choice: Omit<SourceChoice, 'unit'> & Partial<SourceChoice>,
): Promise<Preview[]> {
  const sources = await sourcesOf(files, { ...choice, unit: choice.unit ?? 'auto' });
  return sources.map(previewOf);
}

function previewOf(source: Source): Preview {
  const { layout, input, symbol, barMs, isNewestFirst } = source;
  return {
    file: input.name,
    format: layout.format,
    title: layout.title,
    kind: layout.kind,
    symbol: symbol !== null && layout.isForeign ? plainSymbol(symbol) : symbol,
    timeUnit: source.unit,
    timeFormat: source.times.form,
    timeZone: source.times.zone ?? 'UTC',
    barMs,
    isNewestFirst,
    columns: layout.names.map((name, field) => ({ name, role: layout.roles[field] ?? '' })),
    values: valuesOf(layout).map(({ name }) => name),
    rows: understood(source),
  };
}

/** The first rows, by one scanner: of an hour that comes twice, which it is depends on the row before. */
function understood(source: Source): string[][] {
  const { layout, head } = source;
  const scanner = new LineScanner(layout, timeReading(source));
  return head.rows.slice(0, ROWS).map((row, at) => understoodRow(source, scanner, row, head.lines[at]!));
}

function understoodRow({ layout, input }: Source, scanner: LineScanner, row: readonly string[], line: number): string[] {
  const delimiter = String.fromCharCode(layout.delimiter);
  const bytes = Buffer.from(row.map((field) => (field.includes(delimiter) ? `"${field}"` : field)).join(delimiter), 'latin1');
  if (!scanner.scan(bytes, 0, bytes.length)) {
    throw describeBadLine(layout, scanner, bytes, 0, bytes.length, `${input.name}:${line}`);
  }
  return valuesOf(layout).map(({ reading, slot }) => {
    const value = scanner.value[slot]!;
    if (reading === 'symbol') return bytes.toString('latin1', scanner.symbolStart, scanner.symbolEnd);
    if (slot === TIME) return new Date(value).toISOString();
    if (layout.kind === 'trades' && slot === SIDE) return SIDES_OF_TRADES[value] ?? '';
    if (reading === 'id') return value < 0 ? '' : String(value);
    return Number.isNaN(value) ? '' : formatScaledShort(value, scanner.decimals[slot]!);
  });
}

/** What is read of a row. The time of the day is a part of the time. */
function valuesOf({ kind, roles }: CsvLayout): (typeof ROLES)[keyof typeof ROLES] {
  return ROLES[kind].filter(({ name }) => roles.includes(name) && name !== 'timeOfDay');
}
