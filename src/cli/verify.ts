/** `verify`: tries to show that the backtest of a strategy cannot be believed. */
import type { Command } from 'commander';
import { exitCode } from '../base/exit-codes.ts';
import type { VerifyRow } from '../run/verify/verify.ts';
import { BACKTEST_OPTIONS, type BacktestFlags } from './backtest.ts';
import { configOf, requireFlag, requireTape, strategiesOf, withParams, type CliContext } from './context.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from './help.ts';
import type { OptionGroup } from './plain.ts';
import { painter, safeText, table, type Colour } from './terminal.ts';
import { wholeNumber } from './values.ts';

interface VerifyFlags extends Pick<
  BacktestFlags,
  'strategy' | 'param' | 'symbol' | 'config' | 'set' | 'tape' | 'everyTick' | 'spread' | 'speed' | 'from' | 'to' | 'seed' | 'json'
> {
  readonly moments: number;
}

const OPTIONS: readonly OptionGroup[] = [
  ...BACKTEST_OPTIONS.slice(0, 2).map(({ title, options }) => ({
    title,
    options: options.filter(({ flags }) => !flags.startsWith('--bot-from')),
  })),
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
  const tape = requireTape(requireFlag(flags.tape, '--tape FOLDER'));
  const config = await configOf(flags, context);
  const strategies = strategiesOf(flags, config);
  const [{ guardStrategies }, { verify }] = await Promise.all([import('../run/guard/guard.ts'), import('../run/verify/verify.ts')]);
  guardStrategies(config, { isLive: false });
  const { stdout } = context.io;
  const paint = painter(stdout.columns !== undefined, context.env);
  const width = stdout.columns ?? 100;
  const print = ({ name, verdict, text }: VerifyRow): void => {
    const columns = [{ title: '' }, { title: '' }, { title: '', flows: true as const }];
    stdout.write(table(columns, [[paint(COLOURS[verdict], verdict.padEnd(9)), name.padEnd(11), safeText(text)]], width));
  };
  const options = {
    tape,
    strategies,
    config,
    everyTick: flags.everyTick === true,
    spread: flags.spread,
    speed: flags.speed,
    from: flags.from,
    to: flags.to,
    seed: flags.seed ?? config.seed,
    moments: flags.moments,
  };
  const report = await withParams(flags, () => verify(options, flags.json ? () => undefined : print));
  if (flags.json) stdout.write(`${JSON.stringify(report)}\n`);
  context.exit(report.isPassed ? exitCode.done : exitCode.failed);
}
