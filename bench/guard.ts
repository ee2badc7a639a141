/**
 * Tells if this program became slower than another commit of it: `npm run bench:guard -- REF` (default: the last tag). Five whole backtests
 * run in turns on both, as plain commands, and the least processor time of each counts. Exit code 1 if one needs over a quarter more,
 * which is a speed of -20 %. Takes about four minutes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportTape } from '../src/tape/export/export.ts';
import { generateBars, generateMarket } from './generate.ts';

const HERE = fileURLToPath(new URL('../', import.meta.url));
const TURNS = 4;
/** Processor time that a commit may need, of that of the other. */
const MOST = 1.25;
const ROWS = 1_000_000;
const BARS = 100_000;

/** Wide limits, and the rates of the paper exchange: nothing is refused. Keys that only some commits know do not stand here. */
const CONFIG = (root: string): string => `
limits: ${join(root, 'config/limits.paper.json')}
simulation: { upMs: 20, downMs: 20, fillModel: queue, deposits: { USDT: "40000000" } }
risk:
  maxNotionalOrder: "off"
  maxNotionalPosition: "off"
  maxNotionalTotal: "off"
  maxOrderSize: "1000"
  maxPosition: "1000000"
  maxOpenOrders: 10000
  priceCollar: "0.5"
  staleAfterMs: 3600000
  maxIntentsPerSecond: 1000000
`;

interface Row {
  readonly what: string;
  readonly tape: 'market' | 'bars';
  readonly args: readonly string[];
}

const strategy = (file: string): string[] => ['--strategy', join(HERE, file)];
const ROWS_OF_BENCH: readonly Row[] = [
  { what: 'W1, every tick', tape: 'market', args: [...strategy('bench/strategies/sma-tick.ts'), '--every-tick', '--no-bracket'] },
  { what: 'W2, every tick', tape: 'market', args: [...strategy('bench/strategies/mm-book.ts'), '--every-tick', '--no-bracket'] },
  { what: 'W1, polled', tape: 'market', args: [...strategy('bench/strategies/sma-tick.ts'), '--no-bracket'] },
  { what: 'W2, polled', tape: 'market', args: [...strategy('bench/strategies/mm-book.ts'), '--no-bracket'] },
  { what: 'EMA cross on bars, with its readings', tape: 'bars', args: [...strategy('strategies/ema-cross.ts'), '--param', 'bar=60000'] },
];

const git = (...args: readonly string[]): string => execFileSync('git', ['-C', HERE, ...args], { encoding: 'utf8' }).trim();

/** A commit in `folder`, with the packages of this one if it needs the same. */
function checkOut(ref: string, folder: string): string {
  git('worktree', 'add', '--detach', '--force', folder, ref);
  const lock = 'package-lock.json';
  if (readFileSync(join(folder, lock), 'utf8') === readFileSync(join(HERE, lock), 'utf8')) {
    symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'));
  } else execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  return folder;
}

/** Seconds of the processor that the command of `root` takes, threads included. */
function secondsOf(root: string, args: readonly string[]): number {
  const before = cpuOfChildren();
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'src/tickwright.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${args.join(' ')} of ${root} ended with ${status}: ${stderr.toString()}`);
  return cpuOfChildren() - before;
}

/** Of all children that have ended. */
function cpuOfChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

const ref = process.argv[2] ?? git('describe', '--tags', '--abbrev=0');
const folder = mkdtempSync(join(tmpdir(), 'guard-'));
const other = join(folder, 'other');
try {
  checkOut(ref, other);
  generateMarket(join(folder, 'market'), { rows: ROWS / 2, seed: 1 });
  generateBars(join(folder, 'bars'), { rows: BARS, seed: 1 });
  for (const [k, root] of [HERE, other].entries()) {
    writeFileSync(join(folder, `${k}.yaml`), CONFIG(root));
    // Each commit imports the rows itself: the form of a tape may differ.
    for (const tape of ['market', 'bars']) {
      const files = exportTape(join(folder, tape), join(folder, `csv-${tape}-${k}`), { format: 'csv' }).map(({ file }) => file);
      secondsOf(root, ['tape', 'import', ...files, '--out', join(folder, `${tape}-${k}`)]);
    }
  }
  for (const { what, tape, args } of ROWS_OF_BENCH) {
    const times: [number[], number[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [k, root] of [HERE, other].entries()) {
        const input = ['--tape', join(folder, `${tape}-${k}`), '--config', join(folder, `${k}.yaml`)];
        times[k]!.push(secondsOf(root, ['backtest', ...input, ...args]));
      }
    }
    const [own, theirs] = times.map((all) => Math.min(...all)) as [number, number];
    const isSlower = own > MOST * theirs;
    if (isSlower) process.exitCode = 1;
    const ratio = (own / theirs).toFixed(2);
    console.log(
      `${isSlower ? '✗' : '✓'} ${what}: ${own.toFixed(2)} s of the processor, ${ratio} × ${ref} (${theirs.toFixed(2)} s), at most ${MOST} ×`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  git('worktree', 'prune');
}
