/** `cross-validate`: chooses parameters on most parts of a tape and judges them on the other parts, for every choice of parts. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { exitCode } from '../../base/exit-codes.ts';
import type { CliContext } from '../shell/context.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from '../shell/help.ts';
import { optimizeOptions } from './optimize.ts';
import type { OptionGroup } from '../shell/plain.ts';
import { SEARCH_OPTIONS, type OptimizeFlags } from './search-options.ts';
import { showResult } from '../result/show-result.ts';
import { duration, wholeNumber } from '../shell/values.ts';

interface CrossValidateFlags extends OptimizeFlags {
  readonly groups: number;
  readonly judging: number;
  readonly purge: number;
  readonly embargo: number;
}

/** Options of `optimize` that have no meaning here. */
const NOT_HERE = ['--holdout', '--study', '--prune', '--redis'];

const OPTIONS: readonly OptionGroup[] = [
  {
    title: 'The splits:',
    options: [
      { flags: '--groups <count>', description: 'parts of equal length that the time is cut into', parse: wholeNumber(2, 30), fallback: 6 },
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
  ...SEARCH_OPTIONS.map(({ title, options }) => ({
    title,
    options: options
      .filter(({ flags }) => !NOT_HERE.some((one) => flags.startsWith(one)))
      .map((one) => (one.flags.startsWith('--sampler') ? { ...one, description: 'sobol, grid or random', fallback: 'sobol' } : one)),
  })),
];

const PARTS: HelpParts = {
  examples: [
    ['tickwright cross-validate --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=2..20 --param slow=20..200:5 --purge 1h'],
    ['tickwright cross-validate --strategy my.ts --tape tapes/btc --groups 8 --judging 2 --html cv.html', '28 splits, 7 paths'],
  ],
  notes: [
    'Every choice of judging parts is a split. The same sets of parameters are run on each part of the tape. The set that is best on the other parts is judged on the judging parts. Each run is on one part and begins flat, with the same equity; the figure of several parts is their mean, weighted by their length. The judged parts make up whole paths through the tape.',
  ],
  variables: [ANY_KEY],
  exits: [['0', 'all splits are complete'], ['1', 'it was interrupted'], EXITS.usage, EXITS.configuration],
};

export function addCrossValidate(program: Command, context: CliContext): void {
  const command = program
    .command('cross-validate')
    .summary('choose parameters on most parts of a tape, and judge them on the others')
    .description(
      'Combinatorial purged cross-validation: choose parameters on most parts of a tape and judge them on the others, for every choice of parts.',
    );
  withOtherHelp(addOptions(command, OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: CrossValidateFlags) => run(flags, context));
}

async function run(flags: CrossValidateFlags, context: CliContext): Promise<void> {
  const [{ crossValidateStrategy }, { setRuntimeFlags }, { untilStopped }] = await Promise.all([
    import('../../run/search/cross-validate.ts'),
    import('../../run/backtest/runtime-flags.ts'),
    import('../../run/setup/signals.ts'),
  ]);
  setRuntimeFlags();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const { stderr, isTty } = context.io;
  const isTold = isTty && flags.json !== true;
  const result = await crossValidateStrategy({
    ...(await optimizeOptions({ ...flags, holdout: 0 }, context, stopping.signal)),
    workers: flags.workers ?? availableParallelism(),
    groups: flags.groups,
    judging: flags.judging,
    purgeMs: flags.purge,
    embargoMs: flags.embargo,
    progress: isTold ? (done, of) => void stderr.write(`\r${done} of ${of} backtests${done === of ? '\n' : ''}`) : undefined,
  });
  await showResult(result, flags, context);
  if (!result.isComplete) context.exit(exitCode.failed);
}
