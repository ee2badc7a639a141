/** Text for terminals: tables, colours (none with NO_COLOR), and removal of control characters. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { dotHiddenInLines } from '../../base/hidden.ts';
import { wrap } from '../../base/wrap.ts';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';
export type Paint = (colour: Colour, text: string) => string;

/** Adds colours if the stream is a terminal and NO_COLOR is not set. */
export function painter(isTty: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  return isTty && wantsColours(env) ? (colour, text) => styleText(colour, text, { validateStream: false }) : (_, text) => text;
}

/** True if the environment allows colours on a terminal. */
export function wantsColours(env: Readonly<Record<string, string | undefined>>): boolean {
  const noColour = env['NO_COLOR'];
  return (noColour === undefined || noColour === '') && env['TERM'] !== 'dumb';
}

/** Removes control characters from text of a file, venue or strategy, so that it cannot rewrite the screen. */
export function safeText(text: string): string {
  return dotHiddenInLines(stripVTControlCharacters(text));
}

export interface Column {
  readonly title: string;
  /** Default left; right for numbers. */
  readonly align?: 'left' | 'right';
  /** If the table is too wide, the text is wrapped, or printed below the row. */
  readonly flows?: true;
}

/** Columns of a terminal whose size is not known, and of output into a pipe. */
export const WIDTH = 80;

/** Columns of an output. A terminal that does not know its size says 0. */
export function widthOf({ columns }: { readonly columns?: number | undefined }): number {
  return columns === undefined || columns <= 0 ? WIDTH : columns;
}
/** Smallest width of a wrapped column. If there is less room, its text is printed below the row. */
const NARROWEST = 16;
const BELOW = '    ';

/**
 * A table with two blanks between columns. If it is wider than `width`, first titles are wrapped, then columns with `flows`: the widest first.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width = WIDTH): string {
  const widths = columns.map((c, i) => Math.max(c.title.length, ...rows.map((row) => visible(row[i] ?? ''))));
  wrapTitles(columns, rows, { widths, width });
  const below = fit(columns, widths, width);
  const beside = columns.map((_, i) => i).filter((i) => !below.includes(i));
  const line = (cells: readonly string[]): string => {
    const parts = cells.map((cell, i) => (visible(cell) > widths[i]! ? broken(cell, widths[i]!) : [cell]));
    const height = Math.max(...beside.map((i) => parts[i]?.length ?? 0));
    return Array.from({ length: height }, (_, k) => beside.map((i) => padded(parts[i]?.[k] ?? '', widths[i]!, columns[i]!)).join('  '))
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

/** Narrows columns to their cells and the longest word of their title until the table fits: those first that need the fewest lines for it. */
function wrapTitles(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { widths, width }: { readonly widths: number[]; readonly width: number },
): void {
  const narrow = columns.map(({ title }, i) => Math.max(...[...title.split(' '), ...rows.map((row) => row[i] ?? '')].map(visible)));
  const lines = columns.map(({ title }, i) => wrap(title, narrow[i]!).length);
  const order = columns.map((_, i) => i).sort((a, b) => lines[a]! - lines[b]! || widths[b]! - narrow[b]! - (widths[a]! - narrow[a]!));
  for (const i of order) if (totalOf(widths) > width) widths[i] = narrow[i]!;
}

const totalOf = (widths: readonly number[]): number => widths.reduce((sum, one) => sum + one + 2, -2);

/** Narrows the wrapped columns until the table fits. Gives the columns that must be printed below the row. */
function fit(columns: readonly Column[], widths: number[], width: number): readonly number[] {
  const below: number[] = [];
  for (;;) {
    const beside = columns.map((_, i) => i).filter((i) => !below.includes(i));
    const total = totalOf(beside.map((i) => widths[i]!));
    const [widest] = beside.filter((i) => columns[i]!.flows === true).sort((a, b) => widths[b]! - widths[a]!);
    if (total <= width || widest === undefined) return below;
    const room = widths[widest]! - (total - width);
    if (room >= NARROWEST) {
      widths[widest] = room;
      return below;
    }
    below.push(widest);
  }
}

function padded(cell: string, width: number, { align }: Column): string {
  const fill = ' '.repeat(Math.max(0, width - visible(cell)));
  return align === 'right' ? fill + cell : cell + fill;
}

/** Breaks text into lines of at most `width`; a longer word is cut. */
function broken(text: string, width: number): string[] {
  return wrap(text, width).flatMap((line) =>
    Array.from({ length: Math.max(1, Math.ceil(line.length / width)) }, (_, k) => line.slice(k * width, (k + 1) * width)),
  );
}

/** A size in bytes as text: "12.3 MB". */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const power = Math.min(4, Math.floor(Math.log10(count) / 3));
  return `${(count / 1000 ** power).toFixed(1)} ${['B', 'kB', 'MB', 'GB', 'TB'][power] ?? 'B'}`;
}

function visible(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** What an import found out about its data: a line for each finding; nothing if there is no finding. */
export function findingsText(findings: readonly string[]): string {
  return findings.length === 0 ? '' : `\nData quality\n${findings.map((one) => `  - ${safeText(one)}\n`).join('')}`;
}
