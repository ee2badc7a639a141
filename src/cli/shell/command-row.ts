/** The shape of a command in the table of commands (src/cli/table). Commander, help texts and pages of docs are made of such rows. */
import type { ExitName } from '../../base/failure/exit-codes.ts';
import type { CliContext } from './cli-context.ts';

export interface OptionRow {
  /** In commander's notation: "-t, --tape <folder>", or "--json" for an option without a value. */
  readonly flags: string;
  readonly description: string;
  /** The type: makes a value of the text. `so` is the value so far of a repeatable option. Without it the value is the text. */
  readonly parse?: (text: string, so: never) => unknown;
  readonly choices?: readonly string[];
  readonly fallback?: string | number;
  /** The default in words, if it comes from elsewhere or is not shown as it is. */
  readonly usual?: string;
  /** The command refuses to run without it. */
  readonly isNeeded?: true;
  /** Name of an option beside which it is not needed. */
  readonly unless?: string;
  /** Names of options that cannot be given beside it: "marketUrl" is --market-url. */
  readonly conflicts?: readonly string[];
}

/** Options under one heading of the help. */
export interface OptionGroup {
  readonly title: string;
  readonly options: readonly OptionRow[];
}

export interface ArgumentRow {
  /** "<folder>", "[file]" if it may be left out, "<files...>" for one or more. */
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly fallback?: string;
}

export type Row = readonly [term: string, meaning: string];

export interface HelpParts {
  /** A command line, and what it is for. */
  readonly examples: readonly (readonly [line: string, what?: string])[];
  /** Paragraphs. What is expensive to load is a function. */
  readonly notes?: readonly (string | (() => Promise<string>))[];
  readonly variables?: readonly Row[];
  /** What it reads and keeps on disk. */
  readonly files?: readonly Row[];
  /** Exit codes by name, with what they mean here; "" for the usual meaning. */
  readonly exits?: Readonly<Partial<Record<ExitName, string>>>;
}

/** Flags are the options by name: "--bot-from" is botFrom, "--no-bracket" sets bracket to false. Words are the arguments in their order. */
export type RunCommand = (flags: never, context: CliContext, ...words: never[]) => void | Promise<void>;

export interface CommandRow extends HelpParts {
  /** Its words: "backtest", "tape import". */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly description: string;
  /** The usage line, if commander's own is not right. */
  readonly usage?: string;
  readonly args?: readonly ArgumentRow[];
  readonly options?: readonly OptionGroup[];
  /** It makes files of a bot's state: what it writes is readable by this user only, whatever the umask of its shell. */
  readonly isPrivate?: true;
  /** Loads what runs it. Absent for a word that only has commands below it. */
  readonly run?: () => Promise<RunCommand>;
}
