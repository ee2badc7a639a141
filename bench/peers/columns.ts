/**
 * Writes the rows of a tape in order of time as columns that numpy reads: `node bench/peers/columns.ts TAPE FOLDER`. `time` in
 * milliseconds (doubles), `kind` 0 for a book ticker and 1 for a trade (bytes), and integers in ticks and lots: `a` bid or price,
 * `b` ask or aggressor (0 buys), `c` bid size or size, `d` ask size.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TapeMerge } from '../../src/tape/merge.ts';
import { loadTape } from '../../src/tape/read.ts';

const [folder = '', out = ''] = process.argv.slice(2);
const tape = loadTape(folder);
const { rows } = tape.manifest;
const columns = {
  time: new Float64Array(rows),
  kind: new Uint8Array(rows),
  a: new Int32Array(rows),
  b: new Int32Array(rows),
  c: new Int32Array(rows),
  d: new Int32Array(rows),
};
const { time, kind, a, b, c, d } = columns;
const merge = new TapeMerge(tape.open());
let n = 0;
while (merge.next()) {
  const s = merge.stream;
  const isTrade = s.kind === 'trades';
  for (let r = merge.from; r < merge.to; r++, n++) {
    time[n] = s.time[r]!;
    kind[n] = isTrade ? 1 : 0;
    a[n] = isTrade ? s.price[r]! : s.bid[r]!;
    b[n] = isTrade ? s.side[r]! : s.ask[r]!;
    c[n] = isTrade ? s.size[r]! : s.bidSize[r]!;
    d[n] = isTrade ? 0 : s.askSize[r]!;
  }
}
mkdirSync(out, { recursive: true });
for (const [name, column] of Object.entries(columns)) writeFileSync(join(out, name), column);
