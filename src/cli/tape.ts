/** `tape import`, `tape info`, `tape stats`, `tape synth`: make tapes for backtests and inspect them. */
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { grouped, span } from '../base/figures.ts';
import type { ImportSummary, TapeInfo } from '../run/market/tapes.ts';
import { MADE_UP_MAX } from '../run/setup/options.ts';
import { configOf, requireFile, requireFlag, requireTape, type CliContext, type ConfigFlags } from './context.ts';
import { EXITS, helpText, optionFrom, type HelpParts } from './help.ts';
import { bytes, safeText, table } from './terminal.ts';
import { duration, each, moment, wholeNumber } from './values.ts';

const TAPE_PARTS: HelpParts = {
  examples: [
    ['tickwright tape import recordings/*.csv.gz --out tapes/mine', 'from trades and book tickers'],
    ['tickwright tape synth --out tapes/made --duration 12h', 'a synthetic market, from a seed'],
    ['tickwright tape info tapes/mine', 'what is in it, and where it has gaps'],
  ],
  notes: ['A tape is a folder that backtest and exchange read. `tickwright tape COMMAND --help` describes each command.'],
};

const IMPORT_PARTS: HelpParts = {
  examples: [
    ['tickwright tape import BTCUSDT.trades.csv.gz BTCUSDT.book.csv.gz --out tapes/btc'],
    ['tickwright tape import recordings/*.csv.gz --out tapes/all'],
  ],
  notes: [
    'Files are CSV, plain or gzipped, with a header line: trades are symbol,tradeId,price,size,side,ts and quotes are symbol,bidPrice,bidQty,askPrice,askQty,ts; further columns are ignored.',
  ],
  files: [['--out FOLDER', 'the tape: tape.json and columns of blocks, a few bytes a row']],
  exits: [EXITS.done, EXITS.usage, ['78', 'a file is not a recording: the error names the line']],
};

const INFO_PARTS: HelpParts = {
  examples: [['tickwright tape info tapes/btc'], ['tickwright tape info tapes/btc --json', 'for other programs']],
  exits: [EXITS.done, EXITS.usage, ['78', 'the tape is damaged: the error names file and block']],
};

const STATS_PARTS: HelpParts = {
  examples: [['tickwright tape stats tapes/btc'], ['tickwright tape stats tapes/btc tapes/made', 'a recording beside a synthetic market']],
  exits: [EXITS.done, EXITS.usage, ['78', 'a tape is damaged']],
};

const SYNTH_PARTS: HelpParts = {
  examples: [
    ['tickwright tape synth --out tapes/made --duration 1d', 'a day of the configured futures'],
    ['tickwright tape synth --out tapes/wide --symbols 50 --duration 12h --seed 7 --season', 'fifty symbols, busier at some hours'],
  ],
  notes: ['`tape stats` compares it with a recording. Its prices are random: a profit on it proves nothing.'],
  files: [['--out FOLDER', 'the tape']],
  exits: [EXITS.done, EXITS.usage, EXITS.configuration],
};

export function addTape(program: Command, context: CliContext): void {
  const tape = program
    .command('tape')
    .summary('make and inspect tapes')
    .description('Make tapes from recordings or a seed, and inspect them.')
    .addHelpText('after', helpText(TAPE_PARTS));
  addImport(tape, context);
  addInfo(tape, context);
  addStats(tape, context);
  addSynth(tape, context);
}

