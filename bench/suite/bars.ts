/** Figures of an EMA cross on one-minute bars with the whole venue and engine. Floors leave room; the goal stands beside them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateBars } from '../generate.ts';
import { here, isLong, isQuick, judgedBelow, judgedLoop, median, node, PAIRS, tell } from './table.ts';

interface BarPass {
  readonly barsPerSecond: number;
  readonly trialMs: number;
  readonly overheadMs: number;
  readonly peakMb: number;
}

/** `mode`: every tick, the same with each row taken alone, or by polls. */
function pass(count: number, trials: number, mode: 'tick' | 'plain' | 'poll'): BarPass {
  return JSON.parse(node([here('bars.ts'), String(count), String(trials), mode])) as BarPass;
}

const perSecond = (speed: number): string => `${(speed / 1e6).toFixed(2)} M/s`;
const EMA_CROSS = here('../strategies/ema-cross.ts');
/** Bars of January. */
const MONTH = 44_640;
const YEAR = 525_600;

export function bars(): void {
  const count = isQuick ? 20_000 : 100_000;
  const fast = pass(count, 5, 'tick');
  const plain = pass(count, 5, 'plain');
  const ofMemory = `EMA cross on ${count} bars from memory, bars a second`;
  tell(ofMemory, perSecond(fast.barsPerSecond), '≥ 0.4 M/s (wanted 2.5)', judgedLoop(fast.barsPerSecond, 0.4e6));
  tell('the same: peers on 2026-11-22', 'vectorbt 1.2 2.4 M/s, grademark 0.97 M/s, NautilusTrader 1.231 0.01 M/s', '', null);
  tell('the same: against each row taken alone', `${(fast.barsPerSecond / plain.barsPerSecond).toFixed(1)} ×`, '', null);
  if (!isQuick) tell('the same on 1,000,000 bars', perSecond(pass(1_000_000, 2, 'tick').barsPerSecond), '', null);
  const month = pass(isQuick ? 5_000 : MONTH, 5, 'tick');
  const share = `${month.overheadMs.toFixed(1)} of ${month.trialMs.toFixed(1)} ms`;
  tell('a trial on a month of bars: time beside its rows', share, '≤ 8 ms (wanted 2)', judgedBelow(month.overheadMs, 8, month.overheadMs));
  const polled = pass(isQuick ? 5_000 : MONTH, 5, 'poll');
  const ratio = polled.trialMs / month.trialMs;
  tell('a month of bars by polls, against every tick', `${ratio.toFixed(1)} ×`, '≤ 8 × (wanted 2)', judgedBelow(ratio, 8, ratio / 4));
  inFolder((folder) => {
    const tape = join(folder, 'month');
    generateBars(tape, { rows: isQuick ? 5_000 : MONTH, seed: 1 });
    search(tape);
    file(folder);
    if (isLong) year(folder);
  });
}

function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'bars-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 100 parameter sets, on one worker and on two in turn. */
function search(tape: string): void {
  const space = ['--param', 'fast=5..14', '--param', 'slow=20..65:5', '--param', 'bar=60000'];
  const how = ['--sampler', 'grid', '--trials', '100', '--holdout', '0%', '--every-tick', '--json'];
  const secondsOn = (workers: number): number => {
    const args = ['optimize', '--tape', tape, '--strategy', EMA_CROSS, ...space, ...how, '--workers', String(workers)];
    const { performance } = JSON.parse(node([here('../src/tickwright.js'), ...args])) as { performance: { wallMs: number } };
    return performance.wallMs / 1000;
  };
  const pairs = Array.from({ length: PAIRS }, () => [secondsOn(1), secondsOn(2)] as const);
  const two = median(pairs.map((pair) => pair[1]));
  tell('100 EMA crosses on a month of bars, two workers', `${two.toFixed(1)} s`, '≤ 12 s (wanted 3)', judgedBelow(two, 12, two));
  const gain = median(pairs.map(([one, both]) => one / both));
  tell('the same: one worker against two', `${gain.toFixed(2)} ×`, '≥ 1.5 × (wanted 1.9)', judgedLoop(gain, 1.5));
}

interface FileRun {
  readonly performance: { readonly wallMs: number };
}

function backtest(tape: string, more: readonly string[]): FileRun {
  const program = [here('../src/tickwright.js'), 'backtest', '--no-bracket', '--every-tick', '--json', '--tape', tape];
  return JSON.parse(node([...program, '--strategy', EMA_CROSS, '--param', 'bar=60000', ...more])) as FileRun;
}

/** The command line on a tape of its own, from start to report. */
function file(folder: string): void {
  const count = isQuick ? 50_000 : 1_000_000;
  const tape = join(folder, 'file');
  generateBars(tape, { rows: count, seed: 1 });
  const speed = (count * 1000) / backtest(tape, []).performance.wallMs;
  tell(`EMA cross on ${count} bars from a file`, perSecond(speed), '≥ 0.3 M/s (wanted 1)', judgedLoop(speed, 0.3e6));
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
