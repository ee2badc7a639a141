/** A tape that is written while its rows come in: readable at every moment, also after a kill, and continued. */
import { cpSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutTape } from '../../../src/tape/edit/cut.ts';
import type { RecordingGap } from '../../../src/tape/file/manifest.ts';
import { tapeInfo } from '../../../src/tape/quality/info.ts';
import { loadTape, readManifest } from '../../../src/tape/read.ts';
import { TapeRecorder } from '../../../src/tape/record/tape-recorder.ts';
import type { LoggedStream } from '../../../src/tape/write/row-log.ts';
import { streamsOf } from '../../../src/tape/streams-of.ts';
import { rowsOf, withFolder, type Row } from '../../support/tape/tape-rows.ts';

const T = 1_735_689_600_000;
const TRADES: LoggedStream = { symbol: 'BTCUSDT', kind: 'trades', priceDecimals: 1, sizeDecimals: 3 };
const QUOTES: LoggedStream = { symbol: 'BTCUSDT', kind: 'quotes', priceDecimals: 1, sizeDecimals: 3 };
const OTHER: LoggedStream = { symbol: 'ETHUSDT', kind: 'quotes', priceDecimals: 2, sizeDecimals: 2 };
const STREAMS = [TRADES, QUOTES, OTHER];

/** Rows of each stream that a folder has, by name. */
function rowsIn(folder: string): Readonly<Record<string, Row[]>> {
  let manifest;
  try {
    manifest = readManifest(folder);
  } catch (error) {
    expect((error as Error).message).toContain('a recording without any');
    return {};
  }
  return Object.fromEntries(
    streamsOf(folder, manifest, () => true, true).map((s) => {
      const rows = rowsOf(s);
      s.close();
      return [`${s.symbol} ${s.kind}`, rows];
    }),
  );
}

function startOf(rows: readonly Row[] | undefined, count: number): readonly Row[] {
  return (rows ?? []).slice(0, count);
}

const step = fc.record({
  stream: fc.integer({ min: 0, max: 2 }),
  ms: fc.integer({ min: 0, max: 9000 }),
  price: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -400_000, max: 900_000 })),
  size: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 9_000_000_000_000_000 })),
  side: fc.integer({ min: 0, max: 1 }),
  /** After the row: nothing, a flush, a copy of the folder as a kill leaves it, a seal, or a clean end and a new start. */
  next: fc.constantFrom('on', 'on', 'flush', 'flush', 'kill', 'seal', 'again'),
  cut: fc.nat(200),
});

test('whatever is killed, sealed or started again: what was flushed is there, and nothing else', () =>
  withFolder(async (base) => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 120 }), async (steps) => {
        const folder = join(base, String(++number));
        const wanted: Record<string, Row[]> = {};
        const flushed: Record<string, number> = {};
        const note = (): void => {
          for (const [name, rows] of Object.entries(wanted)) flushed[name] = rows.length;
        };
        const options = { source: 'test', logBytes: 150 };
        let now = T;
        let price = 500_000;
        let recorder = new TapeRecorder(folder, now, options);
        for (const { stream: index, ms, price: moves, size, side, next: what, cut } of steps) {
          const stream = STREAMS[index]!;
          now += ms;
          price = Math.max(1, price + moves);
          const name = `${stream.symbol} ${stream.kind}`;
          const values = stream.kind === 'trades' ? [number * 1000, price, size, side] : [price, size, price + 1, 7];
          (wanted[name] ??= []).push([now, ...values] as unknown as Row);
          recorder.row(stream, now, values);
          if (what === 'on') continue;
          if (what === 'again') await recorder.close(now);
          else recorder.flush(now);
          note();
          if (what === 'seal') await recorder.seal();
          if (what === 'again') recorder = new TapeRecorder(folder, now, options);
          if (what !== 'kill') continue;
          // What a kill leaves: the folder in the middle of whatever goes on, the last frame perhaps cut off.
          const copy = `${folder}-killed-${readdirSync(base).length}`;
          cpSync(folder, copy, { recursive: true });
          const log = readdirSync(copy)
            .filter((one) => one.endsWith('.log'))
            .sort()
            .at(-1)!;
          const bytes = statSync(join(copy, log)).size;
          const whole = rowsIn(copy);
          for (const [key, rows] of Object.entries(wanted)) expect(whole[key] ?? []).toEqual(rows);
          truncateSync(join(copy, log), Math.max(0, bytes - cut));
          const torn = rowsIn(copy);
          for (const [key, rows] of Object.entries(wanted)) expect(torn[key] ?? []).toEqual(startOf(rows, torn[key]?.length ?? 0));
          const next = new TapeRecorder(copy, now, options);
          next.row(OTHER, now + 1, [1, 2, 3, 4]);
          await next.close(now + 1);
          const ended = rowsIn(copy);
          expect(ended['ETHUSDT quotes']).toEqual([...(torn['ETHUSDT quotes'] ?? []), [now + 1, 1, 2, 3, 4]]);
          expect(ended['BTCUSDT trades'] ?? []).toEqual(torn['BTCUSDT trades'] ?? []);
        }
        recorder.flush(now);
        expect(rowsIn(folder)).toEqual(Object.fromEntries(Object.entries(wanted).filter(([, rows]) => rows.length > 0)));
        await recorder.close(now);
        expect(rowsIn(folder)).toEqual(wanted);
        tapeInfo(folder);
        expect(readdirSync(folder).filter((one) => one.endsWith('.log') || one.endsWith('.new'))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }));

