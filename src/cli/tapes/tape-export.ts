/** `tape export`: a tape as CSV, Parquet or Arrow. */
import { Option, type Command } from 'commander';
import { grouped } from '../../base/figures.ts';
import { Failure } from '../../base/failure.ts';
import { shownJson } from '../../base/hidden.ts';
import type { ExportedFile } from '../../run/market/exports.ts';
import { folderToBe, requireFlag, requireTape, type CliContext } from '../shell/context.ts';
import { EXITS, helpText, type HelpParts } from '../shell/help.ts';
import { withProgress } from '../terminal/progress.ts';
import { safeText } from '../terminal/terminal.ts';

const PARTS: HelpParts = {
  examples: [
    ['tickwright tape export tapes/btc --out csv/btc', 'a file for each symbol and kind'],
    ['tickwright tape export tapes/btc --out parquet/btc --format parquet', 'for DuckDB, pandas, Polars'],
    ['tickwright tape export --session var/bot --out csv/bot', 'the market that a bot saw'],
  ],
  notes: [
    '`tape import` makes the same tape of these files again.',
    'Numbers are floating point: each is the double nearest to the recorded decimal. `--numbers decimal` writes decimals of 18 digits.',
  ],
  files: [['--out FOLDER', 'SYMBOL.KIND.csv, .parquet or .arrow; files of these names are replaced']],
  exits: [EXITS.done, EXITS.usage, ['78', 'the tape is damaged']],
};

const NEITHER = {
  what: 'tape export: expected either the folder of a tape or --session',
  hint: 'such as "tickwright tape export tapes/btc --out csv" or "tickwright tape export --session var/bot --out csv"',
};

interface ExportFlags {
  readonly out?: string;
  readonly session?: string;
  readonly format: 'csv' | 'parquet' | 'arrow';
  readonly numbers: 'double' | 'decimal';
  readonly json?: true;
}

export function addExport(tape: Command, context: CliContext): void {
  tape
    .command('export')
    .summary('write a tape as CSV, Parquet or Arrow')
    .description('Write the rows of a tape as CSV, Parquet or Arrow, a file for each symbol and kind.')
    .argument('[folder]', 'the tape')
    .option(
      '--session <folder>',
      'instead of a tape, the market that the recorded sessions of a bot saw: one of them, or the state folder of the bot',
    )
    .option('-o, --out <folder>', 'where the files go (needed)')
    .addOption(new Option('--format <name>', 'form of the files').choices(['csv', 'parquet', 'arrow']).default('csv'))
    .addOption(new Option('--numbers <form>', 'prices and sizes in Parquet and Arrow').choices(['double', 'decimal']).default('double'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(PARTS))
    .action(async (folder: string | undefined, { out, session, format, numbers, json }: ExportFlags) => {
      if ((folder === undefined) === (session === undefined)) throw new Failure('command-line', NEITHER);
      const to = folderToBe(requireFlag(out, '--out FOLDER'), '--out');
      const { exportTape } = await import('../../run/market/exports.ts');
      const line = { what: 'export', noun: 'rows', isJson: json === true };
      const write = (from: string): Promise<ExportedFile[]> =>
        withProgress(context.io, line, (progress) => exportTape(from, to, { format, numbers, progress }));
      const files = await (session === undefined
        ? write(requireTape(folder!, 'tape export'))
        : (await import('../../run/live/session-tape.ts')).withSessionTape(session, write));
      const text = files.map(({ file, rows }) => `${safeText(file)}  ${grouped(String(rows))} rows\n`).join('');
      context.io.stdout.write(json ? `${shownJson({ files })}\n` : text);
    });
}
