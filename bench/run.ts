/**
 * `npm run bench` measures every promised figure and prints it beside its goal. Speeds of loops are ratios to the bare loop of the same run,
 * figures of the live path are ratios to a floor of the same run. Other programs, which `npm run bench:peers` installs, run in turns with
 * this one. A workload counts only if its fills are those of the slow reference. A figure that misses its goal on a busy machine, or by
 * less than its own spread, is marked noisy and is no failure. `--quick` uses smaller tapes, `--long` adds a year of 200 symbols; `--write`
 * puts the table into docs/how-a-backtest-runs.md. The exit code is 1 when a goal is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bars } from './suite/bars.ts';
import { live } from './suite/live.ts';
import { monitor } from './suite/monitor.ts';
import { emaQuotes, polled, workload } from './suite/loops.ts';
import { barPeers, hftbacktest } from './suite/peers.ts';
import { exchange, indicators } from './suite/processes.ts';
import { search } from './suite/search.ts';
import { isGood, writePage } from './suite/table.ts';
import { coldStart, helpStart, importing, making, manyFills, tapes } from './suite/tapes.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  tapes(folder);
  workload('w1', join(folder, 'w1'), { ratio: 0.28, perSecond: 20e6 });
  workload('w2', join(folder, 'w2'), { ratio: 0.05, perSecond: 0 });
  polled(join(folder, 'w2'));
  hftbacktest(folder);
  emaQuotes(folder);
  manyFills(folder);
  making(folder);
  await importing(folder);
  exchange();
  indicators();
  bars();
  barPeers(folder);
  search(folder);
  live();
  monitor();
  coldStart(folder);
  helpStart();
  if (process.argv.includes('--write')) writePage();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isGood() ? 0 : 1;
