/** Command lines with `--json`: on a bot that holds a position, and of commands that need no bot. */
import { join } from 'node:path';
import { main } from '../../../src/cli/run-command-line.ts';
import { commandIn } from '../output-fits.ts';

/** The words of the command line; OUT stands for a file. Later ones find what earlier ones left. */
const BOT_LINES: readonly string[] = [
  'status',
  'why',
  'why --all',
  'why --funnel',
  'why 1',
  'orders',
  'positions',
  'fills',
  'pnl',
  'pnl --by strategy',
  'pnl --by symbol',
  'limits',
  'halt BTCUSDT --why try',
  'status',
  'why',
  'resume BTCUSDT',
  'reduce-only --why try',
  'reduce-only off',
  'set holder size=0.2',
  'signal holder text',
  'settle 1 not-landed',
  'add ETHUSDT',
  'remove ETHUSDT',
  'reload holder',
  'cancel-all',
  'orders',
  'backup OUT',
  'rotate-epoch',
  'tail --since 10m --no-follow',
  'export fills',
  'export orders',
  'export trades',
  'add-strategy grid ETHUSDT --rehearse',
  'remove-strategy grid',
  'flatten --rehearse',
  'flatten',
  'positions',
  'kill --why try',
];

const ON_BARS = '--strategy strategies/ema-cross.ts --tape OUT/bars';
const SEARCH = `${ON_BARS} --param fast=2..4 --param slow=20 --trials 3 --workers 1`;

/** They write into the folder OUT. */
export const RESEARCH_LINES: readonly string[] = [
  'tape synth --out OUT/tape --duration 3m --symbol BTCUSDT',
  'tape synth --out OUT/later --duration 1m --symbol BTCUSDT --from 2024-01-02',
  'tape info OUT/tape',
  'tape stats OUT/tape',
  'tape cut OUT/tape --out OUT/cut --to 2024-01-01T00:02',
  'tape resample OUT/tape --out OUT/bars --timeframe 1s',
  'tape join OUT/cut OUT/later --out OUT/both',
  'tape export OUT/cut --out OUT/csv',
  'tape import OUT/csv/BTCUSDT.trades.csv --preview',
  'tape import OUT/csv/BTCUSDT.trades.csv --out OUT/imported',
  'tape fetch --list',
  `backtest ${ON_BARS} --out OUT/report.json`,
  'report OUT/report.json',
  `optimize ${SEARCH} --out OUT/search.json`,
  'report OUT/search.json',
  `walk-forward ${SEARCH} --folds 2`,
  `cross-validate ${SEARCH} --groups 4 --judging 1`,
  `monte-carlo ${ON_BARS} --curves 10 --runs 2 --markets 1`,
  `capacity ${ON_BARS} --doublings 1`,
  `verify ${ON_BARS} --moments 2`,
  'crashtest --strategy strategies/ema-cross.ts --seeds 1',
  'config --set bot=one',
  'doctor',
  'assumptions',
  'indicators sma',
];

/** A value that a command printed. */
export interface Printed {
  readonly command: string;
  readonly line: string;
  readonly value: unknown;
}

/** Types the first ones on the bot whose folder is "bot" in `folder`. @throws Error if the output is no JSON */
export function printedByBot(folder: string): Promise<Printed[]> {
  return printed(BOT_LINES, join(folder, 'copy.gz'), ['--json', '--state', join(folder, 'bot')]);
}

/** Types the others. @throws Error if the output is no JSON */
export function printedByResearch(folder: string): Promise<Printed[]> {
  return printed(RESEARCH_LINES, folder, ['--json']);
}

async function printed(lines: readonly string[], place: string, more: readonly string[]): Promise<Printed[]> {
  const all: Printed[] = [];
  for (const line of lines) {
    let [out, err] = ['', ''];
    const stdout = { write: (text: string) => void (out += text), columns: undefined };
    const stderr = { write: (text: string) => void (err += text), columns: undefined };
    const live = { update: () => undefined, write: () => undefined, end: () => undefined };
    const words = line.split(' ').map((word) => word.replace('OUT', place));
    await main([...words, ...more], { stdout, stderr, isTty: false, live });
    if (out === '') throw new Error(`${line}: ${err}`);
    // One object, or a line for each.
    const texts = words[0] === 'tail' ? out.trimEnd().split('\n') : [out];
    for (const text of texts) all.push({ command: commandIn(words)!, line, value: JSON.parse(text) });
  }
  return all;
}
