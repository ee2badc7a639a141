import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BUY, SELL } from '../../../src/domain/codes.ts';
import { Failure } from '../../../src/base/failure/failure.ts';
import { generateMarket, generateTrades } from '../../../bench/generate.ts';
import { BlockReader, fileHeader, packBlock } from '../../../src/tape/file/block.ts';
import { tapeInfo } from '../../../src/tape/quality/info.ts';
import { loadTape, openTape } from '../../../src/tape/read.ts';
import type { Tape, TapeOptions } from '../../../src/tape/tape.ts';
import { TapeWriter, type TapeWriterOptions } from '../../../src/tape/write.ts';
import { rowsOf, withFolder } from '../../support/tape/tape-rows.ts';

const SCALE = { priceDecimals: 2, sizeDecimals: 3 };

function writeSmall(folder: string, options: TapeWriterOptions = {}): void {
  const writer = new TapeWriter(folder, options);
  const quotes = writer.stream('BTCUSDT', 'quotes', SCALE);
  const trades = writer.stream('BTCUSDT', 'trades', SCALE);
  quotes.quote(1000, 6_180_020, 2507, 6_180_030, 2510);
  quotes.quote(1000, 6_180_020, 2507, 6_180_030, 2504);
  quotes.quote(9001, 6_180_050, 100, 6_180_060, 7);
  trades.trade(1010, 5_266_583_935, 6_180_030, 6, BUY);
  trades.trade(1015, 5_266_583_936, 6_180_020, 199, SELL);
  writer.finish();
}

const readers: readonly (readonly [string, (folder: string, options?: TapeOptions) => Tape])[] = [
  ['from disk', openTape],
  ['from memory', loadTape],
];

function codeOf(body: () => unknown): string {
  try {
    body();
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    const { code, problems } = error as Failure & { code: string };
    expect(problems[0]!.where).toMatch(/\S/);
    expect(problems[0]!.what).toMatch(/expected|damaged/);
    return code;
  }
  return 'no error';
}

