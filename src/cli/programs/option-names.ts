/** Options of functions as flags of the commands, and back in errors. */
import { defined } from '../../base/defined.ts';
import { Failure, type Problem } from '../../base/failure/failure.ts';

/** Names of options that differ from those of the flags. */
const OPTIONS: Readonly<Record<string, string>> = {
  param: 'params',
  symbol: 'symbols',
  constraint: 'constraints',
  purge: 'purgeMs',
  past: 'pastMs',
};

/** A problem that a flag caused names the option. */
function asOption({ where, ...problem }: Problem): Problem {
  const flag = /^--([a-z-]+)$/.exec(where ?? '')?.[1];
  if (flag === undefined) return where === undefined ? problem : { ...problem, where };
  const camel = flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { ...problem, where: `option ${OPTIONS[camel] ?? camel}` };
}

/** The failure with the names of options. */
export function asOptions(error: Failure): Failure {
  return new Failure(error.failure, error.problems.map(asOption), { cause: error });
}

/** The flags that select a configuration. */
export function settingsOf({
  config,
  set,
}: {
  readonly config?: string | undefined;
  readonly set?: Readonly<Record<string, string | number | boolean>> | undefined;
}): { config?: string; set?: readonly string[] } {
  return defined({ config, set: set && Object.entries(set).map(([key, value]) => `${key}=${String(value)}`) });
}
