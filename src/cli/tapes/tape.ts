/** `tape import`, `tape record`, `tape export`, `tape cut`, `tape join`, `tape resample`, `tape info`, `tape stats`, `tape synth`: make tapes for backtests and inspect them. */
import { Option, type Command } from 'commander';
import { grouped, span } from '../../base/figures.ts';
import { shownJson } from '../../base/hidden.ts';
import type { TapeInfo } from '../../run/market/tapes.ts';
import { SYNTHETIC_MAX } from '../../run/setup/options.ts';
import { configOf, folderToBe, requireFlag, requireTape, type CliContext, type ConfigFlags } from '../shell/context.ts';
import { EXITS, helpText, optionFrom, type HelpParts } from '../shell/help.ts';
import { addEdits } from './tape-edit.ts';
import { addExport } from './tape-export.ts';
import { addImport, droppedText } from './tape-import.ts';
import { addRecord } from './tape-record.ts';
import { withProgress } from '../terminal/progress.ts';
import { bytes, findingsText, safeText, table, widthOf } from '../terminal/terminal.ts';
import { duration, each, moment, wholeNumber } from '../shell/values.ts';

const TAPE_PARTS: HelpParts = {
  examples: [
    ['tickwright tape import recordings/*.csv.gz --out tapes/mine', 'from trades and book tickers'],
    ['tickwright tape synth --out tapes/made --duration 12h', 'a synthetic market, from a seed'],
    ['tickwright tape info tapes/mine', 'what is in it, and where it has gaps'],
  ],
  notes: ['A tape is a folder that backtest and exchange read. `tickwright tape COMMAND --help` describes each command.'],
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
    ['tickwright tape synth --out tapes/year --bars 1m --duration 365d --symbol BTCUSDT', 'a year of one-minute bars, within seconds'],
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
  addExport(tape, context);
  addRecord(tape, context);
  addEdits(tape, context);
  addStats(tape, context);
  addSynth(tape, context);
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
      const { tapeInfo } = await import('../../run/market/tapes.ts');
      const info = tapeInfo(requireTape(folder, 'tape info'));
      context.io.stdout.write(flags.json ? `${shownJson(info)}\n` : infoText(info, widthOf(context.io.stdout)));
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
      const { tapeStatistics } = await import('../../run/market/tapes.ts');
      const all = folders.map((one) => ({ folder: one, symbols: tapeStatistics(one) }));
      const { statisticsText } = await import('./statistics-text.ts');
      context.io.stdout.write(flags.json ? all.map((one) => `${shownJson(one)}\n`).join('') : statisticsText(all));
    });
}

function addSynth(tape: Command, context: CliContext): void {
  tape
    .command('synth')
    .summary('make a tape of a synthetic market')
    .description('Draw a market from a seed and write it as a tape. Same seed, same tape.')
    .option('-o, --out <folder>', 'where the tape goes; must not hold one yet (needed)')
    .addOption(optionFrom('--symbol <symbol>', 'a futures symbol of the instruments; repeatable', 'all', each).conflicts('symbols'))
    .option('--symbols <number>', 'number of symbols: those of the instruments first, then synthetic ones', wholeNumber(1, SYNTHETIC_MAX))
    .addOption(
      new Option('--duration <time>', 'how long the market lasts, such as 90m, 12h or 7d').argParser(duration).default(3_600_000, '1h'),
    )
    .addOption(
      new Option('--from <time>', 'its first moment: milliseconds since 1970 or a UTC time')
        .argParser(moment)
        .default(Date.UTC(2024, 0, 1), '2024-01-01'),
    )
    .addOption(new Option('--bars <time>', 'bars of this length instead of trades and quotes, such as 1m').argParser(duration))
    .option('--seed <number>', 'seed of all randomness', wholeNumber(0, Number.MAX_SAFE_INTEGER), 1)
    .option('--season', 'make some hours of the day busier')
    .option('-c, --config <file>', 'a configuration file, for its instruments')
    .option('--force', 'replace a tape that is there')
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(SYNTH_PARTS))
    .action((flags: SynthFlags) => synth(flags, context));
}

interface SynthFlags extends ConfigFlags {
  readonly out?: string;
  readonly symbol?: readonly string[];
  readonly symbols?: number;
  readonly duration: number;
  readonly season?: true;
  readonly bars?: number;
  readonly from: number;
  readonly seed: number;
  readonly force?: true;
  readonly json?: true;
}

async function synth(flags: SynthFlags, context: CliContext): Promise<void> {
  const folder = folderToBe(requireFlag(flags.out, '--out FOLDER'), '--out');
  const { instruments } = await configOf(flags, context);
  const { synthesise } = await import('../../run/market/tapes.ts');
  const { from, seed, symbol = [], force = false, season = false } = flags;
  const chosen = { symbols: symbol, count: flags.symbols, durationMs: flags.duration, barMs: flags.bars, season };
  const line = { what: 'synth', noun: 'rows', isJson: flags.json === true };
  const info = await withProgress(context.io, line, (progress) =>
    synthesise({ folder, instruments, ...chosen, from, seed, overwrite: force, progress }),
  );
  context.io.stdout.write(flags.json ? `${shownJson(info)}\n` : infoText(info, widthOf(context.io.stdout)));
}

/** A recording has all rows. */
function leftOut({ dropped, recording }: TapeInfo): [string, string][] {
  if (dropped === null && recording !== null) return [];
  return [['left out', dropped === null ? 'not known: the tape does not say' : droppedText(dropped)]];
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
      ['grid', firstOf(info.grids.map((g) => `${g.symbol} tick ${g.tickSize} lot ${g.lotSize} (${grouped(String(g.rows))} rows)`))],
      ...leftOut(info),
      ...recordingRows(info.recording),
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
  return `${safeText(facts)}\n${safeText(streams)}${more > 0 ? `… and ${more} more; --json lists all\n` : ''}${findingsText(info.findings)}`;
}

/** When a recording was made and what it lacks; nothing for other tapes. */
function recordingRows(recording: TapeInfo['recording']): [string, string][] {
  if (recording === null) return [];
  const { spans, gaps, gapCount } = recording;
  const ms = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const newest = gaps.slice(-GAPS_SHOWN).map(({ symbol, kind, cause, from, to }) => {
    const what = `${symbol === '' ? 'all' : symbol} ${kind} ${GAP_WORDS[cause]}`;
    return `${what} for ${span(to - from)} from ${new Date(from).toISOString()}`;
  });
  const more = gapCount - newest.length;
  return [
    ['recorded', `${span(ms)} in ${spans.length} ${spans.length === 1 ? 'run' : 'runs'}`],
    ['missing', gapCount === 0 ? 'nothing' : `${newest.join('; ')}${more > 0 ? `; and ${grouped(String(more))} before` : ''}`],
  ];
}

const GAPS_SHOWN = 5;
const GAP_WORDS = {
  stopped: 'not recorded',
  'no-answer': 'without an answer',
  missed: 'not all given',
  'ids-restarted': 'not all given (ids began again)',
} as const;

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