describe.each(readers)('reading %s', (_, read) => {
  test('streams come by symbol, trades before quotes, with their rows', async () => {
    await withFolder((folder) => {
      writeSmall(join(folder, 't'));
      const tape = read(join(folder, 't'));
      const streams = tape.open();
      expect(streams.map((s) => [s.index, s.symbol, s.kind, s.rows])).toEqual([
        [0, 'BTCUSDT', 'trades', 2],
        [1, 'BTCUSDT', 'quotes', 3],
      ]);
      expect(rowsOf(streams[0]!)).toEqual([
        [1010, 5_266_583_935, 6_180_030, 6, BUY],
        [1015, 5_266_583_936, 6_180_020, 199, SELL],
      ]);
      expect(streams[0]!.price).toBeInstanceOf(Int32Array);
      expect(streams[1]!.ask).toBeInstanceOf(Int32Array);
      expect(tape.manifest).toMatchObject({ rows: 5, from: 1000, to: 9001 });
    });
  });

  test.each([
    ['ticks of 0.10 and lots of 0.001', { priceDecimals: 2, tickStep: 10, sizeDecimals: 3, lotStep: 1 }, [618_003, 6]],
    ['more decimals than the tape has', { priceDecimals: 4, tickStep: 1, sizeDecimals: 8, lotStep: 1 }, [618_003_000, 600_000]],
    ['more decimals and a coarse step', { priceDecimals: 3, tickStep: 100, sizeDecimals: 6, lotStep: 500 }, [618_003, 12]],
    ['fewer decimals', { priceDecimals: 1, tickStep: 1, sizeDecimals: 3, lotStep: 1 }, [618_003, 6]],
  ])('a grid: %s', async (_name, grid, expected) => {
    await withFolder((folder) => {
      writeSmall(join(folder, 't'));
      const [trades] = read(join(folder, 't'), { gridOf: () => grid }).open();
      const [first] = rowsOf(trades!);
      expect([first![2], first![3]]).toEqual(expected);
    });
  });

  test('values beyond 32 bits come as doubles', async () => {
    await withFolder((folder) => {
      writeSmall(join(folder, 't'));
      const [trades] = read(join(folder, 't'), { gridOf: () => ({ priceDecimals: 8, tickStep: 1, sizeDecimals: 3, lotStep: 1 }) }).open();
      expect(rowsOf(trades!)[0]![2]).toBe(6_180_030_000_000);
      expect(trades!.price).toBeInstanceOf(Float64Array);
      expect(trades!.size).toBeInstanceOf(Int32Array);
    });
  });

  test('a value off the grid is refused', async () => {
    await withFolder((folder) => {
      writeSmall(join(folder, 't'));
      const gridOf = () => ({ priceDecimals: 2, tickStep: 50, sizeDecimals: 3, lotStep: 1 });
      expect(codeOf(() => rowsOf(read(join(folder, 't'), { gridOf }).open()[0]!))).toBe('off-grid');
    });
  });

  test('at a speed, times shrink toward the start of the tape and keep their order', async () => {
    await withFolder((folder) => {
      writeSmall(join(folder, 't'));
      const [trades, quotes] = read(join(folder, 't'), { speed: 4 }).open();
      expect(rowsOf(quotes!).map(([time]) => time)).toEqual([1000, 1000, 3000]);
      expect(rowsOf(trades!).map(([time]) => time)).toEqual([1002, 1003]);
    });
  });

  test('with another start, all times shift with it, at any speed', async () => {
    await withFolder((folder) => {
      writeSmall(join(folder, 't'));
      const at = (options: TapeOptions) =>
        rowsOf(
          read(join(folder, 't'), options)
            .open()
            .find((s) => s.kind === 'quotes')!,
        ).map(([time]) => time);
      expect(at({ start: 5000 })).toEqual(at({}).map((time) => time + 4000));
      expect(at({ start: 5000, speed: 4 })).toEqual([5000, 5000, 7000]);
      expect(() => read(join(folder, 't'), { start: 0.5 })).toThrow(RangeError);
    });
  });

  test('returns only the requested symbols; an unknown one is refused', async () => {
    await withFolder((folder) => {
      const path = join(folder, 't');
      const writer = new TapeWriter(path);
      for (const symbol of ['AAA', 'BBB']) writer.stream(symbol, 'trades', SCALE).trade(1, 1, 1, 1, BUY);
      writer.finish();
      expect(
        read(path, { symbols: ['BBB'] })
          .open()
          .map((s) => [s.index, s.symbol]),
      ).toEqual([[0, 'BBB']]);
      expect(codeOf(() => read(path, { symbols: ['BBC'] }))).toBe('missing');
    });
  });

  test('cursors of one tape are independent', async () => {
    await withFolder((folder) => {
      const path = join(folder, 't');
      generateTrades(path, { rows: 70_000, seed: 3 });
      const tape = read(path);
      const [a] = tape.open();
      const [b] = tape.open();
      a!.next();
      const expected = rowsOf(b!);
      expect(a!.time[0]).toBe(expected[0]![0]);
      a!.next();
      expect([a!.firstRow, a!.length]).toEqual([65_536, 4464]);
      expect(a!.price[4463]).toBe(expected[69_999]![2]);
      expect(a!.next()).toBe(false);
      expect(a!.next()).toBe(false);
      a!.close();
      b!.close();
    });
  });

  test('a folder that is not a tape is identified', async () => {
    await withFolder((folder) => {
      writeFileSync(join(folder, 'file'), 'x');
      mkdirSync(join(folder, 'empty'));
      const withManifest = (name: string, text: string): string => {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, 'tape.json'), text);
        return join(folder, name);
      };
      expect(codeOf(() => read(join(folder, 'none')))).toBe('missing');
      expect(codeOf(() => read(join(folder, 'file')))).toBe('not-a-tape');
      expect(codeOf(() => read(join(folder, 'empty')))).toBe('not-a-tape');
      expect(codeOf(() => read(withManifest('a', '{}')))).toBe('not-a-tape');
      expect(codeOf(() => read(withManifest('b', '{"format":')))).toBe('corrupt');
      expect(codeOf(() => read(withManifest('c', '{"format":"tickwright-tape","version":99}')))).toBe('version');
      writeSmall(join(folder, 't'));
      const text = readFileSync(join(folder, 't', 'tape.json'), 'utf8');
      expect(codeOf(() => read(withManifest('d', text)))).toBe('missing');
      expect(codeOf(() => read(withManifest('e', text.replace('"rows": 5', '"rows": 6'))))).toBe('corrupt');
    });
  });
});

