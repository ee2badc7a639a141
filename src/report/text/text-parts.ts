/** Parts of a text report: sections, entries, tables and sparklines. Text is at most 80 columns wide unless a word is longer. */
import { wrap } from '../../base/wrap.ts';

const WIDTH = 80;
const NAME = 18;

export function section(title: string): string[] {
  return ['', title, '─'.repeat(title.length)];
}

/** A name and its value, broken into lines. `room` is the width of the column of names. */
export function entry(name: string, value: string, room = NAME): string[] {
  return wrapped(value, `  ${name.padEnd(room)} `, ' '.repeat(room + 3));
}

/** A table with a header row. The first `words` columns are left-aligned, the others right-aligned. */
export function aligned(head: readonly string[], rows: readonly (readonly string[])[], words: number): string[] {
  const widths = head.map((title, c) => Math.max(title.length, ...rows.map((row) => row[c]!.length)));
  const lineOf = (row: readonly string[]): string =>
    `  ${row.map((text, c) => (c < words ? text.padEnd(widths[c]!) : text.padStart(widths[c]!))).join('  ')}`.trimEnd();
  return [lineOf(head), ...rows.map(lineOf)];
}

/** Breaks `text` into lines of the report. */
export function wrapped(text: string, first: string, next: string): string[] {
  return wrap(text, WIDTH, first, next);
}

/** What the rows of a tape are called. */
export function rowsWord({ isBars }: { readonly isBars?: boolean | undefined }): string {
  return isBars === true ? 'bars' : 'rows';
}

/** The values as 24 small bars; "" for fewer than two values. */
export function sparkline(values: readonly number[]): string {
  if (values.length < 2) return '';
  const cells = 24;
  const bars = '▁▂▃▄▅▆▇█';
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  let text = '';
  for (let c = 0; c < cells; c++) {
    const v = values[Math.floor((c * (values.length - 1)) / (cells - 1))] ?? low;
    text += bars[high === low ? 0 : Math.min(7, Math.floor(((v - low) / (high - low)) * 8))];
  }
  return text;
}
