/** Measures memory in its own process: of a tape, or of a run with many fills. `node bench/memory.ts load|stream|fills|bars TAPE` prints one JSON line. */
import { fileURLToPath } from 'node:url';
import { documentText } from '../src/report/document/document-text.ts';
import { runDocument } from '../src/report/document/run/run-document.ts';
import { runBacktest } from '../src/run/backtest/backtest.ts';
import { TapeMerge } from '../src/tape/merge.ts';
import { loadTape, openTape, readManifest } from '../src/tape/read.ts';
import { peakMb } from './peak-memory.ts';
import { workloadOptions } from './workload.ts';

const [what = 'load', folder = ''] = process.argv.slice(2);

if (what === 'load') {
  openTape(folder).open()[0]?.next();
  const before = process.memoryUsage.rss();
  const tape = loadTape(folder);
  const { rows } = tape.manifest;
  console.log(JSON.stringify({ rows, bytesPerRow: (process.memoryUsage.rss() - before) / rows }));
  // The reference keeps the tape from being collected before this point.
  if (tape.open().length === 0) throw new Error('an empty tape');
} else if (what === 'fills') {
  const report = await runBacktest(workloadOptions('flip', folder));
  if (!documentText(runDocument(report), 80).includes(report.hash)) throw new Error('a report without its hash');
  console.log(JSON.stringify({ fills: report.stats.takerFills, peakMb: peakMb() }));
} else if (what === 'bars') {
  const file = fileURLToPath(new URL('../strategies/ema-cross.ts', import.meta.url));
  const strategies = [{ file, params: { bar: '60000', size: '0.001' }, symbols: [] }];
  const report = await runBacktest({ ...workloadOptions('flip', folder), strategies });
  const { rows } = readManifest(folder);
  console.log(JSON.stringify({ bars: rows, ms: report.performance.wallMs, peakMb: peakMb() }));
} else {
  const merge = new TapeMerge(openTape(folder).open());
  let rows = 0;
  while (merge.next()) rows += merge.to - merge.from;
  console.log(JSON.stringify({ rows, peakMb: peakMb() }));
}
