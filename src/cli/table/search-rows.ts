/** Commands that search parameters. */
import { USUAL_FIGURES } from '../../report/research/usual-figures.ts';
import { SEARCH_DEFAULTS } from '../../search/defaults.ts';
import { SAMPLER_DOCS } from '../../search/samplers/sampler-docs.ts';
import { KEPT_FLAGS } from '../search/optimize-flags.ts';
import type { CommandRow, OptionGroup, OptionRow } from '../shell/command-row.ts';
import { duration, each, numberBetween, pair, share, wholeNumber } from '../shell/values.ts';
import { ANY_KEY, configuration, DETAIL, EVERY_TICK, FROM, SEED, SIGNALS, SPREAD, TABLES_WRITTEN, TO, RESULT } from './shared-options.ts';

const TAPE: OptionRow = { flags: '-t, --tape <folder>', description: 'the tape', isNeeded: true };
const WHAT: OptionGroup = {
  title: 'What:',
  options: [
    TAPE,
    { flags: '-s, --strategy <file>', description: 'the strategy file (needed, unless the configuration names one)' },
    {
      flags: '-p, --param <name=values>',
      description:
        'what a parameter may be: a range 5..50, with a step 5..50:5, spread by logarithms 1..1000:log, a list a,b, or one value; repeatable',
      usual: 'every parameter with bounds, within them',
      parse: pair,
    },
    { flags: '--symbol <symbol>', description: 'a symbol to trade; repeatable', usual: 'all of the tape', parse: each },
    FROM,
    TO,
  ],
};

const BY: OptionRow = {
  flags: '--by <figures>',
  description: `what to maximise, or minimise: ${USUAL_FIGURES.join(', ')}, or a metric of the report; an expression such as 'sharpe - 0.1 * averageDrawdown'; objective, the function that the strategy file exports; several with commas; :min or :max behind one sets the direction`,
  fallback: SEARCH_DEFAULTS.by,
};
const TRIALS_ROW: OptionRow = { flags: '--trials <count>', description: 'number of trials', parse: wholeNumber(1, 1_000_000) };
const TRIALS: OptionRow = { ...TRIALS_ROW, fallback: SEARCH_DEFAULTS.trials };
const CONSTRAINT: OptionRow = {
  flags: '--constraint <text>',
  description: "a condition on a figure or an expression, such as 'maxDrawdown<0.2' or 'trades>=30'; repeatable",
  parse: each,
};
const PRUNE: OptionRow = {
  flags: '--prune',
  description: 'stop the worse two thirds of the trials after a ninth of the tape, and of the rest after a third',
};
const WORKERS: OptionRow = {
  flags: '--workers <count>',
  description: 'worker threads',
  usual: 'one for each processor',
  parse: wholeNumber(1, 256),
};
const REDIS: OptionRow = {
  flags: '--redis <url>',
  description: 'have the trials run by the processes of `tickwright worker` on this Redis',
  usual: 'threads of this process',
};
const RUNS = [EVERY_TICK, SPREAD, DETAIL, SIGNALS, ...configuration('a configuration file', { usual: 'the built-in defaults' })];

/** Flags that a study knows. */
const RESUMED = [...KEPT_FLAGS.filter((name) => name !== 'trials'), 'study'];

function sampler(choices: readonly string[], fallback: string): OptionRow {
  return { flags: '--sampler <name>', description: 'how trials are chosen', choices, fallback };
}
const SAMPLERS = Object.keys(SAMPLER_DOCS);

