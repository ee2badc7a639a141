/** The options of `optimize`, and the parsers of their values. */
import { didYouMean } from '../../base/suggest.ts';
import { FIGURES, USUAL_FIGURES } from '../../run/search/results/figures.ts';
import { SAMPLERS, type SamplerName } from '../../search/samplers/table.ts';
import { parseConstraint, type Constraint, type Objective } from '../../search/trial.ts';
import type { ConfigFlags } from '../shell/context.ts';
import type { OptionGroup } from '../shell/plain.ts';
import { RESULT_FLAGS, type ResultFlags } from '../result/show-result.ts';
import { DETAIL_OPTION, SPREAD_OPTION, type SpreadModel } from '../backtest/bar-flags.ts';
import { each, moment, pair, ValueError, wholeNumber } from '../shell/values.ts';

export interface OptimizeFlags extends ConfigFlags, ResultFlags {
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
  readonly redis?: string;
  readonly seed?: number;
  readonly holdout: number;
  readonly everyTick?: true;
  readonly spread?: SpreadModel;
  readonly detail?: string;
  readonly from?: number;
  readonly to?: number;
}

export const SAMPLER_NAMES = Object.keys(SAMPLERS) as SamplerName[];

export const SEARCH_OPTIONS: readonly OptionGroup[] = [
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
        description: `what to maximise, or minimise: ${USUAL_FIGURES.join(', ')}, or a metric of the report; several with commas; name:min or name:max sets the direction`,
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
      {
        flags: '--redis <url>',
        description: 'have the trials run by the processes of `tickwright worker` on this Redis',
        usual: 'threads of this process',
      },
      { flags: '--every-tick', description: 'show the strategy every row of the tape' },
      SPREAD_OPTION,
      DETAIL_OPTION,
      { flags: '-c, --config <file>', description: 'a configuration file', usual: 'the built-in defaults' },
      { flags: '--set <key=value>', description: 'one key of the configuration; repeatable', parse: each },
    ],
  },
  {
    title: 'The result:',
    options: RESULT_FLAGS,
  },
];

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

function figureOf(name: string): (typeof FIGURES)[string] {
  const row = Object.hasOwn(FIGURES, name) ? FIGURES[name] : undefined;
  if (row !== undefined) return row;
  throw new ValueError(
    `There is no figure "${name}": ${didYouMean(name, Object.keys(FIGURES)) ?? `there are ${Object.keys(FIGURES).join(', ')}`}.`,
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
