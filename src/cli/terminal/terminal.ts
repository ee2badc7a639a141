/** Text for terminals: colours (none with NO_COLOR), and removal of control characters. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { dotHiddenInLines } from '../../base/hidden.ts';
import { folded, wrap } from '../../base/text/wrap.ts';
import { WIDTH } from '../../report/document/text-table.ts';
import type { Output } from '../../run/setup/options.ts';

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

/**
 * A sentence without control characters, in lines that fit: the first begins with `first`, the others with `next`, by default two blanks more.
 * It gets its colour afterwards.
 */
export function sentence(text: string, width: number, first = '', next = `${first}  `): string {
  return wrap(safeText(text), Math.max(40, width), first, next).join('\n');
}

/** Columns of an output; those of a pipe are not known. */
export function widthOf({ columns }: { readonly columns?: number | undefined }): number {
  return columns ?? WIDTH;
}

/** The same output; a terminal that does not know its size says 0 and gets the usual one. */
export function sized(output: Output): Output {
  return {
    write: (text) => output.write(text),
    get columns() {
      return output.columns === 0 ? WIDTH : output.columns;
    },
  };
}

/** The text for this output: long lines are broken for a terminal, and stay whole in a pipe. */
export function fitted(text: string, { columns }: { readonly columns?: number | undefined }): string {
  return columns === undefined ? text : folded(text, Math.max(40, columns));
}

/** An output of sentences: errors, notes, warnings. Long lines are broken if it is a terminal, but not those that move the cursor. */
export function fitting(output: Output): Output {
  const fits = sized(output);
  return {
    write: (text) => output.write(text.includes('\r') ? text : fitted(text, fits)),
    get columns() {
      return fits.columns;
    },
  };
}

/** A size in bytes as text: "12.3 MB". */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const power = Math.min(4, Math.floor(Math.log10(count) / 3));
  return `${(count / 1000 ** power).toFixed(1)} ${['B', 'kB', 'MB', 'GB', 'TB'][power] ?? 'B'}`;
}

/** What an import found out about its data: a line for each finding; nothing if there is no finding. */
export function findingsText(findings: readonly string[]): string {
  return findings.length === 0 ? '' : `\nData quality\n${findings.map((one) => `  - ${safeText(one)}\n`).join('')}`;
}