function addImport(tape: Command, context: CliContext): void {
  tape
    .command('import')
    .summary('make a tape from recordings')
    .description('Turn recorded trades and book tickers into a tape.')
    .argument('<files...>', 'CSV files, plain or gzipped')
    .option('-o, --out <folder>', 'where the tape goes; must not hold one yet (needed)')
    .addOption(
      new Option('--time-unit <unit>', 'unit of ts: seconds, milliseconds or microseconds').choices(['s', 'ms', 'us']).default('ms'),
    )
    .option('--force', 'replace a tape that is there')
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(IMPORT_PARTS))
    .action(async (files: string[], flags: ImportFlags) => {
      const paths = files.map((file) => requireFile(file, 'tape import'));
      const folder = resolve(requireFlag(flags.out, '--out FOLDER'));
      const { importRecordings } = await import('../run/market/tapes.ts');
      const summary = await importRecordings(paths, folder, { overwrite: flags.force === true, timeUnit: flags.timeUnit });
      context.io.stdout.write(flags.json ? `${JSON.stringify(summary)}\n` : importText(summary, context.io.stdout.columns ?? 80));
    });
}

function addInfo(tape: Command, context: CliContext): void {
  tape
    .command('info')
    .summary('show the contents of a tape')
    .description('Show rows, symbols, time span, gaps and size of a tape, and whether it is undamaged.')
    .argument('<folder>', 'the tape')
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(INFO_PARTS))
    .action(async (folder: string, flags: { readonly json?: true }) => {
      const { tapeInfo } = await import('../run/market/tapes.ts');
      const info = tapeInfo(requireTape(folder, 'tape info'));
      context.io.stdout.write(flags.json ? `${JSON.stringify(info)}\n` : infoText(info, context.io.stdout.columns ?? 80));
    });
}

function addStats(tape: Command, context: CliContext): void {
  tape
    .command('stats')
    .summary('show statistics of a market')
    .description('Show statistics of a tape: rates, spreads, sizes, volatility. With two tapes, side by side.')
    .argument('<folder>', 'the tape')
    .argument('[other]', 'a second tape to compare, by symbol')
    .option('--json', 'print one JSON object a tape')
    .addHelpText('after', helpText(STATS_PARTS))
    .action(async (folder: string, other: string | undefined, flags: { readonly json?: true }) => {
      const folders = [folder, ...(other === undefined ? [] : [other])].map((one) => requireTape(one, 'tape stats'));
      const { tapeStatistics } = await import('../run/market/tapes.ts');
      const all = folders.map((one) => ({ folder: one, symbols: tapeStatistics(one) }));
      const { statisticsText } = await import('./statistics-text.ts');
      context.io.stdout.write(flags.json ? all.map((one) => `${JSON.stringify(one)}\n`).join('') : statisticsText(all));
    });
}

function addSynth(tape: Command, context: CliContext): void {
  tape
    .command('synth')
    .summary('make a tape of a synthetic market')
    .description('Draw a market from a seed and write it as a tape. Same seed, same tape.')
    .option('-o, --out <folder>', 'where the tape goes; must not hold one yet (needed)')
    .addOption(optionFrom('--symbol <symbol>', 'a futures symbol of the instruments; repeatable', 'all', each).conflicts('symbols'))
    .option('--symbols <number>', 'number of symbols: those of the instruments first, then synthetic ones', wholeNumber(1, MADE_UP_MAX))
    .addOption(
      new Option('--duration <time>', 'how long the market lasts, such as 90m, 12h or 7d').argParser(duration).default(3_600_000, '1h'),
    )
    .addOption(
      new Option('--from <time>', 'its first moment: milliseconds since 1970 or a UTC time')
        .argParser(moment)
        .default(Date.UTC(2024, 0, 1), '2024-01-01'),
    )
    .option('--seed <number>', 'seed of all randomness', wholeNumber(0, Number.MAX_SAFE_INTEGER), 1)
    .option('--season', 'make some hours of the day busier')
    .option('-c, --config <file>', 'a configuration file, for its instruments')
    .option('--force', 'replace a tape that is there')
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(SYNTH_PARTS))
    .action((flags: SynthFlags) => synth(flags, context));
}

interface ImportFlags {
  readonly out?: string;
  readonly timeUnit: 's' | 'ms' | 'us';
  readonly force?: true;
  readonly json?: true;
}

interface SynthFlags extends ConfigFlags {
  readonly out?: string;
  readonly symbol?: readonly string[];
  readonly symbols?: number;
  readonly duration: number;
  readonly season?: true;
  readonly from: number;
  readonly seed: number;
  readonly force?: true;
  readonly json?: true;
}

