/** Parts of tapes, tapes one after the other, and longer bars, compared with plain rows. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUY } from '../../../src/domain/codes.ts';
import { main } from '../../../src/cli/run-command-line.ts';
import { cutTape } from '../../../src/tape/edit/cut.ts';
import { joinTapes } from '../../../src/tape/edit/join.ts';
import { resampleTape } from '../../../src/tape/edit/resample.ts';
import type { Manifest } from '../../../src/tape/file/manifest.ts';
import { readManifest } from '../../../src/tape/read.ts';
import { streamsOf } from '../../../src/tape/streams-of.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { plainRows } from '../../support/tape/plain-rows.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

const T = Date.UTC(2024, 0, 1);
type Rows = Record<string, (number | string)[][]>;

function rowsOf(tape: string): Rows {
  return Object.fromEntries(
    streamsOf(tape, readManifest(tape), () => true, true).map((one) => [`${one.symbol} ${one.kind}`, plainRows(one)]),
  );
}

/** Every kind of rows, one a second from second `from` to before `to`; bars each minute; small blocks, so that there are several. */
function tapeOf(path: string, from: number, to: number, decimals = 2): string {
  const writer = new TapeWriter(path, { blockRows: 16 });
  const scale = { priceDecimals: decimals, sizeDecimals: 3 };
  const more = 10 ** (decimals - 2);
  const trades = writer.stream('AAA', 'trades', scale);
  const quotes = writer.stream('AAA', 'quotes', scale);
  const bars = writer.stream('BBB', 'bars', scale, 60_000);
  const marks = writer.stream('AAA', 'marks', scale);
  const funding = writer.stream('AAA', 'funding', scale);
  for (let k = from; k < to; k++) {
    const price = (5000 + ((k * 7919) % 101)) * more;
    trades.trade(T + k * 1000, k + 1, price, (k % 13) + 1, k & 1);
    quotes.quote(T + k * 1000, price - more, 5, price + more, (k % 7) + 1);
    if (k % 60 === 0) bars.bar(T + k * 1000, price, price + 40 * more, price - 30 * more, price + 10 * more, k);
    if (k % 100 === 0) marks.single(T + k * 1000, price);
    if (k % 200 === 0) funding.single(T + k * 1000, 1e12 + k);
  }
  writer.finish();
  return path;
}

describe('cut', () => {
  test.each([
    [undefined, undefined],
    [T + 100_000, undefined],
    [undefined, T + 333_500],
    [T + 61_000, T + 420_000],
  ])('from %s to %s', (from, to) =>
    withFolder((folder) => {
      const tape = tapeOf(join(folder, 'a'), 0, 600);
      cutTape(tape, join(folder, 'b'), { from, to });
      const whole = rowsOf(tape);
      const wanted = Object.entries(whole).map(([name, rows]) => [
        name,
        rows.filter(([time]) => {
          const end = Number(time) + (name.endsWith('bars') ? 60_000 : 1);
          return Number(time) >= (from ?? 0) && end <= (to ?? Infinity);
        }),
      ]);
      expect(rowsOf(join(folder, 'b'))).toEqual(Object.fromEntries(wanted));
    }),
  );

  test('of nothing leaves nothing', () =>
    withFolder((folder) => {
      const tape = tapeOf(join(folder, 'a'), 0, 60);
      expect(() => cutTape(tape, join(folder, 'b'), { from: T + 1e9 })).toThrow(expect.objectContaining({ code: 'empty' }));
      expect(readdirSync(folder)).toEqual(['a']);
    }));
});

