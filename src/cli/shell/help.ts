/** Layout of every help text: options in groups with choices and defaults, then examples, notes, variables, files and exit codes. */
import type { Command, HelpConfiguration, Option } from 'commander';
import { EXIT_CODES, type ExitName } from '../../base/failure/exit-codes.ts';
import { wrap } from '../../base/text/wrap.ts';
import type { HelpParts, Row } from './command-row.ts';

/** Widest help text, in columns: longer lines are hard to read, even if the terminal has room. */
const WIDEST = 120;
const NARROWEST = 80;

/** Width of a help text: that of the terminal or of COLUMNS; 80 without both. */
export function helpWidth(columns: number | undefined, env: Readonly<Record<string, string | undefined>>): number {
  const asked = columns ?? Number(env['COLUMNS'] ?? '80');
  return Number.isFinite(asked) ? Math.min(WIDEST, Math.max(NARROWEST, asked)) : 80;
}

export const HELP: HelpConfiguration = {
  sortOptions: false,
  showGlobalOptions: false,
  optionDescription: describe,
  subcommandTerm: (command) => command.name(),
  styleTitle: (text) => `\u001b[1m${text}\u001b[22m`,
};

/** "how long it lasts (default: 1h)", "who may look (here, everyone or nobody; default: here)". */
function describe(option: Option): string {
  const said: string[] = [];
  const { argChoices: choices, defaultValue, defaultValueDescription } = option;
  if (choices !== undefined) said.push(`${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
  const usual = defaultValueDescription ?? (defaultValue === undefined ? undefined : String(defaultValue));
  if (usual !== undefined) said.push(`default: ${usual}`);
  return said.length === 0 ? option.description : `${option.description} (${said.join('; ')})`;
}

/** The notes of a help text, with those that are loaded for it. */
export async function notesOf({ notes = [] }: HelpParts): Promise<readonly string[]> {
  return Promise.all(notes.map(async (note) => (typeof note === 'string' ? note : note())));
}

/** The help below the options, for `addHelpText('after', …)`; `notes` are those of the parts. It is laid out for the terminal when it is printed. */
export function helpText(parts: HelpParts, notes: readonly string[]): (context: { readonly command: Command }) => string {
  return ({ command }) => render(parts, notes, command.configureOutput().getOutHelpWidth?.() ?? 80);
}

function render(parts: HelpParts, notes: readonly string[], width: number): string {
  const title = (text: string): string => `\u001b[1m${text}\u001b[22m`;
  const isBeside = parts.examples.every(([line, what]) => what === undefined || isBesideIn(width, line, what));
  const sections = [`${title('Examples:')}\n${parts.examples.map((one) => example(one, isBeside, width)).join('\n')}`];
  for (const note of notes) sections.push(wrap(note, width).join('\n'));
  for (const [heading, rows] of [
    ['Variables:', parts.variables],
    ['On disk:', parts.files],
    ['Exit codes:', parts.exits === undefined ? undefined : exitRows(parts.exits)],
  ] as const) {
    if (rows !== undefined) sections.push(`${title(heading)}\n${rows.map((row) => item(row, width, columnOf(rows))).join('\n')}`);
  }
  return `\n${sections.join('\n\n')}`;
}

function exitRows(exits: NonNullable<HelpParts['exits']>): readonly Row[] {
  return Object.entries(exits).map(([name, meaning]): Row => {
    const { code, meaning: usual } = EXIT_CODES[name as ExitName];
    return [String(code), meaning === '' ? usual : meaning];
  });
}

/** Width of the command lines where their purposes stand beside them. */
const LINE = 48;

function isBesideIn(width: number, line: string, what: string): boolean {
  return line.length <= LINE && 2 + LINE + 2 + what.length <= width;
}

/** An example. The purposes stand beside the command lines, or above them if there is no room for one. */
function example([line, what]: readonly [string, string?], isBeside: boolean, width: number): string {
  if (what === undefined) return broken(line, width);
  return isBeside ? `  ${line.padEnd(LINE)}  ${what}` : `  # ${what}\n${broken(line, width)}`;
}

/** Breaks a command line so that it can be copied: each line but the last ends in a backslash. */
function broken(line: string, width: number): string {
  const lines: string[] = [];
  let rest = `  ${line}`;
  while (rest.length > width) {
    const at = Math.max(rest.lastIndexOf(' --', width - 2), rest.lastIndexOf(' > ', width - 2));
    if (at <= 6) break;
    lines.push(`${rest.slice(0, at)} \\`);
    rest = `      ${rest.slice(at + 1)}`;
  }
  return [...lines, rest].join('\n');
}

function columnOf(rows: readonly Row[]): number {
  return Math.min(24, Math.max(...rows.map(([term]) => term.length)));
}

function item([term, meaning]: Row, width: number, column: number): string {
  const lines = wrap(meaning, width - column - 4);
  const indent = ' '.repeat(column + 4);
  if (term.length > column) return [`  ${term}`, ...lines.map((line) => indent + line)].join('\n');
  return lines.map((line, k) => (k === 0 ? `  ${term.padEnd(column)}  ${line}` : indent + line)).join('\n');
}
