/** Tables of results: a table is rows and, by name, what each column says of a row. Programs get them as columns, other tools as files. */

/**
 * `time`: milliseconds since 1970. `decimal`: an amount, price or size as a decimal string. `count`: a whole number. `number`: any other.
 * Null is a value that does not exist.
 */
export type ColumnKind = 'text' | 'time' | 'number' | 'decimal' | 'count' | 'flag';

export interface ColumnSpec<Row> {
  readonly kind: ColumnKind;
  /** What it says, with its unit. */
  readonly doc: string;
  readonly value: (row: Row) => string | number | boolean | null;
}

export type Specs<Row> = Readonly<Record<string, ColumnSpec<Row>>>;

/** Text as text, flags as booleans, everything else as doubles. */
type ColumnOf<Kind> = Kind extends 'text' ? readonly string[] : Kind extends 'flag' ? readonly boolean[] : Float64Array;

/** The columns of a table by name, all of the same length. */
export type ColumnsOf<S> = { readonly [Name in keyof S]: S[Name] extends { readonly kind: infer Kind } ? ColumnOf<Kind> : never };

/** Columns whose names depend on a strategy. */
export type AnyColumns = Readonly<Record<string, Float64Array | readonly string[] | readonly boolean[]>>;

/** A table before it is given a form. */
export interface Table {
  readonly rows: readonly unknown[];
  readonly specs: Specs<never>;
}

export function tableOf<Row>(rows: readonly Row[], specs: Specs<Row>): Table {
  return { rows, specs };
}

/** Value of a cell. The rows and the specs of a table belong together. */
export function cellOf(row: unknown, { value }: ColumnSpec<never>): string | number | boolean | null {
  return value(row as never);
}

/** A missing text is "", a missing number NaN. A decimal becomes the double that is nearest to it. */
export function columnsOf<Row, S extends Specs<Row>>(rows: readonly Row[], specs: S): ColumnsOf<S> {
  const columns: [string, ColumnOf<ColumnKind>][] = [];
  for (const [name, { kind, value }] of Object.entries(specs)) {
    if (kind === 'text') columns.push([name, rows.map((row) => String(value(row) ?? ''))]);
    else if (kind === 'flag') columns.push([name, rows.map((row) => value(row) === true)]);
    else columns.push([name, Float64Array.from(rows, (row) => Number(value(row) ?? Number.NaN))]);
  }
  return Object.fromEntries(columns) as ColumnsOf<S>;
}
