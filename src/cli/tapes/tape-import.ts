/** `tape import`: its flags, its preview, and what it says about the data. */
import { relative } from 'node:path';
import { Option, type Command } from 'commander';
import { grouped, span } from '../../base/figures.ts';
import { Failure } from '../../base/failure.ts';
import { shownJson } from '../../base/hidden.ts';
import type { ImportSummary, Preview } from '../../run/market/tapes.ts';
import { withProgress } from '../terminal/progress.ts';
import { folderToBe, requireFile, requireFlag, type CliContext } from '../shell/context.ts';
import { EXITS, helpText, type HelpParts } from '../shell/help.ts';
import { findingsText, safeText, table, widthOf } from '../terminal/terminal.ts';
import { duration, each } from '../shell/values.ts';

const PARTS: HelpParts = {
  examples: [
    ['tickwright tape import recordings/*.csv.gz --out tapes/mine', 'trades and book tickers'],
    ['tickwright tape import BTCUSDT-1m-2024-*.zip --out tapes/bars', 'a year of one-minute bars'],
    ['tickwright tape import data.csv --preview', 'the first rows as they are understood; nothing is written'],
    ['tickwright tape import data.csv --columns time=ts,price=px,size=qty --symbol BTCUSDT --out tapes/mine', 'columns of other names'],
  ],
  notes: [
    'CSV, JSON, Parquet and feather, plain or in gzip, zip or zstd. A file is recognised by its columns: Binance, Bybit, OKX, Bitget, Tardis, CryptoDataDownload, freqtrade, ccxt. docs/data.md lists them.',
    'Trades, quotes and bars are a market; mark prices and funding rates belong beside one. Bars of two lengths belong on two tapes.',
  ],
  files: [['--out FOLDER', 'the tape: tape.json and columns of blocks, a few bytes a row']],
  exits: [EXITS.done, EXITS.usage, ['78', 'a file is not a recording: the error names the line']],
};

interface ImportFlags {
  readonly out?: string;
  readonly preview?: true;
  readonly columns?: string;
  readonly timeColumn?: string;
  readonly timeUnit: 'auto' | 's' | 'ms' | 'us' | 'ns';
  readonly symbol?: string;
  readonly timeframe?: number;
  readonly shift?: readonly string[];
  readonly contractSize?: string;
  readonly clean?: true;
  readonly force?: true;
  readonly json?: true;
}

export function addImport(tape: Command, context: CliContext): void {
  tape
    .command('import')
    .summary('make a tape from recordings')
    .description('Turn recorded trades, quotes, bars, mark prices and funding rates into a tape.')
    .argument('<files...>', 'CSV, JSON, Parquet or feather files, plain or packed')
    .option('-o, --out <folder>', 'where the tape goes; must not hold one yet (needed)')
    .option('--preview', 'show the first rows as they are understood, and write nothing')
    .option('--columns <list>', 'which column is which: time=ts,price=px or, in order, time,price,size,_')
    .option('--time-column <name>', 'the column that holds the time')
    .addOption(
      new Option('--time-unit <unit>', 'what times count: seconds, milli-, micro- or nanoseconds')
        .choices(['auto', 's', 'ms', 'us', 'ns'])
        .default('auto', 'auto, by their size'),
    )
    .option('--symbol <symbol>', 'the symbol of rows that have none (default: from the name of the file)')
    .addOption(new Option('--timeframe <time>', 'length of the bars, such as 1m or 4h (default: from the rows)').argParser(duration))
    .addOption(new Option('--shift <kind=ms>', 'add to the times of a kind, such as trades=-1270; repeatable').argParser(each))
    .option('--contract-size <coins>', 'coins in a contract, where sizes count contracts')
    .option('--clean', 'leave outliers out and correct the skew between trades and book; the tape says what was done')
    .option('--force', 'replace a tape that is there')
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(PARTS))
    .action((files: string[], flags: ImportFlags) => runImport(files, flags, context));
}

async function runImport(files: readonly string[], flags: ImportFlags, { io }: CliContext): Promise<void> {
  const paths = files.map((file) => requireFile(file, 'tape import'));
  const width = widthOf(io.stdout);
  const { importRecordings, previewRecordings } = await import('../../run/market/tapes.ts');
  const choice = {
    columns: flags.columns,
    timeColumn: flags.timeColumn,
    symbol: flags.symbol,
    barMs: flags.timeframe,
    contractSize: flags.contractSize,
  };
  if (flags.preview) {
    const previews = await previewRecordings(paths, { ...choice, unit: flags.timeUnit });
    io.stdout.write(flags.json ? `${shownJson(previews)}\n` : previews.map((one) => previewText(one, width)).join('\n'));
    return;
  }
  const folder = folderToBe(requireFlag(flags.out, '--out FOLDER'), '--out');
  const options = {
    ...choice,
    timeUnit: flags.timeUnit,
    shiftMs: shiftsOf(flags.shift ?? []),
    clean: flags.clean,
    overwrite: flags.force === true,
  };
  const line = { what: 'import', noun: 'rows', isJson: flags.json === true };
  const summary = await withProgress(io, line, (tell) => importRecordings(paths, folder, { ...options, progress: tell }));
  io.stdout.write(flags.json ? `${shownJson(summary)}\n` : importText(summary, width));
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
  const { file, title, kind, symbol, timeUnit, barMs, isNewestFirst, columns, values, rows } = preview;
  const facts = [
    ['file', file],
    ['format', `${title} (${preview.format})`],
    ['rows are', barMs === 0 ? kind : `${kind} of ${span(barMs)}`],
    ['symbol', symbol ?? 'in the rows'],
    ['times', `${TIMES[timeUnit] ?? timeUnit}${isNewestFirst ? ', newest first: turned round' : ''}`],
    ['columns', columns.map(({ name, role }) => (role === '' ? `${name} (not read)` : `${name} → ${role}`)).join(', ')],
  ];
  const head = table([{ title: '' }, { title: '', flows: true }], facts, width);
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
  iso: 'ISO 8601, in UTC where there is no zone',
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
  const columns = [
    { title: 'file', flows: true as const },
    { title: 'format' },
    { title: 'rows in', align: 'right' as const },
    { title: 'rows out', align: 'right' as const },
    { title: 'dropped', flows: true as const },
    { title: 'moved in time', flows: true as const },
  ];
  return `${safeText(table(columns, rows, width))}${findingsText(summary.findings)}\n${grouped(String(summary.rowsOut))} rows are in ${safeText(summary.folder)}\n`;
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