async function synth(flags: SynthFlags, context: CliContext): Promise<void> {
  const folder = resolve(requireFlag(flags.out, '--out FOLDER'));
  const { instruments } = await configOf(flags, context);
  const { synthesise } = await import('../run/market/tapes.ts');
  const { from, seed, symbol = [], force = false, season = false } = flags;
  const chosen = { symbols: symbol, count: flags.symbols, durationMs: flags.duration, season };
  const info = synthesise({ folder, instruments, ...chosen, from, seed, overwrite: force });
  context.io.stdout.write(flags.json ? `${JSON.stringify(info)}\n` : infoText(info, context.io.stdout.columns ?? 80));
}

function importText(summary: ImportSummary, width: number): string {
  const rows = summary.files.map((f) => [
    f.file,
    f.kind,
    grouped(String(f.rowsIn)),
    grouped(String(f.rowsOut)),
    droppedText(f.dropped),
    clampedText(f),
  ]);
  const columns = [
    { title: 'file', flows: true as const },
    { title: 'kind' },
    { title: 'rows in', align: 'right' as const },
    { title: 'rows out', align: 'right' as const },
    { title: 'dropped', flows: true as const },
    { title: 'moved in time', flows: true as const },
  ];
  return `${safeText(table(columns, rows, width))}\n${grouped(String(summary.rowsOut))} rows are in ${safeText(summary.folder)}\n`;
}

function droppedText(dropped: ImportSummary['dropped']): string {
  const parts = Object.entries(dropped).map(([reason, count]) => `${grouped(String(count))} ${reason}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function clampedText(file: ImportSummary['files'][number]): string {
  return file.clamped === 0 ? 'none' : `${grouped(String(file.clamped))}, at most ${file.clampedMsMax} ms`;
}

function infoText(info: TapeInfo, width: number): string {
  const facts = table(
    [{ title: '' }, { title: '', flows: true }],
    [
      ['tape', info.folder],
      ['source', info.source],
      ['rows', grouped(String(info.rows))],
      ['symbols', firstOf(info.symbols.map((s) => s.symbol))],
      ['from', new Date(info.from).toISOString()],
      ['to', new Date(info.to).toISOString()],
      ['span', span(info.to - info.from)],
      ['blocks', `${grouped(String(info.blocks))}, checksums match`],
      ['size', `${bytes(info.bytes)}, ${info.bytesPerRow} bytes a row`],
    ],
    width,
  );
  const streams = table(
    [
      { title: 'symbol' },
      { title: 'kind' },
      { title: 'rows', align: 'right' },
      { title: 'size', align: 'right' },
      { title: 'gaps', flows: true },
    ],
    info.streams.slice(0, STREAMS_SHOWN).map((s) => [s.symbol, s.kind, grouped(String(s.rows)), bytes(s.bytes), gapsText(s.gaps)]),
    width,
  );
  const more = info.streams.length - STREAMS_SHOWN;
  return `${safeText(facts)}\n${safeText(streams)}${more > 0 ? `… and ${more} more; --json lists all\n` : ''}`;
}

/** Most streams in a table, and most symbols in a line. */
const STREAMS_SHOWN = 40;
const SYMBOLS_SHOWN = 10;

function firstOf(symbols: readonly string[]): string {
  const more = symbols.length - SYMBOLS_SHOWN;
  return symbols.slice(0, SYMBOLS_SHOWN).join(', ') + (more > 0 ? ` and ${grouped(String(more))} more` : '');
}

function gapsText({ count, over, totalMs, longest }: TapeInfo['streams'][number]['gaps']): string {
  const first = longest[0];
  if (count === 0 || first === undefined) return `none over ${span(over)}`;
  return `${count} over ${span(over)}, ${span(totalMs)} in all, longest ${span(first.to - first.from)} from ${new Date(first.from).toISOString()}`;
}
