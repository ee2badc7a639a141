/** `walk-forward`: searches parameters on the past and judges them on what follows, again and again. */
import type { Command } from 'commander';
import { exitCode } from '../../base/exit-codes.ts';
import type { WalkForwardOptions } from '../../run/search/walk-forward.ts';
import type { CliContext } from '../shell/context.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from '../shell/help.ts';
import { optimizeOptions } from './optimize.ts';
import type { OptionGroup } from '../shell/plain.ts';
import { SEARCH_OPTIONS, type OptimizeFlags } from './search-options.ts';
import { showResult } from '../result/show-result.ts';
import { duration, numberBetween, wholeNumber } from '../shell/values.ts';

interface WalkForwardFlags extends OptimizeFlags {
  readonly folds: number;
  readonly train: number;
  readonly rolling?: true;
  readonly purge: number;
}

/** Options of `optimize` that have no meaning here. */
const NOT_HERE = ['--holdout', '--study'];

const OPTIONS: readonly OptionGroup[] = [
  {
    title: 'The folds:',
    options: [
      { flags: '--folds <count>', description: 'how often parameters are searched again', parse: wholeNumber(1, 1000), fallback: 5 },
      {
        flags: '--train <share>',
        description: 'share of the time that the first search has',
        parse: numberBetween(0.01, 0.99),
        fallback: 0.5,
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
  ...SEARCH_OPTIONS.map(({ title, options }) => ({
    title,
    options: options.filter(({ flags }) => !NOT_HERE.some((one) => flags.startsWith(one))),
  })),
];

const PARTS: HelpParts = {
  examples: [
    ['tickwright walk-forward --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=2..20 --param slow=20..200:5 --folds 6'],
    ['tickwright walk-forward --strategy my.ts --tape tapes/btc --rolling --train 0.3 --purge 2h', 'a window that moves'],
  ],
  notes: [
    'Each judged part follows the part that was searched, and took no part in it. Each run begins flat, with the same equity. The total return is that of a trader who searches again at each fold.',
  ],
  variables: [ANY_KEY],
  exits: [['0', 'all folds are complete'], ['1', 'it was interrupted'], EXITS.usage, EXITS.configuration],
};

export function addWalkForward(program: Command, context: CliContext): void {
  const command = program
    .command('walk-forward')
    .summary('search parameters on the past and judge them on what follows')
    .description('Search the parameters of a strategy on the past and judge the best on what follows, again and again over a tape.');
  withOtherHelp(addOptions(command, OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: WalkForwardFlags) => run(flags, context));
}

async function run(flags: WalkForwardFlags, context: CliContext): Promise<void> {
  const [{ walkForward }, { setRuntimeFlags }, { untilStopped }] = await Promise.all([
    import('../../run/search/walk-forward.ts'),
    import('../../run/backtest/runtime-flags.ts'),
    import('../../run/setup/signals.ts'),
  ]);
  setRuntimeFlags();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const { stderr, isTty } = context.io;
  const options: WalkForwardOptions = {
    ...(await optimizeOptions({ ...flags, holdout: 0 }, context, stopping.signal)),
    folds: flags.folds,
    train: flags.train,
    kind: flags.rolling === true ? 'rolling' : 'anchored',
    purgeMs: flags.purge,
    onFold: isTty && flags.json !== true ? (_, number) => void stderr.write(`fold ${number} of ${flags.folds} is done\n`) : undefined,
  };
  const result = await walkForward(options);
  await showResult(result, flags, context);
  if (!result.isComplete) context.exit(exitCode.failed);
}
