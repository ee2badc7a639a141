/** The context of a command (streams, environment, exit code) and checks that several commands share. */
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { suggest } from '../../base/text/suggest.ts';
import { DEFAULTS, defaultConfig, type Settings } from '../../config/defaults.ts';
import { isConfigured } from '../../config/environment.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import { READY_MADE_RISK, readyMadeFile } from '../../config/ready-made.ts';
import { isReadyMade } from '../../domain/ready-made.ts';
import type { Io } from '../../run/setup/options.ts';

export interface CliContext {
  readonly io: Io;
  readonly env: Record<string, string | undefined>;
  /** Sets the exit code of a command that ended without an error. */
  exit(code: number): void;
}

/** Flags that choose what to trade with. */
export interface ChoiceFlags {
  readonly strategy?: readonly string[];
  readonly param?: Readonly<Record<string, string>>;
  readonly symbol?: readonly string[];
}

/** Flags that select a configuration. */
export interface ConfigFlags {
  readonly config?: string;
  readonly set?: readonly string[];
}

/** A configuration, its settings as they are written, and which of its keys a file of the user, a variable or a flag sets. */
export interface StatedConfig {
  readonly config: BotConfig;
  readonly settings: Settings;
  readonly isStated: (key: string) => boolean;
}

/** The configuration of a command. Loads the schema only if a file, a variable or a flag sets a key. */
export async function configOf(flags: ConfigFlags, context: CliContext): Promise<BotConfig> {
  return (await statedConfigOf(flags, context)).config;
}

/** The configuration of a command that sends nothing to the venue: its file of credentials is not read, and may be missing. */
export async function keylessConfigOf(flags: ConfigFlags, context: CliContext): Promise<BotConfig> {
  return (await statedConfigOf(flags, context, { sendsNothing: true })).config;
}

/**
 * The same as `configOf`, and which keys somebody chose: those that are not defaults. Without `--config` the file `packaged` is read, whose
 * values are defaults as well. `sendsNothing`: the file of credentials is not read.
 */
export async function statedConfigOf(
  flags: ConfigFlags,
  context: CliContext,
  { packaged = null, sendsNothing = false }: { readonly packaged?: string | null; readonly sendsNothing?: boolean } = {},
): Promise<StatedConfig> {
  const file = flags.config ?? packaged;
  if (file === null && (flags.set ?? []).length === 0 && !isConfigured(context.env)) {
    return { config: defaultConfig(), settings: DEFAULTS, isStated: () => false };
  }
  const { loadConfig } = await import('../../config/load.ts');
  const { config, settings, sources } = loadConfig({ file, env: context.env, set: flags.set ?? [], sendsNothing });
  const isDefault = (source: string): boolean =>
    source === 'default' || (flags.config === undefined && packaged !== null && source.startsWith(`${packaged}:`));
  return { config, settings, isStated: (key) => !isDefault(sources.get(key) ?? '') };
}

/** The strategies that the flags name, else those of the configuration. `--param` and `--symbol` change them. */
export function strategiesOf(flags: ChoiceFlags, config: BotConfig): readonly StrategyChoice[] {
  const files = flags.strategy ?? [];
  const given = files.map((word) => ({ ...strategyOf(word), params: {}, symbols: [] }));
  const chosen: readonly StrategyChoice[] = given.length > 0 ? given : config.strategies;
  if (chosen.length === 0) {
    throw new Failure('strategy-missing', {
      what: 'no strategy was named',
      hint: 'for example --strategy strategies/ema-cross.ts, or strategies in a configuration file',
    });
  }
  const params = flags.param ?? {};
  if (Object.keys(params).length > 0 && chosen.length > 1) {
    throw new Failure('flag-conflict', {
      what: `expected one strategy with --param, found ${chosen.length}`,
      hint: 'state the parameters of several strategies in a configuration file',
    });
  }
  return chosen.map(({ universe, ...choice }) => ({
    ...choice,
    params: { ...choice.params, ...params },
    symbols: flags.symbol ?? choice.symbols,
    ...(universe === undefined || flags.symbol !== undefined ? {} : { universe }),
  }));
}

