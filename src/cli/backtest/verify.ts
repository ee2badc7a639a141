/** `verify`: tries to show that the backtest of a strategy cannot be believed. */
import type { Command } from 'commander';
import { exitCode } from '../../base/exit-codes.ts';
import { shownJson } from '../../base/hidden.ts';
import type { VerifyRow } from '../../run/verify/verify.ts';
import { withParams, type CliContext } from '../shell/context.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from '../shell/help.ts';
import type { OptionGroup } from '../shell/plain.ts';
import { painter, safeText, table, type Colour } from '../terminal/terminal.ts';
import { wholeNumber } from '../shell/values.ts';
import { WHOLE_RUN_OPTIONS, wholeRunOptions, type WholeRunFlags } from './whole-runs.ts';

interface VerifyFlags extends WholeRunFlags {
  readonly json?: true;
  readonly moments: number;
}

const OPTIONS: readonly OptionGroup[] = [
  ...WHOLE_RUN_OPTIONS,
  {
    title: 'The checks:',
    options: [
      {
        flags: '--moments <number>',
        description: 'how many moments are tried for look-ahead; half as many for restarts',
        parse: wholeNumber(2, 10_000),
        fallback: 12,
      },
      { flags: '--json', description: 'print one JSON object' },
    ],
  },
];

const PARTS: HelpParts = {
  examples: [
    ['tickwright verify --strategy my.ts --tape tapes/btc'],
    ['tickwright verify --strategy my.ts --tape tapes/btc --every-tick --moments 100', 'look closer'],
  ],
  notes: [
    'Each check runs the strategy on the tape, some of them many times: take a short tape, or --from and --to. A strategy that passes can still lose money: see docs/research.md.',
  ],
  variables: [ANY_KEY],
  exits: [['0', 'no check failed'], ['1', 'a check failed'], EXITS.usage, EXITS.configuration],
};

export function addVerify(program: Command, context: CliContext): void {
  const command = program
    .command('verify')
    .summary('check whether the backtest of a strategy can be believed')
    .description('Check a strategy for look-ahead, hidden state, chance and other reasons why its backtest could not be repeated live.');
  withOtherHelp(addOptions(command, OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: VerifyFlags) => run(flags, context));
}

const COLOURS: Readonly<Record<VerifyRow['verdict'], Colour>> = { passed: 'green', warned: 'yellow', failed: 'red', 'not tried': 'dim' };

async function run(flags: VerifyFlags, context: CliContext): Promise<void> {
  const options = await wholeRunOptions(flags, context);
  const [{ guardStrategies }, { verify }] = await Promise.all([import('../../run/guard/guard.ts'), import('../../run/verify/verify.ts')]);
  guardStrategies(options.config, { isLive: false });
  const { stdout } = context.io;
  const paint = painter(stdout.columns !== undefined, context.env);
  const width = stdout.columns;
  const print = ({ name, verdict, text }: VerifyRow): void => {
    const columns = [{ title: '' }, { title: '' }, { title: '', flows: true as const }];
    stdout.write(table(columns, [[paint(COLOURS[verdict], verdict.padEnd(9)), name.padEnd(11), safeText(text)]], width));
  };
  const report = await withParams(flags, () => verify({ ...options, moments: flags.moments }, flags.json ? () => undefined : print));
  if (flags.json) stdout.write(`${shownJson(report)}\n`);
  context.exit(report.isPassed ? exitCode.done : exitCode.failed);
}
