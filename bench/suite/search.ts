/** The threads of a search: what two do beside one, and what memory each takes beside the tape. */
import { join } from 'node:path';
import { generateTrades } from '../generate.ts';
import { here, isQuick, judgedBelow, judgedAbove, median, node, PAIRS, spreadOf, tell } from './table.ts';

interface Measured {
  readonly ms: number;
  readonly trials: number;
  readonly rssMb: number;
}

/** On the tape of the first workload, and as typed on two million ticks. */
export function search(folder: string): void {
  const tape = join(folder, 'ticks');
  generateTrades(tape, { rows: 2_000_000, seed: 1 });
  const runs = Array.from({ length: PAIRS }, () => secondsOf(tape, 20, 2));
  const seconds = median(runs);
  tell(
    '20 EMA crosses on 2,000,000 ticks by polls, two workers',
    `${seconds.toFixed(1)} s`,
    '≤ 2 s',
    judgedBelow(seconds, 2, spreadOf(runs)),
  );
  threads('on ticks', join(folder, 'w1'), isQuick ? 40 : 200, []);
}

/** Seconds of so many parameter sets of an EMA cross, as a person types it. */
export function secondsOf(tape: string, sets: number, workers: number): number {
  const space = ['--param', 'fast=5..14', '--param', 'slow=20..65:5'];
  const how = ['--sampler', 'grid', '--trials', String(sets), '--holdout', '0%', '--json'];
  const args = [
    'optimize',
    '--tape',
    tape,
    '--strategy',
    here('../strategies/ema-cross.ts'),
    ...space,
    ...how,
    '--workers',
    String(workers),
  ];
  const { performance } = JSON.parse(node([here('../src/tickwright.js'), ...args])) as { performance: { wallMs: number } };
  return performance.wallMs / 1000;
}

/** Trials of one worker, two and four in turn, without those that compile the code. `bar`: the strategy's length of bars, by default its own. */
export function threads(where: string, tape: string, trials: number, bar: readonly string[]): void {
  const run = (workers: number): Measured =>
    JSON.parse(node([here('search.ts'), tape, String(workers), String(trials), ...bar])) as Measured;
  const ratios: number[] = [];
  const rates: number[] = [];
  const memories: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const [one, two, four] = [run(1), run(2), run(4)];
    ratios.push(two.trials / two.ms / (one.trials / one.ms));
    rates.push((60_000 * two.trials) / two.ms);
    memories.push((four.rssMb - one.rssMb) / 3);
  }
  const ratio = median(ratios);
  tell(
    `optimize ${where}: trials of two workers by those of one`,
    `${ratio.toFixed(2)} ± ${(spreadOf(ratios) / 2).toFixed(2)}`,
    '≥ 1.8',
    judgedAbove(ratio, 1.8, spreadOf(ratios)),
  );
  tell(`optimize ${where}: trials a minute, two workers`, String(Math.round(median(rates))), '', null);
  const memory = median(memories);
  tell(
    `optimize ${where}: memory of one more worker, the tape is shared`,
    `${memory.toFixed(0)} MB`,
    '≤ 40 MB',
    judgedBelow(memory, 40, spreadOf(memories)),
  );
}