describe('join', () => {
  test.each([
    ['one after the other', 300, 300, 2],
    ['that overlap', 400, 240, 2],
    ['of other decimals', 300, 300, 4],
  ])('tapes %s are the whole one', (_, end, start, decimals) =>
    withFolder((folder) => {
      const whole = tapeOf(join(folder, 'whole'), 0, 600);
      const [a, b] = [tapeOf(join(folder, 'a'), 0, end), tapeOf(join(folder, 'b'), start, 600, decimals)];
      const { overlap, manifest } = joinTapes(a, b, join(folder, 'out'));
      expect(rowsOf(join(folder, 'out'))).toEqual(rowsOf(whole));
      const facts = ({ streams }: Manifest): unknown[] =>
        streams.map(({ symbol, kind, rows, from, to, gaps, barMs }) => [symbol, kind, rows, from, to, gaps, barMs]);
      expect(facts(manifest)).toEqual(facts(readManifest(whole)));
      expect(overlap).toBe(readManifest(a).rows + readManifest(b).rows - readManifest(whole).rows);
    }),
  );

  test('trades of the millisecond at which the first ends are told apart by their ids', () =>
    withFolder((folder) => {
      const scale = { priceDecimals: 0, sizeDecimals: 0 };
      const make = (name: string, trades: readonly (readonly [time: number, id: number])[]): string => {
        const writer = new TapeWriter(join(folder, name));
        const stream = writer.stream('AAA', 'trades', scale);
        for (const [time, id] of trades) stream.trade(T + time, id, 10 + id, 1, 0);
        writer.finish();
        return join(folder, name);
      };
      const a = make('a', [
        [0, 1],
        [5, 2],
        [5, 3],
      ]);
      const b = make('b', [
        [5, 3],
        [5, 4],
        [6, 5],
      ]);
      expect(joinTapes(a, b, join(folder, 'out')).overlap).toBe(1);
      expect(rowsOf(join(folder, 'out'))['AAA trades']!.map(([, id]) => id)).toEqual([1, 2, 3, 4, 5]);
    }));

  test('tapes in the wrong order, or of other symbols, are refused and leave nothing', () =>
    withFolder((folder) => {
      const [a, b] = [tapeOf(join(folder, 'a'), 0, 60), tapeOf(join(folder, 'b'), 60, 120)];
      expect(() => joinTapes(b, a, join(folder, 'out'))).toThrow(expect.objectContaining({ code: 'unsupported' }));
      const early = tapeOf(join(folder, 'd'), 0, 300);
      const late = tapeOf(join(folder, 'e'), 200, 600);
      expect(() => joinTapes(late, early, join(folder, 'out'))).toThrow(expect.objectContaining({ code: 'order' }));
      expect(existsSync(join(folder, 'out'))).toBe(false);
    }));
});

describe('resample', () => {
  /** A slow, obvious implementation. */
  function barsOf(rows: readonly (readonly number[])[], barMs: number): number[][] {
    const starts = [...new Set(rows.map(([time]) => Math.floor(time! / barMs) * barMs))];
    return starts.map((start) => {
      const own = rows.filter(([time]) => time! >= start && time! < start + barMs);
      const [high, low] = [Math.max(...own.map((row) => row[2]!)), Math.min(...own.map((row) => row[3]!))];
      const volume = own.reduce((sum, row) => sum + Math.round(row[5]! * 1000), 0) / 1000;
      return [start, own[0]![1]!, high, low, own.at(-1)![4]!, volume];
    });
  }

  test.each([60_000, 120_000, 300_000])('trades and bars to %i ms', (barMs) =>
    withFolder((folder) => {
      const tape = tapeOf(join(folder, 'a'), 30, 900);
      resampleTape(tape, join(folder, 'b'), barMs);
      const before = rowsOf(tape);
      const after = rowsOf(join(folder, 'b'));
      const asBars = (before['AAA trades'] as number[][]).map(([time, , price, size]) => [time!, price!, price!, price!, price!, size!]);
      expect(after).toEqual({
        'AAA bars': barsOf(asBars, barMs),
        'BBB bars': barsOf(before['BBB bars'] as number[][], barMs),
        'AAA marks': before['AAA marks'],
        'AAA funding': before['AAA funding'],
      });
      expect(
        readManifest(join(folder, 'b'))
          .streams.filter(({ kind }) => kind === 'bars')
          .map((one) => one.barMs),
      ).toEqual([barMs, barMs]);
    }),
  );

  test('weeks begin on Monday', () =>
    withFolder((folder) => {
      const tape = tapeOf(join(folder, 'a'), 0, 60);
      resampleTape(tape, join(folder, 'b'), 7 * 86_400_000);
      expect(rowsOf(join(folder, 'b'))['AAA bars']![0]![0]).toBe(Date.UTC(2024, 0, 1));
    }));

  test('a volume that no column holds is named with its bar, and what to do', () =>
    withFolder((folder) => {
      const writer = new TapeWriter(join(folder, 'a'));
      const stream = writer.stream('AAA', 'trades', { priceDecimals: 1, sizeDecimals: 3 });
      for (let k = 0; k < 3; k++) stream.trade(T + k * 1000, k + 1, 600_000, Number.MAX_SAFE_INTEGER - 7, BUY);
      writer.finish();
      expect(() => resampleTape(join(folder, 'a'), join(folder, 'b'), 60_000)).toThrow(
        /^bars of AAA: volume: the sizes from 2024-.* add up to more than/,
      );
      expect(readdirSync(folder)).toEqual(['a']);
    }));

  test('bars that do not fit the timeframe are refused and leave nothing', () =>
    withFolder((folder) => {
      const tape = tapeOf(join(folder, 'a'), 0, 600);
      expect(() => resampleTape(tape, join(folder, 'b'), 90_000)).toThrow(expect.objectContaining({ code: 'unsupported' }));
      expect(readdirSync(folder)).toEqual(['a']);
    }));
});

