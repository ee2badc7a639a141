/** `tape import`: its flags, its preview, and what it says about the data. */
import { relative } from 'node:path';
import { grouped, span } from '../../base/text/figures.ts';
import { Failure } from '../../base/failure/failure.ts';
import { wrap } from '../../base/text/wrap.ts';
import type { ImportOptions, ImportSummary, Preview } from '../../run/market/tapes.ts';
import { withProgress } from '../terminal/progress.ts';
import { folderToBe, requireFile, type CliContext } from '../shell/cli-context.ts';
import { numbers, table, words } from '../../report/document/text-table.ts';
import { findingsText, safeText, widthOf } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

interface ImportFlags {
  readonly out?: string;
  readonly preview?: true;
  readonly columns?: string;
  readonly timeColumn?: string;
  readonly timeUnit: 'auto' | 's' | 'ms' | 'us' | 'ns';
  readonly timeFormat?: ImportOptions['timeFormat'];
  readonly timeZone?: string;
  readonly symbol?: string;
  readonly timeframe?: number;
  readonly shift?: readonly string[];
  readonly contractSize?: string;
  readonly clean?: true;
  readonly force?: true;
  readonly json?: true;
}

export async function runImport(flags: ImportFlags, { io }: CliContext, files: readonly string[]): Promise<void> {
  const paths = files.map((file) => requireFile(file, 'tape import'));
  const width = widthOf(io.stdout);
  const { importRecordings, previewRecordings } = await import('../../run/market/tapes.ts');
  const choice = {
    columns: flags.columns,
    timeColumn: flags.timeColumn,
    timeFormat: flags.timeFormat,
    timeZone: flags.timeZone,
    symbol: flags.symbol,
    barMs: flags.timeframe,
    contractSize: flags.contractSize,
  };
  if (flags.preview) {
    const previews = await previewRecordings(paths, { ...choice, unit: flags.timeUnit });
    if (flags.json) printJson(io, 'tape import', previews);
    else io.stdout.write(previews.map((one) => previewText(one, width)).join('\n'));
    return;
  }
  const folder = folderToBe(outOf(flags), '--out');
  const options = {
    ...choice,
    timeUnit: flags.timeUnit,
    shiftMs: shiftsOf(flags.shift ?? []),
    clean: flags.clean,
    overwrite: flags.force === true,
  };
  const line = { what: 'import', noun: 'rows', isJson: flags.json === true };
  const summary = await withProgress(io, line, (tell) => importRecordings(paths, folder, { ...options, progress: tell }));
  if (flags.json) printJson(io, 'tape import', summary);
  else io.stdout.write(importText(summary, width));
}

/** @throws Failure (flag-missing) */
function outOf({ out }: ImportFlags): string {
  if (out !== undefined) return out;
  throw new Failure('flag-missing', { what: '--out FOLDER is missing', hint: '--preview shows the rows without it' });
}

const KINDS = ['trades', 'quotes', 'bars', 'marks', 'funding'] as const;

/** "trades=-1270" → that kind; "500" → every kind. */
function shiftsOf(texts: readonly string[]): Record<string, number> {
  const shifts: Record<string, number> = {};
  for (const text of texts) {
    const found = /^(?:(trades|quotes|bars|marks|funding)=)?([-+]?\d+)$/.exec(text);
    if (found === null) {
      const what = `expected KIND=MILLISECONDS, found ${JSON.stringify(text)}`;
      throw new Failure('flag-value', { what, where: '--shift', hint: `kinds are ${KINDS.join(', ')}; for example --shift trades=-1270` });
    }
    for (const kind of found[1] === undefined ? KINDS : [found[1]]) shifts[kind] = Number(found[2]);
  }
  return shifts;
}

function previewText(preview: Preview, width: number): string {
  const { file, title, kind, symbol, timeUnit, timeFormat, timeZone, barMs, isNewestFirst, columns, values, rows } = preview;
  const facts = [
    ['file', file],
    ['format', `${title} (${preview.format})`],
    ['rows are', barMs === 0 ? kind : `${kind} of ${span(barMs)}`],
    ['symbol', symbol ?? 'in the rows'],
    [
      'times',
      `${timeFormat === null ? (TIMES[timeUnit] ?? timeUnit) : `${timeFormat}, in ${timeZone} where there is no zone`}${isNewestFirst ? ', newest first: turned round' : ''}`,
    ],
    ['columns', columns.map(({ name, role }) => (role === '' ? `${name} (not read)` : `${name} → ${role}`)).join(', ')],
  ];
  const head = table([{ title: '' }, words('')], facts, width);
  const body = table(
    values.map((title_) => ({ title: title_ })),
    rows,
    width,
  );
  return safeText(`${head}\n${body}`);
}

const TIMES: Readonly<Record<string, string>> = {
  s: 'seconds since 1970',
  ms: 'milliseconds since 1970',
  us: 'microseconds since 1970, cut to milliseconds',
  ns: 'nanoseconds since 1970, cut to milliseconds',
  synthetic: 'milliseconds of 1970: no real times',
};

function importText(summary: ImportSummary, width: number): string {
  const rows = summary.files.map((f) => [
    shorter(f.file),
    f.format,
    grouped(String(f.rowsIn)),
    grouped(String(f.rowsOut)),
    droppedText(f.dropped),
    clampedText(f),
  ]);
  const columns = [words('file'), { title: 'format' }, numbers('rows in'), numbers('rows out'), words('dropped'), words('moved in time')];
  const assumed = summary.assumed.map((sentence) => `${wrap(`  - ${sentence}`, width, '', '    ').join('\n')}\n`).join('');
  const taken = assumed === '' ? '' : `\nTaken for granted\n${safeText(assumed)}`;
  return `${safeText(table(columns, rows, width))}${taken}${findingsText(summary.findings)}\n${grouped(String(summary.rowsOut))} rows are in ${safeText(summary.folder)}\n`;
}

/** A path from the working directory, if that is shorter. */
function shorter(path: string): string {
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}

export function droppedText(dropped: Readonly<Record<string, number | undefined>>): string {
  const parts = Object.entries(dropped).map(([reason, count]) => `${grouped(String(count))} ${reason}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function clampedText(file: ImportSummary['files'][number]): string {
  return file.clamped === 0 ? 'none' : `${grouped(String(file.clamped))}, at most ${file.clampedMsMax} ms`;
}
