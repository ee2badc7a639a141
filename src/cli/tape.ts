/** `tape import`, `tape info`, `tape synth`: make recordings ready for backtests and look at them. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { requireFile, requireFlag, requireTape, type CliContext } from './context.ts';
import { moment, numberFrom, wholeNumber } from './values.ts';

const IMPORT_EXAMPLES = `
Examples:
  tickwright tape import BTCUSDT.trades.csv.gz BTCUSDT.book.csv.gz --out tapes/btc
  tickwright tape import recordings/*.csv.gz --out tapes/all

Files are CSV, plain or gzipped, with a header line: trades are symbol,tradeId,price,size,side,ts and
quotes are symbol,bidPrice,bidQty,askPrice,askQty,ts; further columns are ignored.`;

export function addTape(program: Command, context: CliContext): void {
  const tape = program.command('tape').summary('make and inspect tapes').description('Make tapes out of recordings, and inspect them.');
  tape
    .command('import')
    .summary('make a tape out of recordings')
    .description('Turn recorded trades and book tickers into a tape.')
    .argument('<files...>', 'CSV files, plain or gzipped')
    .option('-o, --out <folder>', 'where the tape goes; must not hold one yet (needed)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(async (files: string[], flags: { readonly out?: string; readonly json?: true }) => {
      const paths = files.map((file) => requireFile(file, 'tape import'));
      const { importRecordings } = await import('../run/tapes.ts');
      context.io.stdout.write(await importRecordings(paths, resolve(requireFlag(flags.out, '--out FOLDER')), flags.json === true));
    });
  tape
    .command('info')
    .summary('what a tape holds')
    .description('Tell rows, symbols, time span, gaps and size of a tape.')
    .argument('<folder>', 'the tape')
    .option('--json', 'print one JSON object')
    .action(async (folder: string, flags: { readonly json?: true }) => {
      const { describeTape } = await import('../run/tapes.ts');
      context.io.stdout.write(describeTape(requireTape(folder), flags.json === true));
    });
  tape
    .command('synth')
    .summary('make a tape of a made-up market')
    .description('Draw a market from a seed and write it as a tape. Same seed, same tape.')
    .option('-o, --out <folder>', 'where the tape goes; must not hold one yet (needed)')
    .option('--hours <number>', 'how long the market lasts', numberFrom(0.001), 1)
    .option('--from <time>', 'its first moment', moment, Date.UTC(2024, 0, 1))
    .option('--seed <number>', 'seed of all randomness', wholeNumber(0, Number.MAX_SAFE_INTEGER), 1)
    .option('--json', 'print one JSON object')
    .action(async (flags: { readonly out?: string; readonly hours: number; readonly from: number; readonly seed: number; readonly json?: true }) => {
      const { synthesise } = await import('../run/tapes.ts');
      const text = await synthesise({ folder: resolve(requireFlag(flags.out, '--out FOLDER')), hours: flags.hours, from: flags.from, seed: flags.seed }, flags.json === true);
      context.io.stdout.write(text);
    });
}