describe('the commands', () => {
  async function run(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
    let stdout = '';
    let stderr = '';
    const live = { update: () => undefined, write: () => undefined, end: () => undefined };
    const out = { write: (text: string) => void (stdout += text), columns: 80 };
    const status = await main(['tape', ...args], { stdout: out, stderr: { write: (text) => void (stderr += text) }, isTty: false, live });
    return { status, stdout, stderr };
  }

  test('cut, join and resample write tapes, and say what they wrote', () =>
    withFolder(async (folder) => {
      const tape = tapeOf(join(folder, 'a'), 0, 600);
      const [early, late, whole, bars] = ['early', 'late', 'whole', 'bars'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
        string,
      ];
      expect(await run('cut', tape, '--to', '2024-01-01T00:05', '--out', early)).toMatchObject({
        status: 0,
        stdout: `610 rows are in ${early}\n`,
      });
      expect((await run('cut', tape, '--from', '2024-01-01T00:04', '--out', late)).status).toBe(0);
      const joined = await run('join', early, late, '--out', whole);
      expect(joined).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringMatching(/^121 rows of the second tape are in the first one too\n/),
      });
      expect(rowsOf(whole)).toEqual(rowsOf(tape));
      const resampled = await run('resample', tape, '--timeframe', '5m', '--out', bars, '--json');
      expect(JSON.parse(resampled.stdout)).toEqual({ folder: bars, rows: 13, from: T, to: T + 500_000 });
    }));

  test('what is missing or in the way is named, and a tape is replaced with --force alone', () =>
    withFolder(async (folder) => {
      const tape = tapeOf(join(folder, 'a'), 0, 600);
      const out = ['--out', join(folder, 'b')];
      expect(await run('cut', tape, ...out)).toMatchObject({ status: 2, stderr: expect.stringContaining('--from or --to is missing') });
      expect(await run('resample', tape, ...out)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('--timeframe TIME is missing'),
      });
      expect(await run('join', tape, join(folder, 'c'), ...out)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('there is no tape'),
      });
      expect((await run('resample', tape, '--timeframe', '5m', ...out)).status).toBe(0);
      expect((await run('resample', tape, '--timeframe', '1m', ...out)).status).toBeGreaterThan(0);
      expect((await run('resample', tape, '--timeframe', '1m', '--force', ...out)).status).toBe(0);
      expect(rowsOf(join(folder, 'b'))['AAA bars']).toHaveLength(10);
    }));
});
