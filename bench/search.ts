/**
 * Measures the trials of a search in worker threads: `node bench/search.ts TAPE WORKERS TRIALS [BAR]`. Prints the milliseconds between the first and the last
 * result, the trials between them, and the largest memory of the process, as JSON.
 */
import { resolve } from 'node:path';
import { defaultConfig } from '../src/config/defaults.ts';
import { setRuntimeFlags } from '../src/run/backtest/runtime-flags.ts';
import { loadMarket } from '../src/run/backtest/trials.ts';
import { runJobs } from '../src/run/search/workers/run-jobs.ts';
import { readManifest } from '../src/tape/read.ts';
import { peakMb } from './peak-memory.ts';

const [tape = '', workers = '1', trials = '100', bar] = process.argv.slice(2);
setRuntimeFlags();
const config = { ...defaultConfig(), credentials: null };
const { from, to } = readManifest(tape);
const setup = {
  strategy: { file: resolve(import.meta.dirname, '../strategies/ema-cross.ts'), params: bar === undefined ? {} : { bar }, symbols: [] },
  config,
  everyTick: true,
  spread: undefined,
  speed: 1,
  seed: 1,
  metrics: ['sharpe'],
  from,
  searchedTo: to + 1,
  split: to + 1,
  to: to + 1,
};
const jobs = Array.from({ length: Number(trials) }, (_, id) => ({
  id,
  params: { fast: String(2 + (id % 20)), slow: String(30 + (id % 50)) },
  from,
  to: to + 1,
}));
// The first trials of a thread are slower: its code is not compiled yet.
const warm = Math.ceil(jobs.length / 4);
let [first, last] = [0, 0];
await runJobs(
  jobs,
  Number(workers),
  { market: loadMarket(tape, config), setup },
  {
    done(count) {
      last = performance.now();
      if (count === warm) first = last;
    },
  },
);
console.log(JSON.stringify({ ms: last - first, trials: jobs.length - warm, rssMb: peakMb() }));
