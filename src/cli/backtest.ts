/** `backtest`: a strategy over a tape, a report at the end. Nothing heavy loads unless a configuration is given. */
import type { Command } from 'commander';
import type { BacktestReport } from '../report/backtest-report.ts';
import { Failure } from '../base/failure.ts';
import {
  configOf,
  requireFlag,
  requireTape,
  strategiesOf,
  withParams,
  type ChoiceFlags,
  type CliContext,
  type ConfigFlags,
} from './context.ts';
import { ANY_KEY, EXITS, helpText, optionFrom, withOtherHelp, type HelpParts } from './help.ts';
import { EXIT_FAILURE } from './print-error.ts';
import { each, moment, numberFrom, pair, wholeNumber } from './values.ts';

interface BacktestFlags extends ChoiceFlags, ConfigFlags {
  readonly tape?: string;
  readonly everyTick?: true;
  readonly speed: number;
  readonly from?: number;
  readonly to?: number;
  readonly botFrom?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly json?: true;
}

const PARTS: HelpParts = {
  examples: [
    ['tickwright backtest --strategy strategies/ema-cross.ts --tape tapes/btc'],
    ['tickwright backtest --strategy my.ts --tape tapes/btc --param fast=10 --symbol BTCUSDT', 'one parameter and one symbol'],
    ['tickwright backtest --config config/backtest.yaml --strategy my.ts --tape tapes/btc --json > report.json', 'for other programs'],
  ],
  notes: [
    'The strategy sees the market as its polls would have shown it, after the latency of the configuration. --every-tick shows it every row, which is more than live would; the report then says so.',
    'What a backtest shows and what it cannot: docs/backtesting-honestly.md.',
  ],
  variables: [ANY_KEY],
  files: [['--out FILE', 'the report as JSON. A backtest keeps nothing else']],
  exits: [
    ['0', 'the report is that of the strategy as it was meant'],
    ['1', 'a strategy was stopped for its errors: the report names it first'],
    EXITS.usage,
    EXITS.configuration,
  ],
};

export function addBacktest(program: Command, context: CliContext): void {
  const command = program
    .command('backtest')
    .summary('run a strategy over a tape')
    .description('Run a strategy over a tape and report fills, profit, fees and drawdown. Same inputs, same result, to the last byte.')
    .optionsGroup('What:')
    .option('-t, --tape <folder>', 'the tape, made by `tape import` or `tape synth` (needed)')
    .addOption(optionFrom('-s, --strategy <file>', 'a strategy file; repeatable', 'those of the configuration', each))
    .option('-p, --param <name=value>', 'a parameter of the strategy; repeatable', pair)
    .addOption(optionFrom('--symbol <symbol>', 'a symbol to trade; repeatable', 'all of the tape', each))
    .optionsGroup('How:')
    .option('--every-tick', 'show the strategy every row')
    .option('--speed <factor>', "let the tape's time run this much faster, as `exchange --speed` does", numberFrom(0.001), 1)
    .option('--from <time>', 'first moment: milliseconds since 1970, or a UTC time such as 2024-08-08T23:55', moment)
    .option('--to <time>', 'moment to stop before', moment)
    .option('--bot-from <time>', 'start the bot at this moment, on a market that is open already', moment)
    .addOption(
      optionFrom('--seed <number>', 'seed of all randomness', 'that of the configuration', wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    )
    .addOption(optionFrom('-c, --config <file>', 'a configuration file', 'the built-in defaults'))
    .option('--set <key=value>', 'one key of the configuration; repeatable', each)
    .optionsGroup('The report:')
    .option('-o, --out <file>', 'also write it as JSON to this file')
    .option('--json', 'print it as one JSON object');
  withOtherHelp(command)
    .addHelpText('after', helpText(PARTS))
    .action((flags: BacktestFlags) => backtest(flags, context));
}

async function backtest(flags: BacktestFlags, context: CliContext): Promise<void> {
  if (flags.from !== undefined && flags.to !== undefined && flags.from >= flags.to) {
    throw new Failure('usage', { what: '--from must be before --to', where: 'backtest' });
  }
  if (flags.botFrom !== undefined && flags.to !== undefined && flags.botFrom >= flags.to) {
    throw new Failure('usage', { what: '--bot-from must be before --to', where: 'backtest' });
  }
  const tape = requireTape(requireFlag(flags.tape, '--tape FOLDER'));
  const config = await configOf(flags, context);
  const strategies = strategiesOf(flags, config);
  const { runBacktest } = await import('../run/backtest/backtest.ts');
  const report = await withParams(flags, () =>
    runBacktest({
      strategies,
      tape,
      config,
      everyTick: flags.everyTick === true,
      speed: flags.speed,
      from: flags.from,
      to: flags.to,
      botFrom: flags.botFrom,
      seed: flags.seed ?? config.seed,
    }),
  );
  if (flags.out !== undefined) await writeReport(flags.out, report);
  if (flags.json) {
    const { jsonPieces } = await import('../report/write-json.ts');
    for (const piece of jsonPieces(report)) context.io.stdout.write(piece);
    context.io.stdout.write('\n');
  } else {
    const { formatReport } = await import('../report/format-report.ts');
    context.io.stdout.write(formatReport(report));
  }
  // The report is whole, but it is not that of the strategy as it was meant.
  if (report.failed.length > 0) context.exit(EXIT_FAILURE);
}

async function writeReport(file: string, report: BacktestReport): Promise<void> {
  const { closeSync, openSync, writeSync } = await import('node:fs');
  const { jsonPieces } = await import('../report/write-json.ts');
  try {
    const to = openSync(file, 'w');
    for (const piece of jsonPieces(report)) writeSync(to, piece);
    writeSync(to, '\n');
    closeSync(to);
  } catch (error) {
    throw new Failure('usage', { what: `the report cannot be written: ${(error as Error).message}`, where: '--out' }, { cause: error });
  }
}
