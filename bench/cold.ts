/**
 * Measures whole processes in turn, A B A B …: `node bench/cold.ts PAIRS ARG…` runs Node.js with the arguments and with `-e 0`, and prints
 * medians as one JSON line. This parent is small, because a large process is slow to start others.
 */
import { spawnSync } from 'node:child_process';

const [pairs = '5', ...program] = process.argv.slice(2);

function time(args: readonly string[]): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - started;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const walls: number[] = [];
const ratios: number[] = [];
// The first pair fills the cache of compiled code and is not counted.
for (let k = 0; k <= Number(pairs); k++) {
  const nothing = time(['-e', '0']);
  const wall = time(program);
  if (k === 0) continue;
  walls.push(wall);
  ratios.push(wall / nothing);
}
console.log(JSON.stringify({ ratio: median(ratios), wallMs: median(walls) }));
