/** Commands that run one set of parameters on a tape, once or many times. */
import type { CommandRow, OptionGroup } from '../shell/command-row.ts';
import { each, moment, numberFrom, wholeNumber } from '../shell/values.ts';
import {
  ANY_KEY,
  configuration,
  DETAIL,
  EVERY_TICK,
  FROM,
  JSON_OPTION,
  RESULT_FILES,
  SEED,
  SIGNALS,
  speed,
  SPREAD,
  strategy,
  TABLE_FILES,
  TABLES_WRITTEN,
  TO,
  RESULT,
} from './shared-options.ts';

/** Strategy, market and settings of a run. */
const WHAT = [
  { flags: '-t, --tape <folder>', description: 'the tape, made by `tape import` or `tape synth`', isNeeded: true as const },
  ...strategy('all of the tape'),
];
const HOW_SEEN = [
  EVERY_TICK,
  SPREAD,
  DETAIL,
  { flags: '--inside-bars', description: 'draw prices inside bars by chance and run on them as on trades and quotes: no evidence' },
  { flags: '--speed <factor>', description: 'play the tape this many times faster, like `exchange --speed`', parse: speed, fallback: 1 },
  FROM,
  TO,
];
const HOW_SET = [SEED, ...configuration('a configuration file', { usual: 'the built-in defaults' })];

const WHOLE_RUN: readonly OptionGroup[] = [
  { title: 'What:', options: WHAT },
  { title: 'How:', options: [...HOW_SEEN, ...HOW_SET] },
];

