/** The threads of a search: what two do beside one, and what memory each takes beside the tape. */
import { join } from 'node:path';
import { here, isQuick, judgedBelow, judgedAbove, median, node, PAIRS, spreadOf, tell } from './table.ts';

interface Measured {
  readonly ms: number;
  readonly trials: number;
  readonly rssMb: number;
}

/** On the tape of the first workload. */
export function search(folder: string): void {
  threads('on ticks', join(folder, 'w1'), isQuick ? 40 : 200, []);
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
    '≥ 1.9',
    judgedAbove(ratio, 1.9, spreadOf(ratios)),
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
