/** `optimize`: searches the parameters of a strategy on a tape. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { exitCode } from '../base/exit-codes.ts';
import { Failure } from '../base/failure.ts';
import { didYouMean } from '../base/suggest.ts';
import type { BotConfig, StrategyChoice } from '../config/model.ts';
import { FIGURE_DOCS, FIGURE_NAMES } from '../run/search/figures.ts';
import type { OptimizeOptions } from '../run/search/optimize.ts';
import { SAMPLERS, type SamplerName } from '../search/samplers/table.ts';
import { parseConstraint, type Constraint, type Objective } from '../search/trial.ts';
import { configOf, requireFlag, requireTape, strategiesOf, withParams, type CliContext, type ConfigFlags } from './context.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from './help.ts';
import type { OptionGroup } from './plain.ts';
import { spread, type SpreadModel } from './spread-flag.ts';
import { each, moment, pair, ValueError, wholeNumber } from './values.ts';

interface OptimizeFlags extends ConfigFlags {
  readonly tape?: string;
  readonly strategy?: string;
  readonly param?: Readonly<Record<string, string>>;
  readonly symbol?: readonly string[];
  readonly trials: number;
  readonly by: readonly Objective[];
  readonly sampler: SamplerName;
  readonly constraint?: readonly Constraint[];
  readonly prune?: true;
  readonly study?: string;
  readonly workers?: number;
  readonly seed?: number;
  readonly holdout: number;
  readonly everyTick?: true;
  readonly spread?: SpreadModel;
  readonly from?: number;
  readonly to?: number;
  readonly out?: string;
  readonly json?: true;
}

const SAMPLER_NAMES = Object.keys(SAMPLERS) as SamplerName[];

const OPTIONS: readonly OptionGroup[] = [
  {
    title: 'What:',
    options: [
      { flags: '-t, --tape <folder>', description: 'the tape (needed)' },
      { flags: '-s, --strategy <file>', description: 'the strategy file (needed, unless the configuration names one)' },
      {
        flags: '-p, --param <name=values>',
        description:
          'what a parameter may be: a range 5..50, with a step 5..50:5, spread by logarithms 1..1000:log, a list a,b, or one value; repeatable',
        usual: 'every parameter with bounds, within them',
        parse: pair,
      },
      { flags: '--symbol <symbol>', description: 'a symbol to trade; repeatable', usual: 'all of the tape', parse: each },
      {
        flags: '--from <time>',
        description: 'first moment: milliseconds since 1970, or a UTC time such as 2024-08-08T23:55',
        parse: moment,
      },
      { flags: '--to <time>', description: 'moment to stop before', parse: moment },
    ],
  },
  {
    title: 'The search:',
    options: [
      {
        flags: '--by <figures>',
        description: `what to make large, or small: ${FIGURE_NAMES.join(', ')}, or a metric of the report; several with commas; name:min or name:max to turn one`,
        fallback: [objective('sharpe')],
        usual: 'sharpe',
        parse: objectives,
      },
      {
        flags: '--sampler <name>',
        description: `${SAMPLER_NAMES.slice(0, -1).join(', ')} or ${SAMPLER_NAMES.at(-1)}`,
        fallback: 'tpe',
        parse: samplerName,
      },
      { flags: '--trials <count>', description: 'number of trials', fallback: 100, parse: wholeNumber(1, 1_000_000) },
      {
        flags: '--constraint <text>',
        description: "a condition such as 'maxDrawdown<0.2' or 'trades>=30'; repeatable",
        parse: constraints,
      },
      { flags: '--prune', description: 'stop the worse two thirds of the trials after a ninth of the tape, and of the rest after a third' },
      {
        flags: '--holdout <share>',
        description: 'the last part of the time, which takes no part in the search; 0% for none',
        fallback: 0.3,
        usual: '30%',
        parse: share,
      },
      {
        flags: '--seed <number>',
        description: 'seed of all randomness',
        usual: 'that of the configuration',
        parse: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      },
    ],
  },
  {
    title: 'How:',
    options: [
      {
        flags: '--study <file>',
        description: 'keep every trial in this file; the same command goes on where it stopped',
        usual: 'kept nowhere',
      },
      { flags: '--workers <count>', description: 'worker threads', usual: 'one for each processor', parse: wholeNumber(1, 256) },
      { flags: '--every-tick', description: 'show the strategy every row of the tape' },
      {
        flags: '--spread <amount>',
        description: 'bid to ask on a tape of bars: a price, a share such as 0.02%, or 0.1atr',
        usual: '0.01%',
        parse: spread,
      },
      { flags: '-c, --config <file>', description: 'a configuration file', usual: 'the built-in defaults' },
      { flags: '--set <key=value>', description: 'one key of the configuration; repeatable', parse: each },
    ],
  },
  {
    title: 'The result:',
    options: [
      { flags: '-o, --out <file>', description: 'also write it as JSON to this file' },
      { flags: '--json', description: 'print it as one JSON object' },
    ],
  },
];

const PARTS: HelpParts = {
  examples: [
    ['tickwright optimize --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=2..20 --param slow=20..200:5'],
    [
      'tickwright optimize --strategy my.ts --tape tapes/btc --by sharpe --constraint "trades>=30" --study my.study --trials 500',
      'goes on after a Ctrl-C',
    ],
    ['tickwright optimize --strategy my.ts --tape tapes/btc --by totalReturn,maxDrawdown --sampler nsga2', 'two objectives: a front'],
  ],
  notes: [
    `Samplers: ${SAMPLER_NAMES.map((name) => `${name}, ${SAMPLERS[name].doc}`).join('; ')}.`,
    `Figures: ${FIGURE_NAMES.map((name) => `${name}, ${FIGURE_DOCS[name]?.doc}`).join('; ')}.`,
    'The same command gives the same trials and the same hash, with any number of workers and after any interruption.',
  ],
  variables: [ANY_KEY],
  files: [
    ['--study FILE', 'every trial. It goes on only with the same strategy, tape, version, parameters and flags'],
    ['--out FILE', 'the result as JSON'],
  ],
  exits: [
    ['0', 'the search is complete'],
    ['1', 'no trial gave a result, or the search was interrupted'],
    EXITS.usage,
    EXITS.configuration,
  ],
};

export function addOptimize(program: Command, context: CliContext): void {
  const command = program
    .command('optimize')
    .summary('search the parameters of a strategy on a tape')
    .description(
      'Try a strategy with many parameters on the first part of a tape, and the best of them on the last part, which took no part in the search.',
    );
  withOtherHelp(addOptions(command, OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: OptimizeFlags) => run(flags, context));
}

async function run(flags: OptimizeFlags, context: CliContext): Promise<void> {
  if (flags.from !== undefined && flags.to !== undefined && flags.from >= flags.to) {
    throw new Failure('flag-value', { what: '--from must be before --to', where: 'optimize' });
  }
  const tape = requireTape(requireFlag(flags.tape, '--tape FOLDER'));
  const config = await configOf(flags, context);
  const [{ optimize }, { setRuntimeFlags }, { untilStopped }, { SearchProgress }] = await Promise.all([
    import('../run/search/optimize.ts'),
    import('../run/backtest/runtime-flags.ts'),
    import('../run/setup/signals.ts'),
    import('./search-progress.ts'),
  ]);
  setRuntimeFlags();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const progress = context.io.isTty && flags.json !== true ? new SearchProgress(context.io.stderr) : null;
  const options: OptimizeOptions = {
    version: version(),
    strategy: strategyOf(flags, config),
    params: flags.param ?? {},
    tape,
    config,
    everyTick: flags.everyTick === true,
    spread: flags.spread,
    from: flags.from,
    to: flags.to,
    holdout: flags.holdout,
    trials: flags.trials,
    objectives: flags.by,
    constraints: flags.constraint ?? [],
    sampler: flags.sampler,
    seed: flags.seed ?? config.seed,
    isPruned: flags.prune === true,
    study: flags.study ?? null,
    workers: flags.workers ?? availableParallelism(),
    progress: progress === null ? undefined : (now) => progress.show(now),
    signal: stopping.signal,
  };
  const result = await withParams(flags.param === undefined ? {} : { param: flags.param }, () => optimize(options)).finally(() =>
    progress?.end(),
  );
  const text = `${JSON.stringify(result)}\n`;
  if (flags.out !== undefined) await writeResult(flags.out, text);
  if (flags.json === true) context.io.stdout.write(text);
  else {
    const { searchText } = await import('./search-text.ts');
    context.io.stdout.write(searchText(result, flags.study ?? null));
  }
  if (result.best === null || !result.isComplete) context.exit(exitCode.failed);
}

/** The strategy of the flag, else the only one of the configuration. */
function strategyOf(flags: OptimizeFlags, config: BotConfig): StrategyChoice {
  const [one, ...others] = strategiesOf(
    {
      ...(flags.strategy === undefined ? {} : { strategy: [flags.strategy] }),
      ...(flags.symbol === undefined ? {} : { symbol: flags.symbol }),
    },
    config,
  );
  if (one !== undefined && others.length === 0) return one;
  throw new Failure('strategy-missing', {
    what: `expected one strategy, the configuration has ${others.length + 1}`,
    hint: 'name one with --strategy',
  });
}

