import fc from 'fast-check';
import { readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { TapeError } from '../../src/tape/file/error.ts';
import { loadTape, openTape } from '../../src/tape/read.ts';
import { TapeMerge } from '../../src/tape/merge.ts';
import { TapeWriter } from '../../src/tape/write.ts';
import { mergedByRuns, mergedBySorting, rowAt, rowsOf, streamOfTimes, withFolder, type Row } from '../support/tape/tape-rows.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const wide = fc.oneof(fc.nat(3), fc.nat(300), fc.nat(70_000), fc.integer({ min: 0, max: 2 ** 31 + 10 }), fc.integer({ min: 0, max: MAX }));
const narrow = fc.integer({ min: 0, max: 2 ** 31 - 1 });

function rowsWith(value: fc.Arbitrary<number>): fc.Arbitrary<Row[]> {
  const times = fc.oneof(fc.array(fc.nat(50), { minLength: 1, maxLength: 200 }), fc.array(wide, { minLength: 1, maxLength: 200 }));
  return times.chain((all) => {
    const sorted = all.toSorted((a, b) => a - b);
    return fc.tuple(...sorted.map((time) => fc.tuple(fc.constant(time), value, value, value, fc.nat(1)) as fc.Arbitrary<Row>));
  });
}

function write(folder: string, trades: readonly Row[], quotes: readonly Row[]): void {
  const writer = new TapeWriter(folder, { overwrite: true });
  const scale = { priceDecimals: 2, sizeDecimals: 3 };
  if (trades.length > 0) {
    const stream = writer.stream('XYZ', 'trades', scale);
    for (const [time, id, price, size, side] of trades) stream.trade(time, id, price, size, side);
  }
  if (quotes.length > 0) {
    const stream = writer.stream('XYZ', 'quotes', scale);
    for (const [time, bid, bidSize, ask, askSize] of quotes) stream.quote(time, bid, bidSize, ask, askSize);
  }
  writer.finish();
}

describe('a tape returns what was written', () => {
  for (const [name, value] of [
    ['of any size', wide],
    ['of 32 bits', narrow],
  ] as const) {
    test(`values ${name}, from disk and from memory`, async () => {
      await withFolder((folder) => {
        const path = join(folder, 't');
        fc.assert(
          fc.property(rowsWith(value), rowsWith(value), (trades, quotes) => {
            write(path, trades, quotes);
            for (const tape of [openTape(path), loadTape(path)]) {
              const [t, q] = tape.open();
              expect(rowsOf(t!)).toEqual(trades);
              expect(rowsOf(q!)).toEqual(quotes);
              expect(rowsOf(q!)).toEqual(quotes);
            }
          }),
          { numRuns: 150 },
        );
      });
    });
  }

  test('over many blocks of every shape', async () => {
    await withFolder((folder) => {
      const random = new Random(7);
      const rows: Row[] = [];
      let time = 5;
      let price = 1_000_000;
      const count = 65_536 * 3 + 1000;
      for (let i = 0; i < count; i++) {
        const shape = Math.floor(i / 20_000) % 5;
        time += random.below(shape === 1 ? 100_000 : 30);
        price = shape === 2 ? random.below(2 ** 31) : Math.max(0, price + random.below(7) - 3);
        const size = shape === 3 ? random.below(2 ** 22) * 2 ** 31 : shape === 4 ? 500 : random.below(1000) * 25;
        rows.push([time, i * 3, price, size, random.below(2)]);
      }
      const path = join(folder, 't');
      write(path, rows, []);
      for (const tape of [openTape(path), loadTape(path)]) {
        const read = rowsOf(tape.open()[0]!);
        expect(read.length).toBe(count);
        let same = true;
        for (let i = 0; i < count && same; i++) same = rows[i]!.every((value, k) => value === read[i]![k]);
        expect(same).toBe(true);
      }
    });
  });
});

describe('damage is reported, never read as rows', () => {
  const random = new Random(1);
  const good: Row[] = Array.from({ length: 66_000 }, (_, i) => [
    1000 + i * 2,
    i + 1,
    50_000 + random.below(200),
    1 + random.below(900),
    i & 1,
  ]);

  test('a changed byte anywhere', async () => {
    await withFolder((folder) => {
      const path = join(folder, 't');
      write(path, good, good.slice(0, 50));
      const files = readdirSync(path);
      fc.assert(
        fc.property(fc.constantFrom(...files), fc.noBias(fc.nat(999_999)), fc.integer({ min: 1, max: 255 }), (file, share, mask) => {
          const name = join(path, file);
          const bytes = readFileSync(name);
          const damaged = Buffer.from(bytes);
          damaged[Math.floor((share / 1_000_000) * bytes.length)]! ^= mask;
          writeFileSync(name, damaged);
          try {
            expectDamage(path, damaged.toString('utf8'), bytes.toString('utf8'));
          } finally {
            writeFileSync(name, bytes);
          }
        }),
        { numRuns: 300 },
      );
    });
  });

  test('a file cut anywhere', async () => {
    await withFolder((folder) => {
      const path = join(folder, 't');
      write(path, good, good.slice(0, 50));
      for (const file of readdirSync(path)) {
        const name = join(path, file);
        const bytes = readFileSync(name);
        for (const length of [0, 1, 15, 16, 17, 63, 64, 65, bytes.length - 1].filter((l) => l < bytes.length)) {
          truncateSync(name, length);
          expectDamage(path, bytes.toString('utf8', 0, length), bytes.toString('utf8'));
          writeFileSync(name, bytes);
        }
      }
    });
  });

  test('a file of another tape', async () => {
    await withFolder((folder) => {
      write(join(folder, 'a'), good.slice(0, 100), []);
      const other = good.slice(0, 100).map(([time, id, price, size, side]): Row => [time, id, price, size, 1 - side]);
      write(join(folder, 'b'), other, []);
      const a = readFileSync(join(folder, 'a', 'XYZ.trades.tape'));
      const b = readFileSync(join(folder, 'b', 'XYZ.trades.tape'));
      writeFileSync(join(folder, 'a', 'XYZ.trades.tape'), b);
      expect(a.equals(b)).toBe(false);
      expect(() => rowsOf(openTape(join(folder, 'a')).open()[0]!)).toThrow(TapeError);
    });
  });

  /** Reading fails with a TapeError. Only white space in tape.json may change, because its content is then equal. */
  function expectDamage(path: string, damaged: string, original: string): void {
    let same = false;
    try {
      same = JSON.stringify(JSON.parse(damaged)) === JSON.stringify(JSON.parse(original));
    } catch {
      same = false;
    }
    const read = (): void => {
      for (const stream of openTape(path).open()) {
        let given = 0;
        while (stream.next()) {
          // Every row before the damage is as it was written.
          for (let i = 0; i < stream.length; i++, given++)
            if (rowAt(stream, i).some((value, k) => value !== good[given]![k])) throw new Error('a wrong row');
        }
      }
    };
    if (same) read();
    else expect(read).toThrow(TapeError);
    if (!same) expect(() => loadTape(path)).toThrow(TapeError);
  }
});

describe('the merge', () => {
  const blocks = fc.array(fc.array(fc.nat(30), { minLength: 1, maxLength: 12 }), { maxLength: 5 }).map((parts) => {
    const sorted = parts.flat().toSorted((a, b) => a - b);
    let at = 0;
    return parts.map((part) => sorted.slice(at, (at += part.length)));
  });

  test('gives rows in the order of a stable sort by time, stream and row, again after a rewind', () => {
    fc.assert(
      fc.property(fc.array(blocks, { minLength: 1, maxLength: 7 }), (all) => {
        const streams = all.map((parts, index) => streamOfTimes(index, parts));
        const expected = mergedBySorting(streams);
        const merge = new TapeMerge(streams);
        expect(mergedByRuns(streams, merge)).toEqual(expected);
        expect(merge.next()).toBe(false);
        merge.rewind();
        expect(mergedByRuns(streams, merge)).toEqual(expected);
        expect(merge.rows).toBe(expected.length);
      }),
      { numRuns: 500 },
    );
  });

  test('goes on in the same order after rows that the caller took itself', () => {
    fc.assert(
      fc.property(fc.array(blocks, { minLength: 1, maxLength: 7 }), fc.array(fc.nat(30)), (all, ends) => {
        const streams = all.map((parts, index) => streamOfTimes(index, parts));
        const expected = mergedBySorting(streams);
        const merge = new TapeMerge(streams);
        if (!merge.next()) return;
        const taken = new Set<string>();
        const note = (stream: number, row: number): void => void taken.add(`${stream}:${row}`);
        for (let i = merge.from; i < merge.to; i++) note(streams.indexOf(merge.stream), merge.stream.firstRow + i);
        for (const end of ends.toSorted((a, b) => a - b)) {
          // All rows up to this time that are in memory.
          merge.settle();
          for (const [index, run] of merge.runs.entries())
            for (; run.to < run.length && run.order[run.to]! <= end; run.to++) note(index, run.stream.firstRow + run.to);
          merge.skip();
        }
        const rest = expected.filter(({ stream, row }) => !taken.has(`${stream}:${row}`));
        expect(mergedByRuns(streams, merge)).toEqual(rest);
      }),
      { numRuns: 500 },
    );
  });

  test('omits rows outside its window, and counts the rest', () => {
    fc.assert(
      fc.property(fc.array(blocks, { minLength: 1, maxLength: 4 }), fc.nat(31), fc.nat(31), (all, since, until) => {
        const streams = all.map((parts, index) => streamOfTimes(index, parts));
        const expected = mergedBySorting(streams).filter(({ time }) => time >= since && time < until);
        const merge = new TapeMerge(streams, since, until);
        expect(mergedByRuns(streams, merge)).toEqual(expected);
        expect(merge.rows).toBe(expected.length);
        expect(merge.next()).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
