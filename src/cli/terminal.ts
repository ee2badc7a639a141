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
  /** Where the table is too wide, its text goes on in further lines, or stands below the row. */
  readonly flows?: true;
}

/** A flowing column is not made narrower than this: its text stands below the row instead. */
const NARROWEST = 16;
const BELOW = '    ';

/** Lines with the columns side by side, two blanks between, without trailing blanks. Flowing columns give way to keep within `width`. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width = Infinity): string {
  const widths = columns.map((c, i) => Math.max(c.title.length, ...rows.map((row) => visible(row[i] ?? ''))));
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
    const texts = below.filter((i) => (cells[i] ?? '') !== '').map((i) => `${columns[i]!.title}: ${cells[i]!}`);
    return texts
      .map((text) =>
        broken(text, width - BELOW.length)
          .map((one) => `${BELOW}${one}\n`)
          .join(''),
      )
      .join('');
  };
  const head = columns.some((c) => c.title !== '') ? line(columns.map((c) => c.title)) : '';
  return head + rows.map((row) => line(columns.map((_, i) => row[i] ?? '')) + lowered(row)).join('');
}

/** Makes flowing columns narrower until the table fits. The columns that have no room beside the others, and stand below. */
function fit(columns: readonly Column[], widths: number[], width: number): readonly number[] {
  const below: number[] = [];
  for (;;) {
    const beside = columns.map((_, i) => i).filter((i) => !below.includes(i));
    const total = beside.reduce((sum, i) => sum + widths[i]! + 2, -2);
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

/** Text in lines of at most `width`; a word that is longer is cut. */
function broken(text: string, width: number): string[] {
  return wrapped(text, width)
    .split('\n')
    .flatMap((line) =>
      Array.from({ length: Math.max(1, Math.ceil(line.length / width)) }, (_, k) => line.slice(k * width, (k + 1) * width)),
    );
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