async function writeResult(file: string, text: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new Failure(
      'report-unwritable',
      { what: `the result cannot be written: ${(error as Error).message}`, where: '--out' },
      { cause: error },
    );
  }
}

function objectives(text: string): readonly Objective[] {
  const found = text.split(',').map((one) => objective(one.trim()));
  if (new Set(found.map(({ figure }) => figure)).size < found.length) throw new ValueError('Each figure can be an objective once.');
  return found;
}

function objective(text: string): Objective {
  const [figure = '', direction] = text.split(':');
  const row = figureOf(figure);
  if (direction === undefined) return { figure, direction: row.better };
  if (direction !== 'min' && direction !== 'max') throw new ValueError(`Expected ${figure}:min or ${figure}:max, found ${text}.`);
  return { figure, direction };
}

function constraints(text: string, so: readonly Constraint[] = []): readonly Constraint[] {
  const found = parseConstraint(text);
  if (found === null) throw new ValueError("Expected a figure, <, <=, > or >= and a number, such as 'maxDrawdown<0.2'.");
  figureOf(found.figure);
  return [...so, found];
}

function figureOf(name: string): (typeof FIGURE_DOCS)[string] {
  const row = Object.hasOwn(FIGURE_DOCS, name) ? FIGURE_DOCS[name] : undefined;
  if (row !== undefined) return row;
  throw new ValueError(
    `There is no figure "${name}": ${didYouMean(name, Object.keys(FIGURE_DOCS)) ?? `there are ${Object.keys(FIGURE_DOCS).join(', ')}`}.`,
  );
}

function samplerName(text: string): SamplerName {
  const found = SAMPLER_NAMES.find((name) => name === text);
  if (found !== undefined) return found;
  throw new ValueError(`There is no sampler "${text}": ${didYouMean(text, SAMPLER_NAMES) ?? `there are ${SAMPLER_NAMES.join(', ')}`}.`);
}

function share(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(text);
  const value = match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
  if (!(value >= 0 && value <= 0.9)) throw new ValueError('Expected a share from 0% to 90%, such as 30%.');
  return value;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
