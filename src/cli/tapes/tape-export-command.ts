/** `tape export`: a tape as CSV, Parquet or Arrow. */
import { grouped } from '../../base/text/figures.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { ExportedFile } from '../../run/market/exports.ts';
import { folderToBe, requireTape, type CliContext } from '../shell/cli-context.ts';
import { withProgress } from '../terminal/progress.ts';
import { safeText } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

const NEITHER = {
  what: 'tape export: expected either the folder of a tape or --session',
  hint: 'such as "tickwright tape export tapes/btc --out csv" or "tickwright tape export --session var/bot --out csv"',
};

interface ExportFlags {
  readonly out: string;
  readonly session?: string;
  readonly format: 'csv' | 'parquet' | 'arrow';
  readonly numbers: 'double' | 'decimal';
  readonly json?: true;
}

export async function runExport({ out, session, format, numbers, json }: ExportFlags, context: CliContext, folder?: string): Promise<void> {
  if ((folder === undefined) === (session === undefined)) throw new Failure('command-line', NEITHER);
  const to = folderToBe(out, '--out');
  const { exportTape } = await import('../../run/market/exports.ts');
  const line = { what: 'export', noun: 'rows', isJson: json === true };
  const write = (from: string): Promise<ExportedFile[]> =>
    withProgress(context.io, line, (progress) => exportTape(from, to, { format, numbers, progress }));
  const files = await (session === undefined
    ? write(requireTape(folder!, 'tape export'))
    : (await import('../../run/live/session-tape.ts')).withSessionTape(session, write));
  const text = files.map(({ file, rows }) => `${safeText(file)}  ${grouped(String(rows))} rows\n`).join('');
  if (json) printJson(context.io, 'tape export', { files });
  else context.io.stdout.write(text);
}
