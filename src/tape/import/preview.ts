/** The first rows of recordings as the import understands them, without importing anything. */
import { SIDES_OF_TRADES } from './side-names.ts';
import { ROLES, SIDE, TIME } from '../formats/format.ts';
import { plainSymbol } from '../formats/symbols.ts';
import { formatScaledShort } from '../../domain/scale.ts';
import { LineScanner } from './csv-lines.ts';
import { describeBadLine } from './import-error.ts';
import { sourcesOf, type Source, type SourceChoice } from './source.ts';

export interface Preview {
  readonly file: string;
  readonly format: string;
  readonly title: string;
  readonly kind: string;
  /** Of rows that have none. */
  readonly symbol: string | null;
  /** What times are written in. */
  readonly timeUnit: string;
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
  return sources.map((source) => previewOf(source, choice.unit ?? 'auto'));
}

function previewOf(source: Source, unit: SourceChoice['unit']): Preview {
  const { layout, input, symbol, barMs, isNewestFirst, head } = source;
  const values = ROLES[layout.kind].filter(({ name }) => layout.roles.includes(name));
  return {
    file: input.name,
    format: layout.format,
    title: layout.title,
    kind: layout.kind,
    symbol: symbol !== null && layout.isForeign ? plainSymbol(symbol) : symbol,
    timeUnit: source.unit,
    barMs,
    isNewestFirst,
    columns: layout.names.map((name, field) => ({ name, role: layout.roles[field] ?? '' })),
    values: values.map(({ name }) => name),
    rows: head.rows.slice(0, ROWS).map((row, at) => understood(source, row, at, unit)),
  };
}

function understood({ layout, input }: Source, row: readonly string[], at: number, unit: SourceChoice['unit']): string[] {
  const scanner = new LineScanner(layout, unit);
  const delimiter = String.fromCharCode(layout.delimiter);
  const bytes = Buffer.from(row.map((field) => (field.includes(delimiter) ? `"${field}"` : field)).join(delimiter), 'latin1');
  if (!scanner.scan(bytes, 0, bytes.length)) {
    throw describeBadLine(layout, scanner, bytes, 0, bytes.length, `${input.name}:${layout.leading + at + 1}`);
  }
  return ROLES[layout.kind]
    .filter(({ name }) => layout.roles.includes(name))
    .map(({ reading, slot }) => {
      const value = scanner.value[slot]!;
      if (reading === 'symbol') return bytes.toString('latin1', scanner.symbolStart, scanner.symbolEnd);
      if (slot === TIME) return new Date(value).toISOString();
      if (layout.kind === 'trades' && slot === SIDE) return SIDES_OF_TRADES[value] ?? '';
      if (reading === 'id') return value < 0 ? '' : String(value);
      return Number.isNaN(value) ? '' : formatScaledShort(value, scanner.decimals[slot]!);
    });
}
