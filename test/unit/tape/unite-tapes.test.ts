/** Two tapes as one, against sets of rows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uniteTapes } from '../../../src/tape/edit/unite.ts';
import { importFiles } from '../../../src/tape/import/import.ts';
import { readManifest } from '../../../src/tape/read.ts';
import { streamsOf } from '../../../src/tape/streams-of.ts';
import { plainRows } from '../../support/tape/plain-rows.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'unite-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const START = Date.UTC(2024, 0);
let tapes = 0;

/** A tape of these rows, at most 50 of a block so that blocks end everywhere. */
async function tapeOf(header: string, rows: readonly string[]): Promise<string> {
  const name = join(folder, `${++tapes}`);
  writeFileSync(`${name}.csv`, `${[header, ...rows].join('\n')}\n`);
  await importFiles([`${name}.csv`], name, { blockRows: 50, barMs: 1000 });
  return name;
}

function rowsOf(tape: string): (number | string)[][] {
  return streamsOf(tape, readManifest(tape), () => true, true).flatMap((stream) => plainRows(stream));
}

/** Which of 200 rows each tape has; at least one each. */
const parts = fc
  .array(fc.constantFrom(0, 1, 2, 3), { minLength: 2, maxLength: 200 })
  .filter((in_) => in_.some((one) => (one & 1) > 0) && in_.some((one) => (one & 2) > 0));

const RUNS = { numRuns: 25 };

test('of trades with ids the rows of both, once and in order, whichever tape has them', async () => {
  const header = 'symbol,tradeId,price,size,side,ts';
  // Five in each millisecond; every seventh at more decimals.
  const row = (k: number): string =>
    `BTCUSDT,${100 + k},${42_000 + (k % 3)}${k % 7 === 0 ? '.25' : ''},0.${1 + (k % 2)},BUY,${START + Math.floor(k / 5)}`;
  await fc.assert(
    fc.asyncProperty(parts, async (all) => {
      const of = (bit: number): string[] => all.flatMap((one, k) => ((one & bit) > 0 ? [row(k)] : []));
      const [a, b] = [await tapeOf(header, of(1)), await tapeOf(header, of(2))];
      const both = join(folder, `${++tapes}`);
      uniteTapes(a, b, both, undefined);
      const byId = (rows: (number | string)[][]): (number | string)[][] => rows.toSorted((x, y) => Number(x[1]) - Number(y[1]));
      const united = rowsOf(both);
      expect(byId(united)).toEqual(rowsOf(await tapeOf(header, of(3))));
      expect(united.map(([time]) => time)).toEqual(united.map(([time]) => Number(time)).toSorted((x, y) => x - y));
    }),
    RUNS,
  );
});

test('of bars one at each time, that of the first tape where both have one', async () => {
  const header = 'symbol,ts,open,high,low,close,volume';
  const row = (k: number, price: number): string => `BTCUSDT,${START + k * 1000},${price},${price},${price},${price},1`;
  await fc.assert(
    fc.asyncProperty(parts, async (all) => {
      const of = (bit: number, price: number): string[] => all.flatMap((one, k) => ((one & bit) > 0 ? [row(k, price)] : []));
      const [a, b] = [await tapeOf(header, of(1, 5)), await tapeOf(header, of(2, 6))];
      const both = join(folder, `${++tapes}`);
      uniteTapes(a, b, both, undefined);
      const expected = all.flatMap((one, k) => (one === 0 ? [] : [[START + k * 1000, (one & 1) > 0 ? 5 : 6]]));
      expect(rowsOf(both).map(([time, open]) => [time, open])).toEqual(expected);
    }),
    RUNS,
  );
});

test('of quotes of one millisecond those whose values are the same are one', async () => {
  const header = 'symbol,bidPrice,bidQty,askPrice,askQty,ts';
  const quote = (bid: number, ms: number): string => `BTCUSDT,${bid},1,${bid + 1},1,${START + ms}`;
  const a = await tapeOf(header, [quote(5, 0), quote(6, 0), quote(6, 0), quote(7, 2)]);
  const b = await tapeOf(header, [quote(6, 0), quote(8, 0), quote(7, 1), quote(7, 2)]);
  const both = join(folder, 'quotes');
  const { rows } = uniteTapes(a, b, both, undefined);
  expect(rowsOf(both).map(([time, bid]) => [Number(time) - START, bid])).toEqual([
    [0, 5],
    [0, 6],
    [0, 6],
    [0, 8],
    [1, 7],
    [2, 7],
  ]);
  expect(rows).toBe(6);
});

test('bars of two lengths are refused, and nothing is left', async () => {
  const header = 'symbol,ts,open,high,low,close,volume';
  const a = await tapeOf(header, [`BTCUSDT,${START},5,5,5,5,1`]);
  const name = join(folder, 'longer');
  writeFileSync(`${name}.csv`, `${header}\nBTCUSDT,${START},5,5,5,5,1\n`);
  await importFiles([`${name}.csv`], name, { barMs: 60_000 });
  expect(() => uniteTapes(a, name, join(folder, 'none'), undefined)).toThrow(/bars of 1 s of BTCUSDT were expected, found bars of 60 s/);
});