describe('writing', () => {
  test('an existing folder is refused, a tape is replaced on request, anything else never', async () => {
    await withFolder((folder) => {
      const path = join(folder, 't');
      writeSmall(path);
      expect(codeOf(() => writeSmall(path))).toBe('exists');
      generateTrades(path, { rows: 10, seed: 1, overwrite: true });
      expect(tapeInfo(path).rows).toBe(10);
      mkdirSync(join(folder, 'mine'));
      writeFileSync(join(folder, 'mine', 'thesis.txt'), 'all there is');
      expect(codeOf(() => writeSmall(join(folder, 'mine'), { overwrite: true }))).toBe('exists');
      expect(readdirSync(folder).toSorted()).toEqual(['mine', 't']);
    });
  });

  test('a tape appears only when complete, and an abandoned one leaves nothing', async () => {
    await withFolder((folder) => {
      const path = join(folder, 'deep', 't');
      const writer = new TapeWriter(path);
      writer.stream('A', 'trades', SCALE).trade(1, 1, 1, 1, BUY);
      expect(existsSync(path)).toBe(false);
      writer.abort();
      expect(readdirSync(join(folder, 'deep'))).toEqual([]);
      expect(codeOf(() => new TapeWriter(path).finish())).toBe('empty');
      expect(readdirSync(join(folder, 'deep'))).toEqual([]);
    });
  });

  test('time may stand still but not go back, and values are whole and below 2^53', async () => {
    await withFolder((folder) => {
      const writer = new TapeWriter(join(folder, 't'));
      const stream = writer.stream('A', 'trades', SCALE);
      stream.trade(5, 1, 1, 1, BUY);
      stream.trade(5, 2, 1, 1, BUY);
      expect(codeOf(() => stream.trade(4, 3, 1, 1, BUY))).toBe('order');
      for (const bad of [0.5, -1, Number.NaN, 2 ** 53]) {
        const other = new TapeWriter(join(folder, `bad`));
        other.stream('A', 'trades', SCALE).trade(5, 1, bad, 1, BUY);
        expect(codeOf(() => other.finish())).toBe('range');
      }
      expect(codeOf(() => writer.stream('../A', 'trades', SCALE))).toBe('range');
      writer.abort();
    });
  });

  test('a stream may continue with more decimals; its earlier rows keep their value', async () => {
    await withFolder((folder) => {
      const path = join(folder, 't');
      const writer = new TapeWriter(path);
      const stream = writer.stream('A', 'trades', { priceDecimals: 0, sizeDecimals: 0 });
      for (let i = 0; i < 65_540; i++) stream.trade(i, i, 100, 7, BUY);
      stream.refine(2, 1);
      stream.trade(70_000, 70_000, 10_005, 75, SELL);
      writer.stream('A', 'quotes', { priceDecimals: 3, sizeDecimals: 0 }).quote(1, 99_500, 1, 100_500, 2);
      writer.finish();
      expect(tapeInfo(path).symbols[0]).toMatchObject({ priceDecimals: 3, sizeDecimals: 1, priceStep: 50, sizeStep: 5 });
      const [trades, quotes] = openTape(path).open();
      const rows = rowsOf(trades!);
      expect([rows[0], rows[65_539], rows[65_540]]).toEqual([
        [0, 0, 100_000, 70, BUY],
        [65_539, 65_539, 100_000, 70, BUY],
        [70_000, 70_000, 100_050, 75, SELL],
      ]);
      expect(rowsOf(quotes!)).toEqual([[1, 99_500, 10, 100_500, 20]]);
    });
  });
});

