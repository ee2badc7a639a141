/**
 * Options as data, and the reading of a command line that is plainly right. Commander knows all about command lines that are not,
 * and prints the help, but to load it and to tell it the options takes as long as half of what a short backtest computes.
 */

/** Options under one heading of the help. */
export interface OptionGroup {
  readonly title: string;
  readonly options: readonly OptionSpec[];
}

export interface OptionSpec {
  /** As commander reads it: "-t, --tape <folder>", or "--json" for one without a value. */
  readonly flags: string;
  readonly description: string;
  /** Makes the value of the text; `so` is what the option had before, for one that may be repeated. It throws for a wrong text. */
  readonly parse?: (text: string, so: never) => unknown;
  readonly fallback?: unknown;
  /** Where the value comes from by default, in words. */
  readonly usual?: string;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * What commander would make of `args`, the words after the command's own: by name, "--bot-from" as botFrom. Null where a word is not a
 * plain option or value, or a value is wrong: then commander has the word.
 */
export function readPlainly(args: readonly string[], groups: readonly OptionGroup[]): Values | null {
  const options = groups.flatMap((group) => group.options);
  const values: Record<string, unknown> = {};
  for (const option of options) if (option.fallback !== undefined) values[nameOf(option)] = option.fallback;
  for (let k = 0; k < args.length; k++) {
    const [word, joined] = splitAtEquals(args[k] ?? '');
    const option = options.find(({ flags }) => spellings(flags).includes(word));
    if (option === undefined) return null;
    const name = nameOf(option);
    if (!option.flags.endsWith('>')) {
      if (joined !== undefined) return null;
      values[name] = true;
      continue;
    }
    const text = joined ?? args[++k] ?? '';
    if (text === '' || text.startsWith('-')) return null;
    try {
      values[name] = option.parse === undefined ? text : option.parse(text, values[name] as never);
    } catch {
      return null;
    }
  }
  return values;
}

/** "--seed=1" → --seed, 1. A short option has its value beside it. */
function splitAtEquals(word: string): readonly [string, string?] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

/** "-t, --tape <folder>" → -t and --tape. */
function spellings(flags: string): readonly string[] {
  return flags.replace(/ <.*/, '').split(', ');
}

function nameOf({ flags }: OptionSpec): string {
  const long = spellings(flags).at(-1) ?? '';
  return long.slice(2).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