export const SEARCH_COMMANDS: readonly CommandRow[] = [
  {
    name: 'optimize',
    summary: 'search the parameters of a strategy on a tape',
    description:
      'Try a strategy with many parameters on the first part of a tape, and the best of them on the last part, which took no part in the search.',
    options: [
      { ...WHAT, options: WHAT.options.map((row) => (row === TAPE ? { ...TAPE, unless: 'resume' } : row)) },
      {
        title: 'The search:',
        options: [
          BY,
          sampler(SAMPLERS, SEARCH_DEFAULTS.sampler),
          { ...TRIALS_ROW, usual: `${SEARCH_DEFAULTS.trials}, or those of the study with --resume` },
          CONSTRAINT,
          PRUNE,
          {
            flags: '--holdout <share>',
            description: 'the last part of the time, which takes no part in the search; 0% for none',
            fallback: SEARCH_DEFAULTS.holdout,
            usual: '30%',
            parse: share,
          },
          SEED,
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
          {
            flags: '--resume <name>',
            description:
              'continue the study of this name or file with the flags that it was begun with; beside it only --trials, how it runs, and where the result goes',
            conflicts: RESUMED,
          },
          WORKERS,
          REDIS,
          ...RUNS,
        ],
      },
      RESULT,
    ],
    examples: [
      ['tickwright optimize --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=2..20 --param slow=20..200:5'],
      [
        'tickwright optimize --strategy my.ts --tape tapes/btc --by sharpe --constraint "trades>=30" --study my.study --trials 500',
        'goes on after a Ctrl-C',
      ],
      ['tickwright optimize --resume my --trials 1000', 'the same study, by its name, with more trials'],
      ['tickwright optimize --strategy my.ts --tape tapes/btc --by totalReturn,maxDrawdown --sampler nsga2', 'two objectives: a front'],
    ],
    notes: [
      `Samplers: ${Object.entries(SAMPLER_DOCS)
        .map(([name, doc]) => `${name}, ${doc}`)
        .join('; ')}.`,
      'docs/reference/metrics.md has the formula of each figure.',
      'The same command gives the same trials and the same hash, with any number of workers and after any interruption.',
    ],
    variables: [ANY_KEY],
    files: [
      ['--study FILE', 'every trial. It goes on only with the same strategy, tape, version, parameters and flags'],
      ['--out FILE', 'the result as JSON'],
      ['--html FILE', 'the result as a page: one file that loads nothing'],
      TABLES_WRITTEN,
    ],
    exits: {
      done: 'the search is complete',
      failed: 'no trial gave a result, or the search was interrupted',
      usage: '',
      occupied: 'another process searches with the same study',
      configuration: '',
    },
    run: async () => (await import('../search/optimize-command.ts')).runOptimize,
  },
  {
    name: 'walk-forward',
    summary: 'search parameters on the past and judge them on what follows',
    description: 'Search the parameters of a strategy on the past and judge the best on what follows, again and again over a tape.',
    options: [
      {
        title: 'The folds:',
        options: [
          {
            flags: '--folds <count>',
            description: 'how often parameters are searched again',
            parse: wholeNumber(1, 1000),
            fallback: SEARCH_DEFAULTS.folds,
          },
          {
            flags: '--train <share>',
            description: 'share of the time that the first search has',
            parse: numberBetween(0.01, 0.99),
            fallback: SEARCH_DEFAULTS.train,
          },
          { flags: '--rolling', description: 'each search has the same length; without it each begins at the start of the tape' },
          {
            flags: '--purge <time>',
            description: 'time before each judged part that belongs to no search, such as 2h: longer than a trade lasts',
            parse: duration,
            fallback: 0,
            usual: 'none',
          },
        ],
      },
      WHAT,
      { title: 'The search:', options: [BY, sampler(SAMPLERS, SEARCH_DEFAULTS.sampler), TRIALS, CONSTRAINT, PRUNE, SEED] },
      { title: 'How:', options: [WORKERS, REDIS, ...RUNS] },
      RESULT,
    ],
    examples: [
      ['tickwright walk-forward --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=2..20 --param slow=20..200:5 --folds 6'],
      ['tickwright walk-forward --strategy my.ts --tape tapes/btc --rolling --train 0.3 --purge 2h', 'a window that moves'],
    ],
    notes: [
      'Each judged part follows the part that was searched, and took no part in it. Each run begins flat, with the same equity. The total return is that of a trader who searches again at each fold.',
    ],
    variables: [ANY_KEY],
    exits: { done: 'all folds are complete', failed: 'it was interrupted', usage: '', configuration: '' },
    run: async () => (await import('../search/walk-forward-command.ts')).runWalkForward,
  },
  {
    name: 'cross-validate',
    summary: 'choose parameters on most parts of a tape, and judge them on the others',
    description:
      'Combinatorial purged cross-validation: choose parameters on most parts of a tape and judge them on the others, for every choice of parts.',
    options: [
      {
        title: 'The splits:',
        options: [
          {
            flags: '--groups <count>',
            description: 'parts of equal length that the time is cut into',
            parse: wholeNumber(2, 30),
            fallback: 6,
          },
          { flags: '--judging <count>', description: 'how many of them judge at a time', parse: wholeNumber(1, 15), fallback: 2 },
          {
            flags: '--purge <time>',
            description: 'time before each judging part that is left out of the choice, such as 2h: longer than a trade lasts',
            parse: duration,
            fallback: 0,
            usual: 'none',
          },
          {
            flags: '--embargo <time>',
            description: 'the same after each judging part: as long as its events still influence the market',
            parse: duration,
            fallback: 0,
            usual: 'none',
          },
        ],
      },
      WHAT,
      { title: 'The search:', options: [BY, sampler(['sobol', 'grid', 'random'], 'sobol'), TRIALS, CONSTRAINT, SEED] },
      { title: 'How:', options: [WORKERS, ...RUNS] },
      RESULT,
    ],
    examples: [
      [
        'tickwright cross-validate --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=2..20 --param slow=20..200:5 --purge 1h',
      ],
      ['tickwright cross-validate --strategy my.ts --tape tapes/btc --groups 8 --judging 2 --html cv.html', '28 splits, 7 paths'],
    ],
    notes: [
      'Every choice of judging parts is a split. The same sets of parameters are run on each part of the tape. The set that is best on the other parts is judged on the judging parts. Each run is on one part and begins flat, with the same equity; the figure of several parts is their mean, weighted by their length. The judged parts make up whole paths through the tape.',
    ],
    variables: [ANY_KEY],
    exits: { done: 'all splits are complete', failed: 'it was interrupted', usage: '', configuration: '' },
    run: async () => (await import('../search/cross-validate-command.ts')).runCrossValidate,
  },
  {
    name: 'worker',
    summary: 'run trials of searches from Redis',
    description:
      'Take the trials of `optimize --redis` from a Redis and run them, until it is stopped. A worker may be killed at any time.',
    options: [
      {
        title: 'Options:',
        options: [
          {
            flags: '--redis <url>',
            description: 'the Redis of the searches, redis://[user:password@]host[:port][/database] or rediss://…',
            isNeeded: true,
          },
          WORKERS,
          {
            flags: '--cache <folder>',
            description: 'where tapes and strategies are kept by the digest of their content',
            fallback: 'var/worker',
          },
        ],
      },
    ],
    examples: [
      ['tickwright worker --redis redis://10.0.0.5', 'on as many machines as wanted'],
      ['tickwright optimize --redis redis://10.0.0.5 --strategy my.ts --tape tapes/btc', 'the search itself'],
    ],
    notes: [
      'A worker runs the code of the strategies that it is sent. Whoever can write to the Redis can run code on every worker: protect it with a password and a private network.',
      'All must be the same version of tickwright: a worker does not take jobs of another, and says so.',
    ],
    files: [['--cache FOLDER', 'tapes and strategies; it may be deleted when no worker runs']],
    exits: { done: 'stopped by a signal; the jobs that ran were finished', usage: '', occupied: '' },
    run: async () => (await import('../search/worker-command.ts')).runWorker,
  },
];
