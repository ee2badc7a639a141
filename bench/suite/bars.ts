/** Figures of an EMA cross on one-minute bars with the whole venue and engine. Floors leave room; the goal stands beside them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateBars } from '../generate.ts';
import { secondsOf, threads } from './search.ts';
import { here, isLong, isQuick, judgedAbove, judgedBelow, median, node, PAIRS, spreadOf, tell } from './table.ts';

interface BarPass {
  readonly trialMs: number;
  /** Milliseconds of the processor for a trial. */
  readonly cpuMs: number;
  readonly overheadMs: number;
  readonly peakMb: number;
}

function pass(count: number, trials: number): BarPass {
  return JSON.parse(node([here('bars.ts'), String(count), String(trials)])) as BarPass;
}

const perSecond = (speed: number): string => `${(speed / 1e6).toFixed(2)} M/s`;
const PROGRAM = here('../src/tickwright.js');
const EMA_CROSS = here('../strategies/ema-cross.ts');
/** As many as a worker of a search of 100 sets runs: the first ones compile the code. */
const WARM_TRIALS = isQuick ? 5 : 50;
/** Bars of January. */
const MONTH = 44_640;
const YEAR = 525_600;

export function bars(): void {
  const count = isQuick ? 20_000 : 100_000;
  warm(count, 5);
  if (!isQuick) warm(1_000_000, 2);
  const rows = isQuick ? 5_000 : MONTH;
  const months = Array.from({ length: PAIRS }, () => pass(rows, WARM_TRIALS));
  const beside = months.map(({ overheadMs }) => overheadMs);
  const overhead = median(beside);
  tell(
    `a trial on a month of bars: time beside its rows, over ${WARM_TRIALS} trials`,
    `${overhead.toFixed(1)} of ${median(months.map(({ trialMs }) => trialMs)).toFixed(1)} ms`,
    '≤ 5 ms (wanted 2)',
    judgedBelow(overhead, 5, spreadOf(beside)),
  );
  inFolder((folder) => {
    const tape = join(folder, 'month');
    generateBars(tape, { rows, seed: 1 });
    search(tape);
    recordings(folder);
    file(folder);
    if (!isQuick) asTyped(folder);
    if (isLong) year(folder);
  });
}

/** W3: trials over one loaded tape, by processor time. */
function warm(count: number, trials: number): void {
  const speeds = Array.from({ length: PAIRS }, () => (count * 1000) / pass(count, trials).cpuMs);
  const speed = median(speeds);
  const what = `W3 EMA cross on ${count} bars from memory, warm: bars a second of processor time`;
  tell(what, perSecond(speed), '≥ 6 M/s', judgedAbove(speed, 6e6, spreadOf(speeds)));
}

function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'bars-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 100 parameter sets, on one worker and on two in turn; and trials of many workers once their code is compiled. */
function search(tape: string): void {
  const pairs = Array.from({ length: PAIRS }, () => [secondsOf(tape, 100, 1), secondsOf(tape, 100, 2)] as const);
  const both = pairs.map((pair) => pair[1]);
  const two = median(both);
  tell('100 EMA crosses on a month of bars, two workers', `${two.toFixed(1)} s`, '≤ 3 s', judgedBelow(two, 3, spreadOf(both)));
  const gains = pairs.map(([one, other]) => one / other);
  const whole = median(gains);
  const what = 'the same: one worker against two, start and tests against luck included';
  tell(what, `${whole.toFixed(2)} ×`, '≥ 1.8 ×', judgedAbove(whole, 1.8, spreadOf(gains)));
  threads('on bars', tape, isQuick ? 40 : 200, ['60000']);
}

/** The two recordings that some tests use too. They are not part of the repository. */
const DATA = here('../../shared/data');

function recordings(folder: string): void {
  const what = '100 EMA crosses on the two shared recordings, two workers';
  if (!existsSync(DATA)) return tell(what, 'the recordings are not at ../shared/data', '', null);
  const files = ['BTCUSDT', 'ETHUSDT'].flatMap((symbol) =>
    ['trades', 'book'].map((kind) => join(DATA, `${symbol}-perp-2024-08-08.${kind}.csv.gz`)),
  );
  const tape = join(folder, 'recordings');
  node([PROGRAM, 'tape', 'import', '--json', '--out', tape, ...files]);
  const runs = Array.from({ length: PAIRS }, () => secondsOf(tape, 100, 2));
  const seconds = median(runs);
  tell(what, `${seconds.toFixed(1)} s`, '≤ 10 s', judgedBelow(seconds, 10, spreadOf(runs)));
}

