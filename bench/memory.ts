/** Measures the memory of a tape in its own process: `node bench/memory.ts load|stream TAPE` prints one JSON line. */
import { TapeMerge } from '../src/tape/merge.ts';
import { loadTape, openTape } from '../src/tape/read.ts';

const [what = 'load', folder = ''] = process.argv.slice(2);

if (what === 'load') {
  openTape(folder).open()[0]?.next();
  const before = process.memoryUsage.rss();
  const tape = loadTape(folder);
  const { rows } = tape.manifest;
  console.log(JSON.stringify({ rows, bytesPerRow: (process.memoryUsage.rss() - before) / rows }));
  // The reference keeps the tape from being collected before this point.
  if (tape.open().length === 0) throw new Error('an empty tape');
} else {
  const merge = new TapeMerge(openTape(folder).open());
  let rows = 0;
  while (merge.next()) rows += merge.to - merge.from;
  console.log(JSON.stringify({ rows, peakMb: process.resourceUsage().maxRSS / 1024 }));
}