export const BACKTEST_COMMANDS: readonly CommandRow[] = [
  {
    name: 'backtest',
    summary: 'run a strategy on a tape (a recorded market)',
    description: 'Run a strategy on a recorded market and report fills, profit, fees and drawdown. The same inputs give the same bytes.',
    options: [
      {
        title: 'What:',
        options: [
          ...WHAT,
          {
            flags: '--study <file>',
            description: 'the parameters of the best trial of this study; the report shows how much the search itself explains',
          },
        ],
      },
      {
        title: 'How:',
        options: [
          ...HOW_SEEN,
          SIGNALS,
          { flags: '--bot-from <time>', description: 'start the bot at this time; the market starts earlier', parse: moment },
          ...HOW_SET,
        ],
      },
      {
        title: 'The report:',
        options: [
          ...RESULT_FILES,
          ...TABLE_FILES,
          { flags: '--trades <file>', description: 'all closed trades as CSV' },
          { flags: '--log <file>', description: 'what the strategy writes by ctx.log, as lines of JSON', usual: 'to stderr, as text' },
          { flags: '--no-bracket', description: 'without the pessimistic and the optimistic reading beside it, which run in threads' },
          JSON_OPTION,
          { flags: '--all', description: 'print all that the page says: costs, trades, every metric (docs/reference/metrics.md)' },
        ],
      },
    ],
    examples: [
      ['tickwright backtest --strategy strategies/ema-cross.ts --tape tapes/btc'],
      ['tickwright backtest --strategy my.ts --tape tapes/btc --param fast=10 --symbol BTCUSDT', 'one parameter and one symbol'],
      ['tickwright backtest --config config/backtest.yaml --strategy my.ts --tape tapes/btc --json > report.json', 'for other programs'],
      ['tickwright backtest --strategy my.ts --tape tapes/btc --html report.html', 'charts and all metrics in one file, for a browser'],
    ],
    notes: [
      'The strategy sees the market as its polls would have shown it, after the configured latency, and a bar when it has ended. --every-tick shows it every row, more than it would see live; the report then says so.',
      'What a backtest shows and what it cannot: docs/backtesting-honestly.md.',
    ],
    variables: [ANY_KEY],
    files: [
      ['--out FILE', 'the report as JSON'],
      ['--html FILE', 'the report as a page that loads nothing'],
      ['--trades FILE', 'a row for each closed trade: times, prices, reasons, profit, fees, excursions'],
      TABLES_WRITTEN,
      ['--log FILE', 'what the strategy wrote by `ctx.log`. A backtest keeps nothing else'],
    ],
    exits: {
      done: 'the strategy ran to the end',
      failed: 'a strategy threw errors, and may have been stopped for them; the report names it first, the last line last',
      usage: '',
      configuration: '',
    },
    run: async () => (await import('../backtest/backtest-command.ts')).backtest,
  },
  {
    name: 'monte-carlo',
    summary: 'show other possible results of a backtest',
    description:
      'Show other possible results of a backtest: trades in another order, returns in blocks, late or missed entries, and markets drawn again.',
    options: [
      ...WHOLE_RUN,
      {
        title: 'The draws:',
        options: [
          {
            flags: '--curves <count>',
            description: 'drawn equity curves of each kind',
            parse: wholeNumber(10, 1_000_000),
            fallback: 2000,
          },
          {
            flags: '--runs <count>',
            description: 'backtests with missed entries, of each share',
            parse: wholeNumber(1, 100_000),
            fallback: 20,
          },
          {
            flags: '--markets <count>',
            description: 'backtests on markets that are drawn to be like the tape; 0 for none',
            parse: wholeNumber(0, 100_000),
            fallback: 20,
          },
        ],
      },
      RESULT,
    ],
    examples: [['tickwright monte-carlo --strategy my.ts --tape tapes/btc', 'how much of a result is the order of its trades?']],
    notes: [
      'Trades in another order change the drawdown, not the end. Trades and returns drawn again show how far the same strategy may get by luck alone. Late and missed entries are backtests on the same tape. Re-drawn markets are other tapes: the bars of the tape in blocks, or a synthetic market (`tape synth`) fitted to its quotes and trades.',
    ],
    variables: [ANY_KEY],
    exits: { done: '', usage: '', configuration: '' },
    run: async () => (await import('../backtest/monte-carlo-command.ts')).runMonteCarlo,
  },
  {
    name: 'capacity',
    summary: 'profit against size, with the impact of the orders',
    description: 'Run a strategy with larger and larger sizes: where its profit per size halves, and where its profit peaks.',
    options: [
      ...WHOLE_RUN,
      {
        title: 'The sizes:',
        options: [
          {
            flags: '--size <name>',
            description: 'a parameter that sizes orders; repeatable, or none if sizes come from the equity',
            usual: 'size',
            parse: each,
          },
          {
            flags: '--doublings <count>',
            description: 'runs, each with twice the size of the one before: 10 end at 1024 times',
            parse: wholeNumber(1, 30),
            fallback: 10,
          },
        ],
      },
      RESULT,
    ],
    examples: [
      ['tickwright capacity --strategy my.ts --tape tapes/btc', 'with the impact that the tape shows'],
      [
        'tickwright capacity --strategy my.ts --tape tapes/btc --size bid --size ask --doublings 14 --html capacity.html',
        'two sizes, a page',
      ],
    ],
    notes: [
      'Deposits and limits grow with the sizes. Orders that take pay the impact of simulation.impact, or if no model is chosen, that of the square-root model, measured on the tape. Resting orders wait behind the same queue and share the same trades, whatever their size.',
    ],
    variables: [ANY_KEY],
    exits: { done: '', usage: '', configuration: '' },
    run: async () => (await import('../backtest/capacity-command.ts')).runCapacity,
  },
  {
    name: 'verify',
    summary: 'check whether the backtest of a strategy can be believed',
    description: 'Check a strategy for look-ahead, hidden state, chance and other reasons why its backtest could not be repeated live.',
    options: [
      ...WHOLE_RUN,
      {
        title: 'The checks:',
        options: [
          {
            flags: '--moments <number>',
            description: 'how many moments are tried for look-ahead; half as many for restarts',
            parse: wholeNumber(2, 10_000),
            fallback: 12,
          },
          JSON_OPTION,
        ],
      },
    ],
    examples: [
      ['tickwright verify --strategy my.ts --tape tapes/btc'],
      ['tickwright verify --strategy my.ts --tape tapes/btc --every-tick --moments 100', 'look closer'],
    ],
    notes: [
      'Each check runs the strategy on the tape, some of them many times: take a short tape, or --from and --to. A strategy that passes can still lose money: see docs/research.md.',
    ],
    variables: [ANY_KEY],
    exits: { done: 'no check failed', failed: 'a check failed', usage: '', configuration: '' },
    run: async () => (await import('../backtest/verify-command.ts')).runVerify,
  },
  {
    name: 'crashtest',
    summary: 'run a strategy against hostile markets and faults',
    description: 'Run strategies against hostile markets and a faulty venue on virtual time, and look for broken rules.',
    options: [
      {
        title: 'What:',
        options: [...strategy('the first of the configuration'), ...configuration('a configuration file: its limits hold')],
      },
      {
        title: 'Seeds:',
        options: [
          { flags: '--seeds <number>', description: 'how many', parse: wholeNumber(1, 1_000_000), fallback: 20 },
          { flags: '--from <seed>', description: 'the first one', parse: wholeNumber(1, 1_000_000_000), fallback: 1 },
          { flags: '--seed <seed>', description: 'this one alone', parse: wholeNumber(1, 1_000_000_000) },
        ],
      },
      {
        title: 'What must hold as well:',
        options: [
          { flags: '--max-size <size>', description: 'a leg never holds more, in base coin', parse: numberFrom(0) },
          {
            flags: '--per-minute <number>',
            description: 'commands in a minute, at most',
            parse: wholeNumber(1, 1_000_000),
            fallback: 1200,
          },
          { flags: '--stop-loss', description: 'each filled opening order has a stop-loss' },
          {
            flags: '--ends <how>',
            description: 'what may be left after a stop',
            choices: ['any', 'without-opens', 'flat'],
            fallback: 'any',
          },
          { flags: '--signal <text>', description: 'what a webhook may say to it, at random times; repeatable', parse: each },
        ],
      },
      { title: 'Output:', options: [JSON_OPTION] },
    ],
    examples: [
      ['tickwright crashtest --strategy strategies/ema-cross.ts', 'twenty seeds'],
      ['tickwright crashtest --strategy strategies/ema-cross.ts --seed 12', 'one seed again'],
      ['tickwright crashtest --strategy my.ts --max-size 0.05 --stop-loss --ends flat', 'with more rules'],
      ['tickwright crashtest --strategy grid --param range=0.3', 'a ready-made strategy, by its name'],
    ],
    notes: [
      'The markets have price jumps, spikes, halts, and crossed, locked and one-sided books. The venue refuses, loses, delays and repeats commands and answers. No handler may fail, no order may make no sense, and the same seed must give the same commands.',
      'A strategy that places no order passes. Its markets last minutes: make timeframe and lengths parameters, and give short ones (--param bars=1s). docs/crashtest.md lists the rules.',
    ],
    exits: { done: '', failed: 'a rule is broken', usage: '', configuration: '' },
    run: async () => (await import('../backtest/crashtest-command.ts')).runCrashtest,
  },
];
