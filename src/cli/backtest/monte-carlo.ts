/** `monte-carlo`: other possible results of a strategy on a tape. */
import type { Command } from 'commander';
import { withParams, type CliContext } from '../shell/context.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from '../shell/help.ts';
import type { OptionGroup } from '../shell/plain.ts';
import { showResult, RESULT_FLAGS, type ResultFlags } from '../result/show-result.ts';
import { wholeNumber } from '../shell/values.ts';
import { WHOLE_RUN_OPTIONS, wholeRunOptions, type WholeRunFlags } from './whole-runs.ts';

interface MonteCarloFlags extends WholeRunFlags, ResultFlags {
  readonly curves: number;
  readonly runs: number;
  readonly markets: number;
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
      {
        flags: '--markets <count>',
        description: 'backtests on markets that are drawn to be like the tape; 0 for none',
        parse: wholeNumber(0, 100_000),
        fallback: 20,
      },
    ],
  },
  { title: 'The result:', options: RESULT_FLAGS },
];

/** What is tried besides. */
const DELAYS_MS = [100, 1_000, 5_000];
const MISSED = [0.05, 0.2];

const PARTS: HelpParts = {
  examples: [['tickwright monte-carlo --strategy my.ts --tape tapes/btc', 'how much of a result is the order of its trades?']],
  notes: [
    'Trades in another order change the drawdown, not the end. Trades and returns drawn again show how far the same strategy may get by luck alone. Late and missed entries are backtests on the same tape. Re-drawn markets are other tapes: the bars of the tape in blocks, or a synthetic market (`tape synth`) fitted to its quotes and trades.',
  ],
  variables: [ANY_KEY],
  exits: [EXITS.done, EXITS.usage, EXITS.configuration],
};

export function addMonteCarlo(program: Command, context: CliContext): void {
  const command = program
    .command('monte-carlo')
    .summary('show other possible results of a backtest')
    .description(
      'Show other possible results of a backtest: trades in another order, returns in blocks, late or missed entries, and markets drawn again.',
    );
  withOtherHelp(addOptions(command, OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: MonteCarloFlags) => run(flags, context));
}

async function run(flags: MonteCarloFlags, context: CliContext): Promise<void> {
  const options = await wholeRunOptions(flags, context);
  const [{ guardStrategies }, { monteCarlo }, { setRuntimeFlags }] = await Promise.all([
    import('../../run/guard/guard.ts'),
    import('../../run/monte-carlo/monte-carlo.ts'),
    import('../../run/backtest/runtime-flags.ts'),
  ]);
  setRuntimeFlags();
  guardStrategies(options.config, { isLive: false });
  const result = await withParams(flags, () =>
    monteCarlo({
      ...options,
      curves: flags.curves,
      runs: flags.runs,
      markets: flags.markets,
      delaysMs: DELAYS_MS,
      missed: MISSED,
    }),
  );
  await showResult(result, flags, context);
}
