/** Finds the form of the dates of a recording: by the first rows, and where those do not tell day and month apart, by all of them. */
import { TapeError } from '../../file/error.ts';
import { readLines } from '../lines/csv-file.ts';
import { splitLine } from '../lines/head.ts';
import type { Input } from '../files/inputs.ts';
import type { CsvLayout, Head } from '../lines/layout.ts';
import type { DateForm, TimeUnit } from '../times/times.ts';

const COMPACT = /^\d{4}(\d\d)(\d\d)([ T]?\d{4}(\d\d(\d{3})?)?|[ T]\d\d:.*)?$/;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;

/** The cells of the column of the time in the first rows. */
export function timeCells(head: Head, layout: CsvLayout): readonly string[] {
  const field = layout.roles.indexOf('time');
  return head.rows.map((row) => row[field] ?? '');
}

/** Null: the times are numbers, or nothing that is known. @throws TapeError malformed where the file does not tell day and month apart */
export async function dateFormOf(input: Input, head: Head, layout: CsvLayout, unit: TimeUnit): Promise<DateForm | null> {
  const cells = timeCells(head, layout);
  const most = (isLike: (cell: string) => boolean): boolean => cells.length > 0 && cells.filter(isLike).length >= cells.length / 2;
  if (unit === 'auto' && most(isCompact)) return 'YYYYMMDD';
  if (most((cell) => /^\d{4}[-./]\d/.test(cell))) return 'YYYY-MM-DD';
  if (!most((cell) => YEAR_LAST.test(cell))) return null;
  const at = cells.findIndex((cell) => YEAR_LAST.test(cell));
  const [, , separator, , digits] = YEAR_LAST.exec(cells[at]!)!;
  const year = digits!.length === 2 ? 'YY' : 'YYYY';
  const order = separator === '.' ? 'DD/MM' : (firstOf(cells, orderOf) ?? (await orderInFile(input, layout)));
  if (order !== null) return `${order}/${year}` as const;
  const choices = [`DD/MM/${year}`, `MM/DD/${year}`];
  throw new TapeError(
    'malformed',
    `${layout.names[layout.roles.indexOf('time')]}: dates that tell day and month apart were expected, found only such as ${JSON.stringify(cells[at])}, which is ${choices.join(' and ')}`,
    placeOf(input, head, at),
    `say which: --time-format ${choices.join(' or --time-format ')}`,
  );
}

/** File and line of one of the first rows. */
export function placeOf(input: Input, head: Head, row: number): string {
  return input.form === 'text' ? `${input.name}:${head.lines[row]}` : `${input.name}, row ${row + 1}`;
}

/** Eight digits that are a day of these centuries, as no number of seconds or milliseconds in a recording is. */
function isCompact(cell: string): boolean {
  const found = COMPACT.exec(cell);
  return found !== null && /^(19|20)/.test(cell) && Number(found[1]) <= 12 && Number(found[2]) <= 31;
}

/** Which of two numbers is the day, if one of them can be nothing else. */
function orderOf(cell: string): 'DD/MM' | 'MM/DD' | null {
  const [, first, , second] = YEAR_LAST.exec(cell) ?? [];
  return Number(first) > 12 ? 'DD/MM' : Number(second) > 12 ? 'MM/DD' : null;
}

function firstOf<Value, Result>(values: readonly Value[], pick: (value: Value) => Result | null): Result | null {
  for (const value of values) {
    const found = pick(value);
    if (found !== null) return found;
  }
  return null;
}

async function orderInFile(input: Input, layout: CsvLayout): Promise<'DD/MM' | 'MM/DD' | null> {
  if (input.form !== 'text') return null;
  const delimiter = String.fromCharCode(layout.delimiter);
  const field = layout.roles.indexOf('time');
  let order: 'DD/MM' | 'MM/DD' | null = null;
  await readLines(input, (bytes, start, end) => {
    const lines = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
      .toString('latin1')
      .split('\n');
    order = firstOf(lines, (line) => orderOf(splitLine(line, delimiter)[field] ?? ''));
    return order === null;
  });
  return order;
}