interface FileRun {
  readonly performance: { readonly wallMs: number };
}

function backtest(tape: string, more: readonly string[]): FileRun & { readonly ms: number } {
  const program = [PROGRAM, 'backtest', '--every-tick', '--json', '--tape', tape];
  const started = performance.now();
  const text = node([...program, '--strategy', EMA_CROSS, '--param', 'bar=60000', ...more]);
  return { ...(JSON.parse(text) as FileRun), ms: performance.now() - started };
}

/** The command line on a tape of its own, from start to report, and with the two other readings in turn. */
function file(folder: string): void {
  const count = isQuick ? 50_000 : 1_000_000;
  const tape = join(folder, 'file');
  generateBars(tape, { rows: count, seed: 1 });
  const turns = Array.from({ length: PAIRS }, () => [backtest(tape, ['--no-bracket']), backtest(tape, [])] as const);
  const speeds = turns.map(([plain]) => (count * 1000) / plain.performance.wallMs);
  const speed = median(speeds);
  tell(`EMA cross on ${count} bars from a file`, perSecond(speed), '≥ 1 M/s', judgedAbove(speed, 1e6, spreadOf(speeds)));
  const ratios = turns.map(([plain, readings]) => readings.ms / plain.ms);
  const ratio = median(ratios);
  tell('the same with its two other readings, whole command', `${ratio.toFixed(2)} ×`, '< 2 ×', judgedBelow(ratio, 2, spreadOf(ratios)));
}

/** What a person types with a year of one-minute bars: CSV → tape → the run with its two readings → page. */
function asTyped(folder: string): void {
  const [made, csv, tape] = [join(folder, 'made'), join(folder, 'csv'), join(folder, 'typed')];
  generateBars(made, { rows: YEAR, seed: 1 });
  node([PROGRAM, 'tape', 'export', made, '--out', csv, '--format', 'csv']);
  const peak = join(folder, 'peak');
  process.env['PEAK_FILE'] = peak;
  const typed = (...args: readonly string[]): number => {
    node(['--import', here('tell-peak.ts'), PROGRAM, ...args]);
    return Number(readFileSync(peak, 'utf8'));
  };
  const page = ['--html', join(folder, 'page.html')];
  const runs = Array.from({ length: PAIRS }, () => {
    const started = performance.now();
    const imported = typed('tape', 'import', '--force', '--out', tape, join(csv, 'BTCUSDT.bars.csv'));
    const ran = typed('backtest', '--tape', tape, '--strategy', EMA_CROSS, '--param', 'bar=1m', ...page);
    return { seconds: (performance.now() - started) / 1000, peakMb: Math.max(imported, ran) };
  });
  const all = runs.map(({ seconds }) => seconds);
  const seconds = median(all);
  const what = 'a year of one-minute bars as typed, CSV → three readings → page';
  tell(what, `${seconds.toFixed(1)} s`, '≤ 3 s', judgedBelow(seconds, 3, spreadOf(all)));
  const most = median(runs.map(({ peakMb }) => peakMb));
  tell('the same: peak memory', `${Math.round(most)} MB`, '≤ 200 MB', most <= 200);
}

/** 200 symbols for a year: minutes, so only with `--long`. */
function year(folder: string): void {
  const tape = join(folder, 'year');
  const symbols = Array.from({ length: 200 }, (_, k) => `S${k}USDT`);
  generateBars(tape, { rows: YEAR, seed: 1, symbols });
  const { bars: count, ms, peakMb } = JSON.parse(node([here('memory.ts'), 'bars', tape])) as { bars: number; ms: number; peakMb: number };
  tell('200 symbols, a year of one-minute bars', perSecond((count * 1000) / ms), '(wanted 1 M/s)', null);
  tell('the same: peak memory', `${Math.round(peakMb)} MB`, '< 500 MB', peakMb < 500);
}
