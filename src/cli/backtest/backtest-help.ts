/** Defines `backtest` for commander, which prints its help and reads command lines that plain.ts cannot. */
import type { Command } from 'commander';
import { backtest, BACKTEST_OPTIONS, type BacktestFlags } from './backtest.ts';
import type { CliContext } from '../shell/context.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from '../shell/help.ts';

const PARTS: HelpParts = {
  examples: [
    ['tickwright backtest --strategy strategies/ema-cross.ts --tape tapes/btc'],
    ['tickwright backtest --strategy my.ts --tape tapes/btc --param fast=10 --symbol BTCUSDT', 'one parameter and one symbol'],
    ['tickwright backtest --config config/backtest.yaml --strategy my.ts --tape tapes/btc --json > report.json', 'for other programs'],
    ['tickwright backtest --strategy my.ts --tape tapes/btc --html report.html', 'charts and all metrics in one file, for a browser'],
  ],
  notes: [
    'The strategy sees the market as its polls would have shown it, after the configured latency; on bars it sees the points of their paths, and polls show what became of its orders. --every-tick shows it every row, more than it would see live; the report then says so.',
    'What a backtest shows and what it cannot: docs/backtesting-honestly.md.',
  ],
  variables: [ANY_KEY],
  files: [
    ['--out FILE', 'the report as JSON'],
    ['--html FILE', 'the report as a page that loads nothing. A backtest keeps nothing else'],
  ],
  exits: [
    ['0', 'the strategy ran to the end'],
    ['1', 'a strategy threw errors, and may have been stopped for them; the report names it first, the last line last'],
    EXITS.usage,
    EXITS.configuration,
  ],
};

export function addBacktest(program: Command, context: CliContext): void {
  const command = program
    .command('backtest')
    .summary('run a strategy on a tape (a recorded market)')
    .description('Run a strategy on a recorded market and report fills, profit, fees and drawdown. The same inputs give the same bytes.');
  withOtherHelp(addOptions(command, BACKTEST_OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: BacktestFlags) => backtest(flags, context));
}
