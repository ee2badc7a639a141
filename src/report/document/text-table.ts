/** Tables as text of a given width. Colours of a terminal in their cells take no room. */
import { stripVTControlCharacters } from 'node:util';
import { wrap } from '../../base/text/wrap.ts';

export interface Column {
  readonly title: string;
  /** Default left; right for numbers. */
  readonly align?: 'left' | 'right';
  /** If the table is too wide, the text is wrapped, or printed below the row. */
  readonly flows?: true;
}

/** A column of numbers. */
export const numbers = (title: string): Column => ({ title, align: 'right' });
/** A column of words that may be long. */
export const words = (title: string): Column => ({ title, flows: true });

/** Columns of a terminal whose size is not known, and of output into a pipe. */
export const WIDTH = 80;

/** Smallest width of a wrapped column. If there is less room, its text is printed below the row. */
const NARROWEST = 16;
const BELOW = '    ';

/**
 * A table with `gap` between columns. If it is wider than `width`, first titles are wrapped, then columns with `flows`: the widest first.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width = WIDTH, gap = '  '): string {
  const widths = columns.map((c, i) => Math.max(c.title.length, ...rows.map((row) => visible(row[i] ?? ''))));
  const room = { width, gap: gap.length };
  wrapTitles(columns, rows, widths, room);
  const below = fit(columns, widths, room);
  const beside = columns.map((_, i) => i).filter((i) => !below.includes(i));
  const line = (cells: readonly string[]): string => {
    const parts = cells.map((cell, i) => (visible(cell) > widths[i]! ? broken(cell, widths[i]!) : [cell]));
    const height = Math.max(...beside.map((i) => parts[i]?.length ?? 0));
    return Array.from({ length: height }, (_, k) => beside.map((i) => padded(parts[i]?.[k] ?? '', widths[i]!, columns[i]!)).join(gap))
      .map((text) => `${text.trimEnd()}\n`)
      .join('');
  };
  const lowered = (cells: readonly string[]): string => {
    const texts = below
      .filter((i) => (cells[i] ?? '') !== '')
      .map((i) => (columns[i]!.title === '' ? cells[i]! : `${columns[i]!.title}: ${cells[i]!}`));
    if (texts.length === 0) return '';
    return broken(texts.join('; '), width - BELOW.length)
      .map((one) => `${BELOW}${one}\n`)
      .join('');
  };
  const head = beside.some((i) => columns[i]!.title !== '') ? line(columns.map((c) => c.title)) : '';
  return head + rows.map((row) => line(columns.map((_, i) => row[i] ?? '')) + lowered(row)).join('');
}

/** What a table may take, and what stands between two columns. */
interface Room {
  readonly width: number;
  readonly gap: number;
}

/** Narrows columns to their cells and the longest word of their title until the table fits: those first that need the fewest lines for it. */
function wrapTitles(columns: readonly Column[], rows: readonly (readonly string[])[], widths: number[], room: Room): void {
  const narrow = columns.map(({ title }, i) => Math.max(...[...title.split(' '), ...rows.map((row) => row[i] ?? '')].map(visible)));
  const lines = columns.map(({ title }, i) => wrap(title, narrow[i]!).length);
  const order = columns.map((_, i) => i).sort((a, b) => lines[a]! - lines[b]! || widths[b]! - narrow[b]! - (widths[a]! - narrow[a]!));
  for (const i of order) if (totalOf(widths, room) > room.width) widths[i] = narrow[i]!;
}

const totalOf = (widths: readonly number[], { gap }: Room): number => widths.reduce((sum, one) => sum + one + gap, -gap);

/** Narrows the wrapped columns until the table fits. Gives the columns that must be printed below the row. */
function fit(columns: readonly Column[], widths: number[], room: Room): readonly number[] {
  const below: number[] = [];
  for (;;) {
    const beside = columns.map((_, i) => i).filter((i) => !below.includes(i));
    const total = totalOf(
      beside.map((i) => widths[i]!),
      room,
    );
    const [widest] = beside.filter((i) => columns[i]!.flows === true).sort((a, b) => widths[b]! - widths[a]!);
    if (total <= room.width || widest === undefined) return below;
    const left = widths[widest]! - (total - room.width);
    if (left >= NARROWEST) {
      widths[widest] = left;
      return below;
    }
    below.push(widest);
  }
}

function padded(cell: string, width: number, { align }: Column): string {
  const fill = ' '.repeat(Math.max(0, width - visible(cell)));
  return align === 'right' ? fill + cell : cell + fill;
}

/** Breaks text into lines of at most `width`; a longer word is cut, after one of -/_.: if there is one in the second half of the line. */
function broken(text: string, width: number): string[] {
  return wrap(text, width).flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (rest.length > width) {
      const cut = 1 + Math.max(...['-', '/', '_', '.', ':'].map((sign) => rest.lastIndexOf(sign, width - 1)));
      const end = cut > width / 2 ? cut : width;
      lines.push(rest.slice(0, end));
      rest = rest.slice(end);
    }
    return [...lines, rest];
  });
}

function visible(text: string): number {
  return stripVTControlCharacters(text).length;
}