/** A strategy that is named alone trades the symbols that the strategies of the configuration name, if they name any: never more than these. */
export function withNamedSymbols<T extends ChoiceFlags>(flags: T, { strategies }: BotConfig): T {
  const named = [...new Set(strategies.flatMap((one) => one.symbols))];
  return flags.strategy === undefined || flags.symbol !== undefined || named.length === 0 ? flags : { ...flags, symbol: named };
}

/** A file, or a strategy of the package by its name, with its limits. A file of that name comes first. */
function strategyOf(word: string): Pick<StrategyChoice, 'file' | 'risk'> {
  if (isReadyMade(word) && !existsSync(word)) return { file: readyMadeFile(word), risk: READY_MADE_RISK };
  return { file: requireFile(word, '--strategy') };
}

/** Runs `work`. An error about a parameter or symbol names the flag, or file and line, that set it. */
export async function withParams<T>(flags: Pick<ChoiceFlags, 'param' | 'symbol'> & ConfigFlags, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.name === 'SymbolError' && flags.symbol !== undefined) {
      const problems = error.problems.map((problem) => ({ ...problem, where: '--symbol' }));
      throw new Failure('symbol-flag', problems, { cause: error });
    }
    if (!isParamError(error)) throw error;
    // An error thrown by a strategy's own check names no parameter.
    const isFlag = flags.param !== undefined && (error.param === '' || Object.hasOwn(flags.param, error.param));
    const where = isFlag ? '--param' : flags.config === undefined ? undefined : await placeOf(flags.config, error);
    throw new Failure(isFlag ? 'parameter-flag' : 'parameter-value', { what: error.message, where }, { cause: error });
  }
}

async function placeOf(file: string, { param, message }: { readonly param: string; readonly message: string }): Promise<string> {
  return (await import('../../config/files/param-place.ts')).paramPlace(file, param, message);
}

/** Compares the name, so that a help text does not load the engine. */
function isParamError(error: unknown): error is Error & { readonly param: string } {
  return error instanceof Error && error.name === 'ParamError' && 'param' in error;
}

/** The absolute path of a file that a flag names. @throws Failure (usage) if it does not exist */
export function requireFile(path: string, flag: string): string {
  if (!existsSync(path)) throw new Failure('path-missing', { what: `there is no file ${path}`, where: flag, hint: nearFile(path) });
  if (!statSync(path).isFile()) throw new Failure('path-missing', { what: `expected a file, found a folder: ${path}`, where: flag });
  return resolve(path);
}

/** A hint for a file that is not there: one of a similar name beside it. */
function nearFile(path: string): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return undefined;
  const near = suggest(basename(path), readdirSync(folder));
  return near === null ? undefined : `did you mean "${join(folder, near)}"?`;
}

/** The absolute path of a folder that a flag names; it need not exist. @throws Failure (usage) if it is a file, or cannot be made */
export function folderToBe(path: string, flag: string): string {
  const folder = resolve(path);
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  if (!statSync(there).isDirectory()) {
    throw new Failure('path-missing', { what: `expected a folder, found a file: ${there === folder ? path : there}`, where: flag });
  }
  // Nothing can be made there, and mkdirSync of Node with `recursive` never returns.
  if (there !== folder && statfsSync(there).type === PROC) {
    throw new Failure('path-missing', {
      what: `expected a folder that can be made, found one in ${there}, where no folder can be made`,
      where: flag,
    });
  }
  return folder;
}

/** The type of the file system of processes, /proc on Linux. */
const PROC = 0x9fa0;

/** The absolute path of a tape's folder. @throws Failure (usage) */
export function requireTape(path: string, where = '--tape'): string {
  if (existsSync(path) && statSync(path).isDirectory()) return resolve(path);
  throw new Failure('path-missing', {
    what: existsSync(path) ? `expected the folder of a tape, found a file: ${path}` : `there is no tape ${path}`,
    where,
    hint: existsSync(`${path.replace(/[\\/]+$/, '')}.fetch`)
      ? 'its download has not ended: the same tickwright tape fetch goes on from there'
      : 'make one with: tickwright tape fetch, or tickwright tape import FILES… --out FOLDER',
  });
}
