/** `tape export`: a tape as CSV. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { grouped } from '../base/figures.ts';
import { folderToBe, requireFlag, requireTape, type CliContext } from './context.ts';
import { EXITS, helpText, type HelpParts } from './help.ts';
import { safeText } from './terminal.ts';

const PARTS: HelpParts = {
  examples: [['tickwright tape export tapes/btc --out csv/btc', 'a file for each symbol and kind']],
  notes: ['`tape import` makes the same tape of these files again. pandas and DuckDB read them as they are.'],
  files: [['--out FOLDER', 'SYMBOL.KIND.csv; files of these names are replaced']],
  exits: [EXITS.done, EXITS.usage, ['78', 'the tape is damaged']],
};

export function addExport(tape: Command, context: CliContext): void {
  tape
    .command('export')
    .summary('write a tape as CSV')
    .description('Write the rows of a tape as CSV, a file for each symbol and kind.')
    .argument('<folder>', 'the tape')
    .option('-o, --out <folder>', 'where the files go (needed)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(PARTS))
    .action(async (folder: string, flags: { readonly out?: string; readonly json?: true }) => {
      const from = requireTape(folder, 'tape export');
      const to = resolve(folderToBe(requireFlag(flags.out, '--out FOLDER'), '--out'));
      const { exportCsv } = await import('../run/market/tapes.ts');
      const files = exportCsv(from, to);
      const text = files.map(({ file, rows }) => `${safeText(file)}  ${grouped(String(rows))} rows\n`).join('');
      context.io.stdout.write(flags.json ? `${JSON.stringify({ files })}\n` : text);
    });
}
