/** Says what is wrong with a line that the scanner would not take. */
import { SIDE, TIME, type CsvLayout } from './csv-header.ts';
import type { LineScanner, TimeUnit } from './csv-lines.ts';
import { TapeError } from '../error.ts';

/** `where` is file and line; the column is added. */
export function describeBadLine(
  layout: CsvLayout,
  scanner: LineScanner,
  bytes: Uint8Array,
  start: number,
  end: number,
  where: string,
  unit: TimeUnit,
): TapeError {
  const fields = Buffer.from(bytes.subarray(start, end)).toString('utf8').split(',');
  const wanted = layout.names.length;
  const place = `${where}:${scanner.badAt - start + 1}`;
  if (fields.length !== wanted) {
    return new TapeError('malformed', `${wanted} fields (${layout.names.join(',')}) were expected, found ${fields.length}`, place, HINT);
  }
  const slot = layout.slots[scanner.badField] ?? -1;
  const name = layout.names[scanner.badField] ?? '';
  const found = JSON.stringify((fields[scanner.badField] ?? '').slice(0, 40));
  return new TapeError('malformed', `${name}: ${expectation(layout, slot, name, unit)} was expected, found ${found}`, place, HINT);
}

function expectation(layout: CsvLayout, slot: number, name: string, unit: TimeUnit): string {
  if (slot === TIME) return UNIT_WORDS[unit];
  if (slot === SIDE && layout.kind === 'trades') return 'BUY or SELL';
  if (name === 'tradeId') return 'a whole number up to 2^53 − 1';
  return 'a plain decimal of at most 15 decimals and 2^53 − 1 without its point';
}

const UNIT_WORDS: Readonly<Record<TimeUnit, string>> = {
  s: 'a number of seconds',
  ms: 'a whole number of milliseconds',
  us: 'a whole number of microseconds',
};
const HINT = 'correct or remove the line; nothing was written';