describe('a recording', () => {
  test('that was cut off anywhere in its log has all frames before the cut', () =>
    withFolder((folder) => {
      const recorder = new TapeRecorder(join(folder, 'a'), T, { source: 'test' });
      const sizes: number[] = [];
      const log = join(folder, 'a', 'rows-000001.log');
      for (let k = 0; k < 20; k++) {
        recorder.row(QUOTES, T + k, [600_000 + k, k, 600_001 + k, 3]);
        recorder.flush(T + k);
        sizes.push(statSync(log).size);
      }
      for (let cut = statSync(log).size; cut >= 0; cut--) {
        truncateSync(log, cut);
        expect(rowsIn(join(folder, 'a'))['BTCUSDT quotes']?.length ?? 0).toBe(sizes.filter((size) => size <= cut).length);
      }
    }));

  test('is a tape for all who read tapes, while it goes on', () =>
    withFolder(async (folder) => {
      const recorder = new TapeRecorder(join(folder, 'a'), T, { source: 'test' });
      for (let k = 0; k < 30; k++) {
        recorder.row(QUOTES, T + 1000 * k, [600_000 + 10 * k, 1, 600_010 + 10 * k, 3]);
        recorder.flush(T + 1000 * k);
        if (k === 10) await recorder.seal();
      }
      const manifest = readManifest(join(folder, 'a'));
      expect(manifest).toMatchObject({ rows: 30, from: T, to: T + 29_000, symbols: [{ priceStep: 10, writtenPriceDecimals: 1 }] });
      expect(
        loadTape(join(folder, 'a'))
          .open()
          .map((stream) => rowsOf(stream).length),
      ).toEqual([30]);
      cutTape(join(folder, 'a'), join(folder, 'cut'), { from: T + 20_000 });
      expect(rowsIn(join(folder, 'cut'))['BTCUSDT quotes']).toHaveLength(10);
      await recorder.close(T);
    }));

  test('remembers when it was recorded and what is missing, and goes on at the last row', () =>
    withFolder(async (folder) => {
      const gap: RecordingGap = { symbol: 'BTCUSDT', kind: 'trades', cause: 'missed', from: T, to: T + 50 };
      const first = new TapeRecorder(join(folder, 'a'), T, { source: 'test' });
      first.row(TRADES, T + 50, [77, 1, 1, 0]);
      first.gap(gap);
      first.flush(T + 100);
      // Killed here: nothing is closed.
      const second = new TapeRecorder(join(folder, 'a'), T + 5000, { source: 'test' });
      expect(second.stoppedAt).toBe(T + 100);
      expect(second.end('BTCUSDT', 'trades')).toMatchObject({ rows: 1, to: T + 50 });
      // The clock of the venue stepped back.
      second.row(TRADES, T + 40, [78, 1, 1, 0]);
      await second.close(T + 6000);
      expect(readManifest(join(folder, 'a')).recording).toMatchObject({
        spans: [
          { from: T, to: T + 100 },
          { from: T + 5000, to: T + 6000 },
        ],
        gaps: [gap],
        gapCount: 1,
      });
      expect(rowsIn(join(folder, 'a'))['BTCUSDT trades']!.map(([time, id]) => [time, id])).toEqual([
        [T + 50, 77],
        [T + 50, 78],
      ]);
    }));

  test('takes less than 20 bytes a row, also in its log', () =>
    withFolder(async (folder) => {
      const recorder = new TapeRecorder(join(folder, 'a'), T, { source: 'test' });
      let price = 600_000;
      for (let k = 0; k < 600; k++) {
        price += ((k * 7919) % 41) - 20;
        recorder.row(QUOTES, T + 1000 * k + ((k * 31) % 500), [price, 1 + ((k * 37) % 9000), price + 1, 1 + ((k * 53) % 9000)]);
        recorder.flush(T + 1000 * k);
      }
      expect(readFileSync(join(folder, 'a', 'rows-000001.log')).length / 600).toBeLessThan(20);
      await recorder.close(T);
      expect(readManifest(join(folder, 'a')).streams[0]!.bytes / 600).toBeLessThan(12);
    }));

  test('is refused where another tape or other files are', () =>
    withFolder(async (folder) => {
      expect(() => new TapeRecorder(folder, T, { source: 'test' })).not.toThrow();
      const other = join(folder, 'other');
      const recorder = new TapeRecorder(other, T, { source: 'test' });
      recorder.row(QUOTES, T, [1, 1, 2, 1]);
      await recorder.close(T);
      cutTape(other, join(folder, 'cut'), {});
      expect(() => new TapeRecorder(join(folder, 'cut'), T, { source: 'test' })).toThrow('found another tape');
    }));
});

test('a recording goes on with its own venue alone; an exchange of this machine has another port at each start', () =>
  withFolder(async (base) => {
    const begin = (name: string, url: string): TapeRecorder => new TapeRecorder(join(base, name), T, { source: `recorded from ${url}` });
    for (const url of ['http://127.0.0.1:1', 'http://localhost:2', 'http://127.0.0.1:3']) await begin('here', url).close(T);
    await begin('venue', 'https://one.example').close(T);
    await begin('venue', 'https://one.example').close(T);
    for (const url of ['https://two.example', 'http://127.0.0.1:1', 'https://one.example:8443', 'https://127.0.0.1.example']) {
      expect(() => begin('venue', url)).toThrow('found one "recorded from https://one.example"');
    }
    expect(() => begin('here', 'https://one.example')).toThrow('a recording of the same venue was expected');
    await begin('venue', 'https://one.example').close(T);
  }));
