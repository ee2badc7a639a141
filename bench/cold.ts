/**
 * Measures whole processes in turn, A B A B …: `node bench/cold.ts PAIRS ARG…` runs Node.js with the arguments and with `-e 0`, and prints
 * medians as one JSON line, and the mean processor time beyond that of `-e 0` (null where there is no /proc). This parent is small, because a
 * large process is slow to start others.
 */
import { existsSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

/** A tick of the kernel's accounts. */
const TICK_MS = 10;
const STAT = '/proc/self/stat';

/** Processor time of all children that have ended, in ms. */
function cpuOfChildren(): number {
  const fields = readFileSync(STAT, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

const [pairs = '5', ...program] = process.argv.slice(2);

function time(args: readonly string[]): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - started;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const hasCpu = existsSync(STAT);
let cpuMs = 0;
const walls: number[] = [];
const ratios: number[] = [];
// The first pair fills the cache of compiled code and is not counted.
for (let k = 0; k <= Number(pairs); k++) {
  const before = hasCpu ? cpuOfChildren() : 0;
  const nothing = time(['-e', '0']);
  const between = hasCpu ? cpuOfChildren() : 0;
  const wall = time(program);
  if (k === 0) continue;
  if (hasCpu) cpuMs += cpuOfChildren() - between - (between - before);
  walls.push(wall);
  ratios.push(wall / nothing);
}
console.log(JSON.stringify({ ratio: median(ratios), wallMs: median(walls), cpuBeyondMs: hasCpu ? cpuMs / Number(pairs) : null }));
