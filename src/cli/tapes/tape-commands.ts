/** `tape info`, `tape stats`, `tape synth`: what a tape has, what its market is like, and one from a seed. */
import { basename, dirname, resolve } from 'node:path';
import { grouped, span } from '../../base/text/figures.ts';
import type { TapeInfo } from '../../run/market/tapes.ts';
import { configOf, folderToBe, requireTape, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';
import { droppedText } from './tape-import-command.ts';
import { withProgress } from '../terminal/progress.ts';
import { numbers, table, words } from '../../report/document/text-table.ts';
import { bytes, findingsText, safeText, widthOf } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

interface JsonFlag {
  readonly json?: true;
}

export async function runInfo(flags: JsonFlag & { readonly instruments?: string }, context: CliContext, folder: string): Promise<void> {
  const { instrumentsFile, tapeInfo } = await import('../../run/market/tapes.ts');
  const tape = requireTape(folder, 'tape info');
  if (flags.instruments !== undefined) {
    const { text, count, guessed } = instrumentsFile(tape);
    const { writeFiles } = await import('../setup/project-files.ts');
    writeFiles(dirname(resolve(flags.instruments)), { [basename(flags.instruments)]: text });
    const check =
      guessed.length === 0 ? '' : `; fees and largest size of ${guessed.length} are guessed: correct them before you believe a result`;
    context.io.stderr.write(safeText(`Written: ${flags.instruments}, ${count} ${count === 1 ? 'row' : 'rows'}${check}\n`));
  }
  const info = tapeInfo(tape);
  if (flags.json) printJson(context.io, 'tape info', info);
  else context.io.stdout.write(infoText(info, widthOf(context.io.stdout)));
}

export async function runStats(flags: JsonFlag, context: CliContext, folder: string, other?: string): Promise<void> {
  const folders = [folder, ...(other === undefined ? [] : [other])].map((one) => requireTape(one, 'tape stats'));
  const { tapeStatistics } = await import('../../run/market/tapes.ts');
  const all = folders.map((one) => ({ folder: one, symbols: tapeStatistics(one) }));
  const { statisticsText } = await import('./statistics-text.ts');
  if (flags.json) for (const one of all) printJson(context.io, 'tape stats', one);
  else context.io.stdout.write(statisticsText(all));
}

interface SynthFlags extends ConfigFlags {
  readonly out: string;
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

export async function runSynth(flags: SynthFlags, context: CliContext): Promise<void> {
  const folder = folderToBe(flags.out, '--out');
  const { instruments } = await configOf(flags, context);
  const { synthesise } = await import('../../run/market/tapes.ts');
  const { from, seed, symbol = [], force = false, season = false } = flags;
  const chosen = { symbols: symbol, count: flags.symbols, durationMs: flags.duration, barMs: flags.bars, season };
  const line = { what: 'synth', noun: 'rows', isJson: flags.json === true };
  const info = await withProgress(context.io, line, (progress) =>
    synthesise({ folder, instruments, ...chosen, from, seed, overwrite: force, progress }),
  );
  if (flags.json) printJson(context.io, 'tape synth', info);
  else context.io.stdout.write(infoText(info, widthOf(context.io.stdout)));
}

/** A recording has all rows. */
function leftOut({ dropped, recording }: TapeInfo): [string, string][] {
  if (dropped === null && recording !== null) return [];
  return [['left out', dropped === null ? 'not known: the tape does not say' : droppedText(dropped)]];
}

function infoText(info: TapeInfo, width: number): string {
  const facts = table(
    [{ title: '' }, words('')],
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
      ...fetchedRows(info),
      ...recordingRows(info.recording),
    ],
    width,
  );
  const streams = table(
    [{ title: 'symbol' }, { title: 'kind' }, numbers('rows'), numbers('size'), words('gaps')],
    info.streams.slice(0, STREAMS_SHOWN).map((s) => [s.symbol, s.kind, grouped(String(s.rows)), bytes(s.bytes), gapsText(s.gaps)]),
    width,
  );
  const more = info.streams.length - STREAMS_SHOWN;
  return `${safeText(facts)}\n${safeText(streams)}${more > 0 ? `… and ${more} more; --json lists all\n` : ''}${findingsText(info.findings)}`;
}

/** What `tape fetch` brought, and the days that the archive did not have. */
function fetchedRows({ fetched }: TapeInfo): [string, string][] {
  return fetched.map(({ source, market, symbol, kind, days, missing }) => {
    const text = (ranges: typeof days): string => firstOf(ranges.map(([from, to]) => (from === to ? from : `${from}..${to}`)));
    const gaps = missing.length === 0 ? '' : `; not there: ${text(missing)}`;
    return ['fetched', `${kind} of ${symbol}, ${source} ${market}: ${text(days)}${gaps}`];
  });
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
