/**
 * EMA cross on one-minute bars, by trials over one loaded tape: `node bench/bars.ts BARS TRIALS` prints one JSON line. The first
 * trials warm up and are not counted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultConfig } from '../src/config/defaults.ts';
import { setRuntimeFlags } from '../src/run/backtest/runtime-flags.ts';
import { loadMarket, openTrials } from '../src/run/backtest/trials.ts';
import { generateBars } from './generate.ts';
import { peakMb } from './peak-memory.ts';

/** What a pass over the trials took. */
interface BarPass {
  readonly bars: number;
  readonly trials: number;
  readonly fills: number;
  readonly barsPerSecond: number;
  /** Milliseconds of a trial, and of what it does beside its rows. */
  readonly trialMs: number;
  /** Milliseconds of the processor for a trial. */
  readonly cpuMs: number;
  readonly overheadMs: number;
  readonly peakMb: number;
}

const WARM_UP = 6;

const [bars = '44640', trials = '10'] = process.argv.slice(2);
setRuntimeFlags();
const folder = mkdtempSync(join(tmpdir(), 'bars-'));
try {
  const tape = join(folder, 'tape');
  generateBars(tape, { rows: Number(bars), seed: 1 });
  const config = defaultConfig();
  const file = fileURLToPath(new URL('../strategies/ema-cross.ts', import.meta.url));
  const strategies = [{ file, params: { bar: '1m' }, symbols: [] }];
  const runner = await openTrials(loadMarket(tape, config), {
    strategies,
    config,
    everyTick: false,
    speed: 1,
    seed: 1,
  });
  let started = performance.now();
  let cpu = process.threadCpuUsage();
  let inRows = 0;
  let fills = 0;
  for (let k = -WARM_UP; k < Number(trials); k++) {
    if (k === 0) {
      started = performance.now();
      cpu = process.threadCpuUsage();
      inRows = 0;
      fills = 0;
    }
    const report = runner.run([{ fast: String(5 + (Math.abs(k) % 10)), slow: String(20 + (Math.abs(k) % 37)) }]);
    inRows += report.performance.wallMs;
    fills += report.stats.makerFills + report.stats.takerFills;
  }
  const ms = performance.now() - started;
  const { user, system } = process.threadCpuUsage(cpu);
  const pass: BarPass = {
    bars: Number(bars),
    trials: Number(trials),
    fills,
    barsPerSecond: Math.round((Number(bars) * Number(trials) * 1000) / ms),
    trialMs: ms / Number(trials),
    cpuMs: (user + system) / 1000 / Number(trials),
    overheadMs: (ms - inRows) / Number(trials),
    peakMb: Math.round(peakMb()),
  };
  console.log(JSON.stringify(pass));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