describe('the description of a tape', () => {
  test('rows, span, scales, size and silences over the threshold', async () => {
    await withFolder((folder) => {
      writeSmall(join(folder, 't'), { source: 'by hand' });
      const info = tapeInfo(join(folder, 't'));
      expect(info).toMatchObject({ source: 'by hand', rows: 5, from: 1000, to: 9001 });
      expect(info.symbols).toEqual([
        { symbol: 'BTCUSDT', ...SCALE, priceStep: 10, sizeStep: 1, writtenPriceDecimals: 2, writtenSizeDecimals: 3 },
      ]);
      expect(info.streams[1]!.gaps).toEqual({ over: 5000, count: 1, totalMs: 8001, longest: [{ from: 1000, to: 9001 }] });
      expect(info.bytes).toBeGreaterThan(info.streams[0]!.bytes + info.streams[1]!.bytes);
    });
  });

  test('a changed byte is detected with its file and block, and so is a file of another tape', async () => {
    await withFolder((folder) => {
      const path = join(folder, 't');
      generateTrades(path, { rows: 262_144, seed: 3 });
      const { blocks, file: name } = tapeInfo(path).streams[0]!;
      expect(blocks).toBe(4);
      const file = join(path, name);
      const sound = readFileSync(file);
      const blockAt = (byte: number): string => {
        const changed = Buffer.from(sound);
        changed[byte]! ^= 1;
        writeFileSync(file, changed);
        try {
          tapeInfo(path);
        } catch (error) {
          const { what, where } = (error as Failure).problems[0]!;
          expect(where).toContain(file);
          return /block (\d) is damaged|other bytes/.exec(what)?.[1] ?? what;
        }
        return 'none';
      };
      const step = Math.floor(sound.length / 8);
      expect([1, 3, 5, 7].map((eighth) => blockAt(eighth * step))).toEqual(['0', '1', '2', '3']);
      expect(blockAt(0)).toMatch(/other bytes/);
      expect(blockAt(sound.length - 1)).toBe('3');
      generateTrades(join(folder, 'other'), { rows: 262_144, seed: 4 });
      const other = readFileSync(join(folder, 'other', name));
      writeFileSync(file, Buffer.concat([other, Buffer.alloc(Math.max(0, sound.length - other.length))]).subarray(0, sound.length));
      expect(codeOf(() => tapeInfo(path))).toMatch(/corrupt|truncated/);
      writeFileSync(file, sound);
      expect(tapeInfo(path).rows).toBe(262_144);
    });
  });

  test('an invalid block is named even if its checksum is right', async () => {
    await withFolder((folder) => {
      const head = { rows: 1, priceDecimals: 2, sizeDecimals: 3, first: 1, last: 1 };
      const start = fileHeader('trades');
      const { header, frame } = packBlock(Buffer.alloc(100), 0, head, crc32(start));
      const checksumAt = header.length - 4;
      header.writeUInt32LE(101, 16);
      header.writeUInt32LE(crc32(frame, crc32(header.subarray(0, checksumAt), crc32(start))), checksumAt);
      const file = join(folder, 'one.tape');
      writeFileSync(file, Buffer.concat([start, header, frame]));
      const reader = new BlockReader(file, { kind: 'trades', bytes: statSync(file).size });
      try {
        expect(() => reader.read(0)).toThrow('block 0 is damaged: 101 bytes were expected in it, found 100');
      } finally {
        reader.close();
      }
    });
  });

  test('a silence of exactly the threshold is not counted; the 20 longest are kept', async () => {
    await withFolder((folder) => {
      const writer = new TapeWriter(join(folder, 't'), { gapMs: 10 });
      const stream = writer.stream('A', 'trades', SCALE);
      let time = 0;
      for (let i = 0; i < 100; i++) stream.trade((time += 10 + ((i * 37) % 100)), i, 1, 1, BUY);
      writer.finish();
      const { gaps } = tapeInfo(join(folder, 't')).streams[0]!;
      expect(gaps.count).toBe(99);
      expect(gaps.longest.map((g) => g.to - g.from)).toEqual(Array.from({ length: 20 }, (_, i) => 109 - i));
    });
  });
});

describe('size', () => {
  test('generated trades take at most 4 bytes per row on disk, and a loaded market 20 in memory', async () => {
    await withFolder((folder) => {
      const path = join(folder, 't');
      const manifest = generateMarket(path, { rows: 200_000, seed: 1 });
      const trades = manifest.streams[0]!;
      expect(trades.bytes / trades.rows).toBeLessThan(4);
      let bytes = 0;
      for (const stream of loadTape(path).open()) {
        const seen = new Set<ArrayBufferLike>();
        while (stream.next()) {
          for (const column of [stream.price, stream.size, stream.side, stream.bid, stream.bidSize, stream.ask, stream.askSize]) {
            if (!seen.has(column.buffer)) bytes += column.byteLength;
            seen.add(column.buffer);
          }
          bytes += 4 * stream.length;
        }
      }
      expect(bytes / manifest.rows).toBeLessThanOrEqual(20);
    });
  });
});
