/** `capacity`: how much money a strategy can work with before the impact of its own orders uses up its profit. */
import type { Command } from 'commander';
import { withParams, type CliContext } from '../shell/context.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from '../shell/help.ts';
import type { OptionGroup } from '../shell/plain.ts';
import { showResult, RESULT_FLAGS, type ResultFlags } from '../result/show-result.ts';
import { each, wholeNumber } from '../shell/values.ts';
import { WHOLE_RUN_OPTIONS, wholeRunOptions, type WholeRunFlags } from './whole-runs.ts';

interface CapacityFlags extends WholeRunFlags, ResultFlags {
  readonly size?: readonly string[];
  readonly doublings: number;
}

const OPTIONS: readonly OptionGroup[] = [
  ...WHOLE_RUN_OPTIONS,
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
  { title: 'The result:', options: RESULT_FLAGS },
];

const PARTS: HelpParts = {
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
  exits: [EXITS.done, EXITS.usage, EXITS.configuration],
};

export function addCapacity(program: Command, context: CliContext): void {
  const command = program
    .command('capacity')
    .summary('profit against size, with the impact of the orders')
    .description('Run a strategy with larger and larger sizes: where its profit per size halves, and where its profit peaks.');
  withOtherHelp(addOptions(command, OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: CapacityFlags) => run(flags, context));
}

async function run(flags: CapacityFlags, context: CliContext): Promise<void> {
  const options = await wholeRunOptions(flags, context);
  const [{ guardStrategies }, { capacity }, { setRuntimeFlags }] = await Promise.all([
    import('../../run/guard/guard.ts'),
    import('../../run/capacity/capacity.ts'),
    import('../../run/backtest/runtime-flags.ts'),
  ]);
  setRuntimeFlags();
  guardStrategies(options.config, { isLive: false });
  const named = flags.size ?? ['size'];
  const result = await withParams(flags, () =>
    capacity({
      ...options,
      sizes: named.length === 1 && named[0] === 'none' ? [] : named,
      multiples: Array.from({ length: flags.doublings + 1 }, (_, k) => 2 ** k),
    }),
  );
  await showResult(result, flags, context);
}
