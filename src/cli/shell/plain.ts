/**
 * Options as data, and a fast reader for correct command lines. Commander reads all others and prints the help. Loading it takes half as
 * long as a short backtest.
 */

/** Options under one heading of the help. */
export interface OptionGroup {
  readonly title: string;
  readonly options: readonly OptionSpec[];
}

export interface OptionSpec {
  /** In commander's notation: "-t, --tape <folder>", or "--json" for an option without a value. */
  readonly flags: string;
  readonly description: string;
  /** Parses the text. `so` is the value so far of a repeatable option. Throws if the text is wrong. */
  readonly parse?: (text: string, so: never) => unknown;
  readonly fallback?: unknown;
  /** The default in words. */
  readonly usual?: string;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Parses `args`, the words after the command, into values by name ("--bot-from" is botFrom), as commander would. Null if a word is not a
 * plain option or a value is wrong; the caller then uses commander.
 */
export function readPlainly(args: readonly string[], groups: readonly OptionGroup[]): Values | null {
  const options = groups.flatMap((group) => group.options);
  const values: Record<string, unknown> = {};
  for (const option of options) {
    if (option.fallback !== undefined) values[nameOf(option)] = option.fallback;
    if (isNegation(option)) values[nameOf(option)] = true;
  }
  for (let k = 0; k < args.length; k++) {
    const [word, joined] = splitAtEquals(args[k] ?? '');
    const option = options.find(({ flags }) => spellings(flags).includes(word));
    if (option === undefined) return null;
    const name = nameOf(option);
    if (!option.flags.endsWith('>')) {
      if (joined !== undefined) return null;
      values[name] = !isNegation(option);
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

/** "--seed=1" → --seed, 1. The value of a short option is the next word. */
function splitAtEquals(word: string): readonly [string, string?] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

/** "-t, --tape <folder>" → -t and --tape. */
function spellings(flags: string): readonly string[] {
  return flags.replace(/ <.*/, '').split(', ');
}

/** "--no-bracket" is the option `bracket`, true without the flag. */
function isNegation({ flags }: OptionSpec): boolean {
  return flags.startsWith('--no-');
}

function nameOf({ flags }: OptionSpec): string {
  const long = spellings(flags).at(-1) ?? '';
  return long.replace(/^--(no-)?/, '').replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
