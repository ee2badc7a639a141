/** The streams of a market of bars, read together and one alone. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTape } from '../../../src/tape/read.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { rowAt, rowsOf, withFolder } from '../../support/tape/tape-rows.ts';

/** A zigzag of one-minute bars; every fifth bar has no volume. */
function writeBars(folder: string, bars: number): void {
  const writer = new TapeWriter(folder);
  const stream = writer.stream('BTCUSDT', 'bars', { priceDecimals: 1, sizeDecimals: 3 }, 60_000);
  for (let k = 0; k < bars; k++) {
    const open = 500_000 + ((k * 37) % 400);
    const close = 500_000 + (((k + 1) * 37) % 400);
    stream.bar(1_735_689_600_000 + k * 60_000, open, Math.max(open, close) + 9, Math.min(open, close) - 9, close, k % 5 === 4 ? 0 : 5000);
  }
  writer.finish();
}

test.each(['trades', 'quotes'] as const)('%s alone are those that are read together with the others', (kind) =>
  withFolder((folder) => {
    const path = join(folder, 'bars');
    writeBars(path, 300);
    const tape = openTape(path);
    const [alone, ...others] = tape.open(kind);
    expect(others).toEqual([]);
    const both = tape.open();
    // In turns, as a market is played.
    const together = { trades: [] as unknown[], quotes: [] as unknown[] };
    for (let isMore = true; isMore;) {
      isMore = false;
      for (const stream of both) {
        if (!stream.next()) continue;
        isMore = true;
        for (let r = 0; r < stream.length; r++) together[stream.kind as typeof kind].push(rowAt(stream, r));
      }
    }
    expect(rowsOf(alone!)).toEqual(together[kind]);
  }),
);

test('of a stream that is read alone, no bar is kept', () =>
  withFolder((folder) => {
    const path = join(folder, 'bars');
    const bars = 60_000;
    writeBars(path, bars);
    for (const kind of ['trades', 'quotes'] as const) {
      const [stream] = openTape(path).open(kind);
      const before = process.memoryUsage().arrayBuffers;
      let blocks = 0;
      while (stream!.next()) blocks++;
      expect(blocks).toBe(kind === 'trades' ? (bars * 4) / 5 : bars);
      // The columns of the paths of all bars would take 20 MB.
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
    }
  }));
