/**
 * The type of what a shell can complete of each command: the words below it, its flags, and what follows a flag. Made of the table of
 * commands.
 */
import type { ArgumentRow, CommandRow, OptionRow } from '../shell/command-row.ts';

/** What stands after a flag, or as an argument: nothing, one of these words, a path, or text that no shell can guess. */
export type Value = { readonly kind: 'none' | 'file' | 'folder' | 'text' } | { readonly kind: 'words'; readonly words: readonly string[] };

export interface CompletedFlag {
  /** "-t" and "--tape", or the long one alone. */
  readonly words: readonly string[];
  readonly description: string;
  readonly value: Value;
  /** What the value is called: "folder". */
  readonly valueName: string;
}

export interface CompletedCommand {
  /** "backtest", "tape import". */
  readonly name: string;
  /** The last word of it. */
  readonly word: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Its first argument. */
  readonly argument: Value;
}

const HELP: CompletedFlag = { words: ['-h', '--help'], description: 'show this help', value: { kind: 'none' }, valueName: '' };

/** Names of values that are paths. */
const FILES: ReadonlySet<string> = new Set(['file', 'files', 'old', 'new', 'first', 'second']);
const FOLDERS: ReadonlySet<string> = new Set(['folder', 'folders', 'session']);

/** All commands of the table, and `help`. */
export function completedCommands(rows: readonly CommandRow[]): CompletedCommand[] {
  const commands = rows.map(completedCommand);
  const words = wordsBelow(commands).tops.map(({ name }) => name);
  return [
    ...commands,
    { name: 'help', word: 'help', summary: 'show the help of a command', flags: [], argument: { kind: 'words', words } },
  ];
}

function completedCommand({ name, summary, options = [], args = [] }: CommandRow): CompletedCommand {
  return {
    name,
    word: name.split(' ').at(-1)!,
    summary,
    flags: [...options.flatMap((group) => group.options).map(completedFlag), HELP],
    argument: args[0] === undefined ? { kind: 'none' } : valueOf(args[0].name, args[0]),
  };
}

function completedFlag(row: OptionRow): CompletedFlag {
  const words = row.flags.match(/--?[a-z][\w-]*/gu) ?? [];
  const valueName = /[<[](.*?)(?:\.\.\.)?[>\]]/u.exec(row.flags)?.[1] ?? '';
  return { words, description: row.description, value: valueOf(valueName, row), valueName };
}

function valueOf(name: string, { choices }: Pick<OptionRow | ArgumentRow, 'choices'>): Value {
  if (choices !== undefined) return { kind: 'words', words: choices };
  const word = name.replace(/[<>[\].]/gu, '');
  if (word === '') return { kind: 'none' };
  return { kind: FILES.has(word) ? 'file' : FOLDERS.has(word) ? 'folder' : 'text' };
}

/** The commands of one word, and the second words of those that have commands below them. */
export function wordsBelow(commands: readonly CompletedCommand[]): { tops: CompletedCommand[]; below: Map<string, CompletedCommand[]> } {
  const tops = commands.filter(({ name }) => !name.includes(' '));
  const below = Map.groupBy(
    commands.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0]!,
  );
  return { tops, below };
}
