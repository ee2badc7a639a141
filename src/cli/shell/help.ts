/** Layout of every help text: options in groups with choices and defaults, then examples, notes, variables, files and exit codes. */
import { Option, type Command, type HelpConfiguration } from 'commander';
import { EXIT_CODES, type ExitName } from '../../base/exit-codes.ts';
import { wrap } from '../../base/wrap.ts';
import type { OptionGroup } from './plain.ts';

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

/** An option whose default is described in words, because it comes from elsewhere (the configuration). */
export function optionFrom<T>(flags: string, description: string, usual: string, parse?: (text: string, so: T) => T): Option {
  const option = new Option(flags, description).default(undefined, usual);
  return parse === undefined ? option : option.argParser(parse);
}

/** Adds all options of the groups to `command`, each under its heading. */
export function addOptions(command: Command, groups: readonly OptionGroup[]): Command {
  for (const { title, options } of groups) {
    command.optionsGroup(title);
    for (const { flags, description, parse, fallback, usual } of options) {
      const option = new Option(flags, description).default(fallback, usual);
      command.addOption(parse === undefined ? option : option.argParser(parse as (text: string, so: unknown) => unknown));
    }
  }
  return command;
}

/** The help option under a heading of its own, for commands whose options have headings. */
export function withOtherHelp(command: Command): Command {
  return command.addHelpOption(new Option('-h, --help', 'show this help').helpGroup('Other:'));
}

export type Row = readonly [term: string, meaning: string];

export interface HelpParts {
  /** A command line, and what it is for. */
  readonly examples: readonly (readonly [line: string, what?: string])[];
  /** Paragraphs. */
  readonly notes?: readonly string[];
  readonly variables?: readonly Row[];
  /** What it reads and keeps on disk. */
  readonly files?: readonly Row[];
  readonly exits?: readonly Row[];
}

/** The exit codes, each a row of its table. */
export const EXITS = Object.fromEntries(
  Object.entries(EXIT_CODES).map(([name, { code, meaning }]): [string, Row] => [name, [String(code), meaning]]),
) as Readonly<Record<ExitName, Row>>;

export const CREDENTIALS: Row = [
  'TICKWRIGHT_KEY',
  'with TICKWRIGHT_SECRET and TICKWRIGHT_PASSPHRASE: the credentials of the venue. Or a file of mode 0600 that the configuration names. There is no flag for them',
];
export const ANY_KEY: Row = ['TICKWRIGHT_…', 'any key of the configuration; `tickwright config --keys` lists their names'];

/** The help below the options, for `addHelpText('after', …)`. It is laid out for the terminal when it is printed. */
export function helpText(parts: HelpParts): (context: { readonly command: Command }) => string {
  return ({ command }) => render(parts, command.configureOutput().getOutHelpWidth?.() ?? 80);
}

function render(parts: HelpParts, width: number): string {
  const title = (text: string): string => `\u001b[1m${text}\u001b[22m`;
  const isBeside = parts.examples.every(([line, what]) => what === undefined || isBesideIn(width, line, what));
  const sections = [`${title('Examples:')}\n${parts.examples.map((one) => example(one, isBeside, width)).join('\n')}`];
  for (const note of parts.notes ?? []) sections.push(wrap(note, width).join('\n'));
  for (const [heading, rows] of [
    ['Variables:', parts.variables],
    ['On disk:', parts.files],
    ['Exit codes:', parts.exits],
  ] as const) {
    if (rows !== undefined) sections.push(`${title(heading)}\n${rows.map((row) => item(row, width, columnOf(rows))).join('\n')}`);
  }
  return `\n${sections.join('\n\n')}`;
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
