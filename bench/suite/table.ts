/** The table of `npm run bench`: figures beside their goals, and how a figure is judged. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  /** null for a figure without a goal, or one that cannot be judged here and now. */
  readonly isMet: boolean | null;
}

const table: Row[] = [];

/** Smaller tapes and fewer seconds. */
export const isQuick = process.argv.includes('--quick');

/** Also what takes many minutes. */
export const isLong = process.argv.includes('--long');

/** How often a ratio is measured; the median counts. */
export const PAIRS = isQuick ? 2 : 3;

/** Path of a file beside `run.ts`. */
export const here = (path: string): string => fileURLToPath(new URL(path, new URL('../', import.meta.url)));

/** Adds a figure and prints it beside its goal. */
export function tell(what: string, measured: string, goal: string, isMet: boolean | null): void {
  table.push({ what, measured, goal, isMet });
  const mark = isMet !== null ? (isMet ? '✓' : '✗') : goal === '' ? ' ' : '~';
  console.log(`${mark} ${what.padEnd(58)} ${measured.padEnd(34)} ${goal}`);
}

export function node(args: readonly string[]): string {
  return execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'inherit'] });
}

export function jsonLines<T>(text: string): T[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export const millions = (perSecond: number): string => `${(perSecond / 1e6).toFixed(1)} M/s`;

/** Load from which on the other processes of the machine decide about a speed. */
const BUSY = 2;

const isBusy = (): boolean => loadavg()[0]! >= BUSY;

/**
 * Judges a figure that has a lower bound. Null, which is noisy, if it misses the goal by less than its spread, or on a busy machine: other
 * processes take its caches and its memory bandwidth.
 */
export function judgedAbove(value: number, goal: number, spread = 0): boolean | null {
  if (value >= goal) return true;
  return isBusy() || value + spread >= goal ? null : false;
}

/** The same for an upper bound. */
export function judgedBelow(value: number, goal: number, spread = 0): boolean | null {
  if (value <= goal) return true;
  return isBusy() || value - spread <= goal ? null : false;
}

export const spreadOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** Puts the table into docs/how-a-backtest-runs.md. */
export function writePage(): void {
  const lines = [
    '| | measured | goal | |',
    '|---|---|---|---|',
    ...table.map(
      (r) => `| ${r.what} | ${r.measured} | ${r.goal} | ${r.isMet === null ? (r.goal === '' ? '' : 'noisy') : r.isMet ? '✓' : 'missed'} |`,
    ),
  ];
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const text = `Measured by \`npm run bench\` on ${machine}, shared with other work:\n\n${lines.join('\n')}\n`;
  const file = here('../docs/how-a-backtest-runs.md');
  const page = readFileSync(file, 'utf8');
  writeFileSync(file, page.replace(/<!-- bench:start -->[^]*<!-- bench:end -->/, `<!-- bench:start -->\n${text}<!-- bench:end -->`));
}

/** No figure misses its goal. */
export function isGood(): boolean {
  return table.every((row) => row.isMet !== false);
}
