/** `monte-carlo`: what else could have happened with a strategy on a tape. */
import type { Command } from 'commander';
import type { MonteCarloResult } from '../run/monte-carlo/monte-carlo.ts';
import { withParams, type CliContext } from './context.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from './help.ts';
import type { OptionGroup } from './plain.ts';
import { table } from './terminal.ts';
import { wholeNumber } from './values.ts';
import { WHOLE_RUN_OPTIONS, wholeRunOptions, type WholeRunFlags } from './whole-runs.ts';

interface MonteCarloFlags extends WholeRunFlags {
  readonly curves: number;
  readonly runs: number;
}

const OPTIONS: readonly OptionGroup[] = [
  ...WHOLE_RUN_OPTIONS,
  {
    title: 'The draws:',
    options: [
      { flags: '--curves <count>', description: 'drawn equity curves of each kind', parse: wholeNumber(10, 1_000_000), fallback: 2000 },
      {
        flags: '--runs <count>',
        description: 'backtests with missed entries, of each share',
        parse: wholeNumber(1, 100_000),
        fallback: 20,
      },
      { flags: '--json', description: 'print one JSON object, with the lines of each fan' },
    ],
  },
];

/** What is tried besides. */
const DELAYS_MS = [100, 1_000, 5_000];
const MISSED = [0.05, 0.2];

const PARTS: HelpParts = {
  examples: [['tickwright monte-carlo --strategy my.ts --tape tapes/btc', 'how much of a result is the order of its trades?']],
  notes: [
    'Trades in another order change the drawdown, not the end. Trades and returns drawn again show how far the same strategy may get by luck alone. Late and missed entries are backtests on the same tape.',
  ],
  variables: [ANY_KEY],
  exits: [EXITS.done, EXITS.usage, EXITS.configuration],
};

export function addMonteCarlo(program: Command, context: CliContext): void {
  const command = program
    .command('monte-carlo')
    .summary('what else could have happened in a backtest')
    .description('Draw other courses of a backtest: trades in another order, returns in blocks, entries that are late or missed.');
  withOtherHelp(addOptions(command, OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: MonteCarloFlags) => run(flags, context));
}

async function run(flags: MonteCarloFlags, context: CliContext): Promise<void> {
  const options = await wholeRunOptions(flags, context);
  const [{ guardStrategies }, { monteCarlo }, { setRuntimeFlags }] = await Promise.all([
    import('../run/guard/guard.ts'),
    import('../run/monte-carlo/monte-carlo.ts'),
    import('../run/backtest/runtime-flags.ts'),
  ]);
  setRuntimeFlags();
  guardStrategies(options.config, { isLive: false });
  const result = await withParams(flags, () =>
    monteCarlo({
      ...options,
      curves: flags.curves,
      runs: flags.runs,
      delaysMs: DELAYS_MS,
      missed: MISSED,
    }),
  );
  context.io.stdout.write(
    flags.json
      ? `${JSON.stringify(result, (_, value: unknown) => (value instanceof Float64Array ? [...value] : value))}\n`
      : textOf(result),
  );
}

const amount = (value: number): string => value.toFixed(2).replace('-', '−');
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

function textOf({ start, net, trades, maxDrawdown, shuffled, redrawn, blocks, periodMs, delays, missed }: MonteCarloResult): string {
  const right = 'right' as const;
  const columns = [
    { title: '' },
    ...['5 %', '25 %', 'median', '75 %', '95 %'].map((title) => ({ title, align: right })),
    { title: 'drawdown 95 %', align: right },
    { title: 'ends in loss', align: right },
  ];
  const fan = (name: string, one: MonteCarloResult['shuffled']): string[] => {
    if (one === null) return [name, 'too few'];
    const { final, maxDrawdown: falls, lossProbability } = one;
    const finals = [final.p5, final.p25, final.p50, final.p75, final.p95].map((value) => amount(value - start));
    return [name, ...finals, percent(falls.p95), percent(lossProbability)];
  };
  const spread = missed.map(({ share, net: { p5, p25, p50, p75, p95 } }) => [
    `${percent(share)} of the entries missed`,
    ...[p5, p25, p50, p75, p95].map(amount),
    '',
    '',
  ]);
  const rows = [
    fan('trades in another order', shuffled),
    fan('trades drawn again', redrawn),
    fan(`returns of ${periodMs / 1000} s drawn in blocks`, blocks),
    ...spread,
  ];
  const late = delays.map(({ delayMs, net: other, trades: count }) => [`entries ${delayMs} ms late`, amount(other), String(count)]);
  return [
    `The run: net ${amount(net)}, ${trades} trades, largest drawdown ${percent(maxDrawdown)}\n`,
    `\nWhat else could have happened: net\n${table(columns, rows)}`,
    `\n${table([{ title: '' }, { title: 'net', align: right }, { title: 'trades', align: right }], [['as it was', amount(net), String(trades)], ...late])}`,
  ].join('');
}
