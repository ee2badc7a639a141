/** Speed of whole backtests, as a share of the bare loop over the same tape. */
import { join } from 'node:path';
import { referenceW1, referenceW2, referenceW4 } from '../../test/support/backtest/reference-workloads.ts';
import { generateQuotes } from '../generate.ts';
import type { Pass, WorkloadName } from '../workload.ts';
import { here, isQuick, jsonLines, judgedAbove, median, millions, node, PAIRS, spreadOf, tell } from './table.ts';

/** In each process: the first pass is not counted, of the five warm ones the median is. */
const PASSES = '6';

/**
 * Runs bare loop and whole program in turn; the ratio is the median over the pairs. Here the strategy sees every row and is told each fill,
 * a way that a live bot never takes: see `polled`.
 */
export function workload(name: WorkloadName, tape: string, goals: { ratio: number; perSecond: number }): void {
  const reference = name === 'w1' ? referenceW1(tape) : referenceW2(tape);
  const ratios: number[] = [];
  const speeds: number[] = [];
  const bare: number[] = [];
  let isSame = true;
  for (let pair = 0; pair < PAIRS; pair++) {
    const limit = jsonLines<Pass>(node([here('workload.ts'), name, 'bare', tape, PASSES])).slice(1);
    const whole = jsonLines<Pass>(node([here('workload.ts'), name, 'engine', tape, PASSES])).slice(1);
    const speedOf = (runs: readonly Pass[]): number => median(runs.map((run) => (run.rows / run.ms) * 1000));
    bare.push(speedOf(limit));
    speeds.push(speedOf(whole));
    ratios.push(speedOf(whole) / speedOf(limit));
    isSame &&= whole.every((run) => run.digest === reference.digest && run.fills === reference.fills.length);
  }
  const ratio = median(ratios);
  const speed = median(speeds);
  const label = name === 'w1' ? 'W1 SMA on trade ticks, one resting limit' : 'W2 two-sided quoting on every book ticker';
  tell(`${label}: fills as the slow reference`, `${reference.fills.length} fills, ${isSame ? 'equal' : 'DIFFERENT'}`, 'equal', isSame);
  tell(
    `${label}: share of the bare loop`,
    `${ratio.toFixed(3)} ± ${(spreadOf(ratios) / 2).toFixed(3)} of ${millions(median(bare))}`,
    `≥ ${goals.ratio}`,
    isSame && judgedAbove(ratio, goals.ratio, spreadOf(ratios)),
  );
  const isFast = goals.perSecond === 0 ? null : isSame && judgedAbove(speed, goals.perSecond, spreadOf(speeds));
  tell(`${label}: rows a second`, millions(speed), goals.perSecond === 0 ? '' : `≥ ${millions(goals.perSecond)}`, isFast);
}

/** The same strategies as a live bot runs them: they see what polls show, and fills are inferred. Both on the tape of W2, which has quotes. */
export function polled(tape: string): void {
  for (const name of ['w1', 'w2'] as const) {
    const passesOf = (what: string): Pass[] => jsonLines<Pass>(node([here('workload.ts'), name, what, tape, PASSES])).slice(1);
    const speedOf = (runs: readonly Pass[]): number => median(runs.map(({ rows, ms }) => (rows / ms) * 1000));
    const [pushed, seen] = [passesOf('engine'), passesOf('polled')];
    const { rows = 0, polls = 0, fills = 0, commands = 0 } = seen[0] ?? {};
    const speed = speedOf(seen);
    const label = `${name === 'w1' ? 'W1' : 'W2'} polled, ${fills} fills, ${commands} commands`;
    tell(`${label}: rows a second`, `${millions(speed)}, ${(speed / speedOf(pushed)).toFixed(2)} of pushed`, '', null);
    tell(`${label}: a poll, all else included`, `${((rows / speed / polls) * 1e6).toFixed(1)} µs, ${polls} polls`, '', null);
  }
}

/** EMA cross on quotes, with a leg open nearly always and the venue's check for liquidations. */
export function emaQuotes(folder: string): void {
  for (const rows of isQuick ? [100_000] : [100_000, 1_000_000]) {
    const tape = join(folder, `w4-${rows}`);
    generateQuotes(tape, { rows, seed: 1 });
    const reference = referenceW4(tape);
    const passes = jsonLines<Pass>(node([here('workload.ts'), 'w4', 'engine', tape, PASSES])).slice(1);
    const isSame = passes.every((run) => run.digest === reference.digest);
    const speeds = passes.map((run) => (run.rows / run.ms) * 1000);
    const speed = median(speeds);
    const label = `W4 EMA cross on ${rows} quotes, at market`;
    tell(`${label}: fills as the slow reference`, `${reference.fills.length} fills, ${isSame ? 'equal' : 'DIFFERENT'}`, 'equal', isSame);
    tell(`${label}: rows a second`, `${(speed / 1e6).toFixed(2)} M/s`, '≥ 1.2 M/s', isSame && judgedAbove(speed, 1.2e6, spreadOf(speeds)));
  }
}
