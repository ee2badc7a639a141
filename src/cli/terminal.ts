/** Small means for text on a terminal: tables, colours that respect NO_COLOR, a sparkline, and text that cannot move the cursor. */
import { stripVTControlCharacters, styleText } from 'node:util';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';
export type Paint = (colour: Colour, text: string) => string;

/** Colours when the stream is a terminal and NO_COLOR is not set; otherwise text stays as it is. */
export function painter(isTty: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  return isTty && wantsColours(env) ? (colour, text) => styleText(colour, text, { validateStream: false }) : (_, text) => text;
}

/** What the environment says of colours, given a terminal. */
export function wantsColours(env: Readonly<Record<string, string | undefined>>): boolean {
  const noColour = env['NO_COLOR'];
  return (noColour === undefined || noColour === '') && env['TERM'] !== 'dumb';
}

/** Text from a file, a venue or a strategy without control characters, so that it cannot rewrite what stands on the screen. */
export function safeText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '·');
}

export interface Column {
  readonly title: string;
  /** Default left; numbers read best from the right. */
  readonly align?: 'left' | 'right';
}

/** Lines with the columns side by side, two blanks between, without trailing blanks. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((c, i) => Math.max(c.title.length, ...rows.map((row) => visible(row[i] ?? ''))));
  const line = (cells: readonly string[]): string => {
    const padded = columns.map((c, i) => {
      const cell = cells[i] ?? '';
      const fill = ' '.repeat(Math.max(0, (widths[i] ?? 0) - visible(cell)));
      return c.align === 'right' ? fill + cell : cell + fill;
    });
    return `${padded.join('  ').trimEnd()}\n`;
  };
  const head = columns.some((c) => c.title !== '') ? line(columns.map((c) => c.title)) : '';
  return head + rows.map(line).join('');
}

const BARS = '▁▂▃▄▅▆▇█';

/** The shape of a series in at most `width` characters; each shows the last value of its stretch. */
export function sparkline(values: readonly number[], width = 60): string {
  const shown =
    values.length <= width
      ? values
      : Array.from({ length: width }, (_, i) => values[Math.ceil(((i + 1) * values.length) / width) - 1] ?? 0);
  const finite = shown.filter(Number.isFinite);
  if (finite.length === 0) return '';
  const low = Math.min(...finite);
  const range = Math.max(...finite) - low;
  return shown
    .map((v) => (Number.isFinite(v) ? (BARS[range === 0 ? 3 : Math.round(((v - low) / range) * (BARS.length - 1))] ?? ' ') : ' '))
    .join('');
}

/** Bytes for people: "12.3 MB". */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const power = Math.min(4, Math.floor(Math.log10(count) / 3));
  return `${(count / 1000 ** power).toFixed(1)} ${['B', 'kB', 'MB', 'GB', 'TB'][power] ?? 'B'}`;
}

/** Text in lines of at most `width`, broken at blanks; a longer word has a line of its own. */
export function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

function visible(text: string): number {
  return stripVTControlCharacters(text).length;
}
