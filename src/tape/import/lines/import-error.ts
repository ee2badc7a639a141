/** Describes the error of a line that the scanner refused. */
import { TapeError } from '../../file/error.ts';
import { splitLine } from './head.ts';
import { DATE_FORMS, type DateForm } from '../times/times.ts';
import type { LineScanner } from './csv-lines.ts';
import type { CsvLayout } from './layout.ts';
import * as readings from './field-readings.ts';

/** `where` is file and line; the column is added. */
export function describeBadLine(
  layout: CsvLayout,
  scanner: LineScanner,
  bytes: Uint8Array,
  start: number,
  end: number,
  where: string,
): TapeError {
  const line = Buffer.from(bytes.subarray(start, end)).toString('utf8');
  const fields = splitLine(line, String.fromCharCode(layout.delimiter));
  const wanted = layout.names.length;
  const place = `${where}:${scanner.badAt - start + 1}`;
  const found = fields[scanner.badField] ?? '';
  if (isGrouped(found) || (fields.length > wanted && /(^|[^\d.])\d{1,3}(,\d{3})+(\D|$)/.test(line))) {
    const what = `${layout.names[scanner.badField] ?? ''}: a number without thousands separators was expected, found ${JSON.stringify(found.slice(0, 40))}`;
    return new TapeError('malformed', what, place, 'write the file without separators between thousands, or with a point before decimals');
  }
  if (fields.length !== wanted) {
    const names = layout.names.length > 20 ? `${layout.names.slice(0, 20).join(',')},…` : layout.names.join(',');
    return new TapeError('malformed', `${wanted} fields (${names}) were expected, found ${fields.length}`, place, HINT);
  }
  const name = layout.names[scanner.badField] ?? '';
  if (layout.readings[scanner.badField] === readings.TIME) return unreadableTime(name, scanner.times.form, found, place);
  const what = `${name}: ${EXPECTED[layout.readings[scanner.badField]!] ?? 'text'} was expected, found ${JSON.stringify(found.slice(0, 40))}`;
  return new TapeError('malformed', what, place, HINT);
}

/** `form`: of the dates of the file; null where they have no known form. */
export function unreadableTime(name: string, form: DateForm | null, found: string, where: string): TapeError {
  const forms = `${DATE_FORMS.slice(0, -1).join(', ')} or ${DATE_FORMS.at(-1)}`;
  const cell = JSON.stringify(found.slice(0, 40));
  return form === null
    ? new TapeError(
        'malformed',
        `${name}: a time was expected (seconds, milliseconds, microseconds or nanoseconds since 1970, or a date in the form ${forms}), found ${cell}`,
        where,
        'write the times in one of these forms; a time of the day may follow a date',
      )
    : new TapeError(
        'malformed',
        `${name}: a date in the form ${form} was expected, found ${cell}`,
        where,
        `correct or remove the line; if the dates have another form, --time-format says which: ${forms}`,
      );
}

function isGrouped(text: string): boolean {
  return /^-?\d{1,3}([,' ]\d{3})+([.,]\d+)?$/.test(text) || /^-?\d+,\d+$/.test(text);
}

const EXPECTED: Readonly<Record<number, string>> = {
  [readings.NUMBER]: 'a plain decimal of at most 15 decimals and 2^53 − 1 without its point',
  [readings.TIME_OF_DAY]: 'a time of the day such as 09:30, 09:30:00 or 093000',
  [readings.ID]: 'a whole number up to 2^53 − 1',
  [readings.SIDE]: 'BUY or SELL',
  [readings.MAKER]: 'true or false',
  [readings.TAKER]: '1 or 0',
};
const HINT = 'correct or remove the line; nothing was written';
