import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { parseScaled } from '../../../../src/domain/amounts/scale.ts';
import { importFiles, type ImportOptions, type ImportSummary } from '../../../../src/tape/import/import.ts';
import { inputsOf } from '../../../../src/tape/import/files/inputs.ts';
import { openTape } from '../../../../src/tape/read.ts';
import { rowsOf, withFolder, type Row } from '../../../support/tape/tape-rows.ts';

const TRADES = 'symbol,tradeId,price,size,side,ts,recvTs';
const QUOTES = 'symbol,bidPrice,bidQty,askPrice,askQty,ts,recvTs';

interface Imported {
  readonly summary: ImportSummary;
  readonly rows: Row[][];
}

/** Imports these texts, one file each, and reads the tape back. */
async function imported(texts: readonly (string | Buffer)[], options: ImportOptions = {}): Promise<Imported> {
  return withFolder(async (folder) => {
    const files = texts.map((text, i) => {
      const file = join(folder, `${i}.csv`);
      writeFileSync(file, text);
      return file;
    });
    const out = join(folder, 'tape');
    const summary = await importFiles(files, out, options);
    return { summary, rows: openTape(out).open().map(rowsOf) };
  });
}

const lines = (...all: string[]): string => `${all.join('\n')}\n`;

/** Code, place and message of the error for importing this text. The tape folder must not exist afterwards. */
async function refusal(...texts: (string | Buffer)[]): Promise<{ code: string; where: string; what: string; hint: string | undefined }> {
  return withFolder(async (folder) => {
    const files = texts.map((text, i) => {
      writeFileSync(join(folder, `${i}.csv`), text);
      return join(folder, `${i}.csv`);
    });
    try {
      await importFiles(files, join(folder, 'tape'));
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect(readdirSync(folder).filter((name) => !name.endsWith('.csv'))).toEqual([]);
      const { code, problems } = error as Failure & { code: string };
      const { what, where = '', hint } = problems[0]!;
      return { code, what, where: where.replace(`${folder}/`, ''), hint };
    }
    throw new Error('an error was expected');
  });
}

test.skipIf(!existsSync('/proc/self/fd'))('what a file is can be asked any number of times: no handle stays open', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'trades.csv');
    writeFileSync(file, 'time,price,size\n');
    const before = readdirSync('/proc/self/fd').length;
    for (let k = 0; k < 50; k++) expect(inputsOf(file)).toHaveLength(1);
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 25);
  }),
);

describe('importing', () => {
  test.each([
    ['s', ['1723161256', '1723161256.5', '1723161256.322999'], [0, 500, 322]],
    ['ms', ['1723161256000', '1723161256001'], [0, 1]],
    ['us', ['1723161256000000', '1723161256000999', '1723161256001000'], [0, 0, 1]],
  ] as const)('times in %s are kept as whole milliseconds if the unit is given', async (timeUnit, times, after) => {
    const rows = times.map((time, i) => `A,${i + 1},5,1,BUY,${time},0`);
    const sorted = after.map((ms) => 1_723_161_256_000 + ms);
    expect((await imported([lines(TRADES, ...rows)], { timeUnit })).rows[0]!.map(([time]) => time)).toEqual(
      sorted.map((time, i) => Math.max(time, ...sorted.slice(0, i))),
    );
  });

  test.each([
    ['ms', '1723161256', 's'],
    ['ms', '1723161256000000', 'us'],
    ['s', '1723161256000', 'ms'],
    ['us', '1723161256000', 'ms'],
    ['us', '1723161256', 's'],
  ] as const)('times declared as %s but like %s are refused: they look like %s', async (timeUnit, time, like) => {
    await withFolder(async (folder) => {
      writeFileSync(join(folder, '0.csv'), lines(TRADES, `A,1,5,1,BUY,${time},0`));
      const failed = importFiles([join(folder, '0.csv')], join(folder, 'tape'), { timeUnit });
      await expect(failed).rejects.toMatchObject({
        code: 'malformed',
        problems: [{ hint: expect.stringContaining(`--time-unit ${like}`) }],
      });
    });
  });

  test('trades and quotes become integers at the fewest decimals that hold them', async () => {
    const { summary, rows } = await imported([
      lines(TRADES, 'BTCUSDT,5266583935,61800.30,0.006,BUY,1723161256322,1', 'BTCUSDT,5266583936,61800.30,1.199,sell,1723161256344,1'),
      lines(QUOTES, 'BTCUSDT,61800.20,2.507,61800.30,2.510,1723161256313,1'),
    ]);
    expect(rows).toEqual([
      [
        [1_723_161_256_322, 5_266_583_935, 618_003, 6, 0],
        [1_723_161_256_344, 5_266_583_936, 618_003, 1199, 1],
      ],
      [[1_723_161_256_313, 618_002, 2507, 618_003, 2510]],
    ]);
    expect(summary).toMatchObject({ rowsIn: 3, rowsOut: 3, dropped: {}, clamped: 0 });
    expect(summary.manifest.symbols[0]).toMatchObject({
      priceDecimals: 1,
      writtenPriceDecimals: 2,
      sizeDecimals: 3,
      writtenSizeDecimals: 3,
    });
    expect(summary.files.map((f) => f.ignoredColumns)).toEqual([['recvTs'], ['recvTs']]);
  });

  test.each([
    ['Windows line ends', lines(TRADES, 'A,1,2,3,BUY,4,0').replaceAll('\n', '\r\n')],
    ['no last line end', lines(TRADES, 'A,1,2,3,BUY,4,0').trimEnd()],
    ['a byte order mark', `\uFEFF${lines(TRADES, 'A,1,2,3,BUY,4,0')}`],
    ['empty lines', lines(TRADES, '', 'A,1,2,3,BUY,4,0', '', '')],
    ['gzip', gzipSync(lines(TRADES, 'A,1,2,3,BUY,4,0'))],
    ['columns in another order', lines('ts,extra,side,size,price,tradeId,symbol', '4,,BUY,3,2,1,A')],
    ['no recvTs', lines('symbol,tradeId,price,size,side,ts', 'A,1,2,3,BUY,4')],
    ['trailing zeros', lines(TRADES, 'A,0001,2.000000000000000000000,03.0,BUY,4,0')],
  ])('takes %s', async (_, text) => {
    expect((await imported([text])).rows).toEqual([[[4, 1, 2, 3, 0]]]);
  });

  test('finer values later in a file raise the decimals of all', async () => {
    const { rows, summary } = await imported([lines(TRADES, 'A,1,2,3,BUY,4,0', 'A,2,2.5,3,BUY,4,0', 'A,3,2.125,3.00000001,BUY,4,0')]);
    expect(rows[0]!.map((row) => row.slice(2, 4))).toEqual([
      [2000, 300_000_000],
      [2500, 300_000_000],
      [2125, 300_000_001],
    ]);
    expect(summary.manifest.symbols[0]).toMatchObject({ priceDecimals: 3, sizeDecimals: 8, priceStep: 125, sizeStep: 1 });
  });

  test('several symbols in one file, and several files of one symbol whatever their order', async () => {
    const { rows, summary } = await imported([
      lines(TRADES, 'B,3,1,1,BUY,30,0', 'A,7,1,1,SELL,31,0'),
      lines(TRADES, 'B,1,1,1,BUY,10,0', 'A,6,1,1,SELL,11,0', 'B,2,1,1,BUY,20,0'),
    ]);
    expect(summary.manifest.streams.map((s) => s.symbol)).toEqual(['A', 'B']);
    expect(rows.map((all) => all.map(([time, id]) => [time, id]))).toEqual([
      [
        [11, 6],
        [31, 7],
      ],
      [
        [10, 1],
        [20, 2],
        [30, 3],
      ],
    ]);
  });

  test('rows across the chunks in which a file is read', async () => {
    const all = Array.from(
      { length: 40_000 },
      (_, i) => `A,${i},${100 + (i % 7)}.5,0.00${1 + (i % 9)},${i % 3 === 0 ? 'BUY' : 'SELL'},${i},0`,
    );
    for (const text of [lines(TRADES, ...all), gzipSync(lines(TRADES, ...all))]) {
      const { rows } = await imported([text]);
      expect(rows[0]!.length).toBe(40_000);
      expect(
        rows[0]!.every(
          ([time, id, price, size, side], i) =>
            time === i && id === i && price === 1005 + (i % 7) * 10 && size === 1 + (i % 9) && side === (i % 3 === 0 ? 0 : 1),
        ),
      ).toBe(true);
    }
  });
});

describe('dropped rows are counted', () => {
  test('duplicate trade ids, values not above zero, crossed and locked quotes', async () => {
    const { summary, rows } = await imported([
      lines(
        TRADES,
        'A,1,5,1,BUY,1,0',
        'A,2,5,1,BUY,2,0',
        'A,1,5,1,BUY,3,0',
        'A,2,5,1,BUY,3,0',
        'A,3,0,1,BUY,3,0',
        'A,4,5,0.000,BUY,3,0',
        'A,5,-5,1,BUY,3,0',
      ),
      lines(QUOTES, 'A,5,1,6,1,1,0', 'A,6,1,6,1,1,0', 'A,7,1,6.5,1,1,0', 'A,0,1,6,1,1,0', 'A,5,0,6,1,1,0', 'A,5.99,1,6,1,2,0'),
    ]);
    expect(summary.dropped).toEqual({ 'duplicate-id': 2, 'zero-price': 2, 'zero-size': 2, negative: 1, crossed: 1, locked: 1 });
    expect(summary.rowsIn).toBe(13);
    expect(summary.rowsOut).toBe(4);
    expect(rows.map((r) => r.length)).toEqual([2, 2]);
  });

  test('small steps back in time get the time of the row above', async () => {
    const { summary, rows } = await imported([
      lines(TRADES, 'A,1,5,1,BUY,1000,0', 'A,3,5,1,BUY,990,0', 'A,2,5,1,BUY,0,0', 'A,4,5,1,BUY,1001,0'),
    ]);
    expect(rows[0]!.map(([time, id]) => [time, id])).toEqual([
      [1000, 1],
      [1000, 3],
      [1000, 2],
      [1001, 4],
    ]);
    expect(summary).toMatchObject({ clamped: 2, rowsOut: 4 });
    expect(summary.files[0]).toMatchObject({ clampedMsMax: 1000 });
  });

  test('where two files overlap, the later one adds only new rows', async () => {
    const { summary, rows } = await imported([
      lines(TRADES, 'A,1,5,1,BUY,1000,0', 'A,2,5,1,BUY,9000,0'),
      lines(TRADES, 'A,0,5,1,BUY,5000,0', 'A,2,5,1,BUY,9000,0', 'A,3,5,1,BUY,9000,0'),
      lines(QUOTES, 'A,5,1,6,1,1000,0', 'A,5,2,6,1,9000,0'),
      lines(QUOTES, 'A,5,9,6,1,5000,0', 'A,5,3,6,1,9000,0'),
    ]);
    expect(summary.dropped).toEqual({ overlap: 2, 'duplicate-id': 1 });
    expect(rows[0]!.map(([, id]) => id)).toEqual([1, 2, 3]);
    expect(rows[1]!.map(([, , size]) => size)).toEqual([1, 2, 3]);
  });
});

describe('an unreadable file is refused with its place, and no tape is left', () => {
  test.each([
    ['a price that is no number', 'A,1,abc,1,BUY,4,0', '0.csv:3:5', /^price: a plain decimal .* found "abc"$/],
    ['a blank in a number', 'A,1, 5,1,BUY,4,0', '0.csv:3:5', /" 5"/],
    ['a point without digits', 'A,1,5.,1,BUY,4,0', '0.csv:3:5', /"5\."/],
    ['a point in front', 'A,1,.5,1,BUY,4,0', '0.csv:3:5', /"\.5"/],
    ['too large a number', 'A,1,9007199254740992,1,BUY,4,0', '0.csv:3:5', /2\^53/],
    ['too many decimals', 'A,1,0.0000000000000001,1,BUY,4,0', '0.csv:3:5', /15 decimals/],
    ['an unknown side', 'A,1,5,1,HOLD,4,0', '0.csv:3:9', /^side: BUY or SELL was expected, found "HOLD"$/],
    ['a time with a fraction', 'A,1,5,1,BUY,4.5,0', '0.csv:3:13', /^ts: a time /],
    [
      'a time in microseconds',
      'A,1,5,1,BUY,1723161256322000,0',
      '0.csv:3',
      /^time: .* of 1973 or later, were expected, found 1723161256322/,
    ],
    ['a time in seconds', 'A,1,5,1,BUY,1723161256,0', '0.csv:3', /^time: .* of 1973 or later, were expected, found 1723161256000$/],
    ['an id with a fraction', 'A,1.5,5,1,BUY,4,0', '0.csv:3:3', /^tradeId: a whole number/],
    ['a negative time', 'A,1,5,1,BUY,-4,0', '0.csv:3:13', /^ts: a time /],
    ['an id that is no number', 'A,x7,5,1,BUY,4,0', '0.csv:3:3', /^tradeId: a whole number/],
    ['too few fields', 'A,1,5,1', '0.csv:3:8', /^7 fields .* found 4$/],
    ['too many fields', 'A,1,5,1,BUY,4,0,9', '0.csv:3:16', /^7 fields .* found 8$/],
    ['a time far before the row above', 'A,1,5,1,BUY,98999,0', '0.csv:3', /found 98999$/],
    ['a symbol that could leave the folder', '../A,1,5,1,BUY,4,0', '', /symbol/],
  ])('%s', async (_, row, where, what) => {
    const error = await refusal(lines(TRADES, 'A,0,5,1,BUY,100000,0', row));
    expect(error.what).toMatch(what);
    if (where !== '') expect(error.where).toBe(where);
  });

  test.each([
    ['no symbol', lines('timestamp,open,high,low,close,volume', '2022-01-01,1,2,3,4,5'), 'malformed', /^a symbol in the rows/],
    ['no header', lines('A,1,5,1,BUY,4,0'), 'malformed', /header/],
    ['an empty file', '', 'malformed', /empty file/],
    ['only a header', lines(TRADES), 'empty', /^rows were expected below the header line/],
    ['a misspelt column', lines('symbol,tradeId,prices,size,side,ts', 'A,1,5,1,BUY,4'), 'malformed', /none called price$/],
    ['a duplicate column', lines('symbol,tradeId,price,size,side,ts,price', 'A,1,5,1,BUY,4,5'), 'malformed', /price twice/],
    ['half a gzip file', gzipSync(lines(TRADES, 'A,1,2,3,BUY,4,0')).subarray(0, 60), 'malformed', /gzip/],
  ])('%s', async (_, text, code, what) => {
    const error = await refusal(text);
    expect([error.code, error.what]).toEqual([code, expect.stringMatching(what)]);
  });

  test('a misspelt column is suggested', async () => {
    expect((await refusal(lines('symbol,tradeId,prices,size,side,ts'))).hint).toBe(
      'is prices meant to be price? If so: --columns names it',
    );
  });

  test('a missing file and an existing tape', async () => {
    await withFolder(async (folder) => {
      await expect(importFiles([join(folder, 'none.csv')], join(folder, 't'))).rejects.toMatchObject({ code: 'missing' });
      writeFileSync(join(folder, 'a.csv'), lines(TRADES, 'A,1,5,1,BUY,4,0'));
      await importFiles([join(folder, 'a.csv')], join(folder, 't'));
      await expect(importFiles([join(folder, 'a.csv')], join(folder, 't'))).rejects.toMatchObject({ code: 'exists' });
      await importFiles([join(folder, 'a.csv')], join(folder, 't'), { overwrite: true });
    });
  });
});

const DATA = resolve(import.meta.dirname, '../../../../../shared/data');
const RECORDINGS = ['BTCUSDT', 'ETHUSDT']
  .flatMap((s) => [`${s}-perp-2024-08-08.trades.csv.gz`, `${s}-perp-2024-08-08.book.csv.gz`])
  .map((name) => join(DATA, name));
const there = RECORDINGS.every((file) => existsSync(file));
if (!there) console.warn(`recordings are missing in ${DATA}: the import of real data is not tested`);

describe.skipIf(!there)('real recordings', () => {
  test('every row is on the tape, digit for digit, with at most 4 bytes per trade', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 't');
      const summary = await importFiles(RECORDINGS, path);
      expect(summary).toMatchObject({ rowsIn: 155_470, rowsOut: 155_470, dropped: {}, clamped: 0 });
      for (const stream of openTape(path).open()) {
        const { symbol, kind, scale } = stream;
        const text = gunzipSync(
          readFileSync(join(DATA, `${symbol}-perp-2024-08-08.${kind === 'trades' ? 'trades' : 'book'}.csv.gz`)),
        ).toString();
        const expected = text
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line): Row => {
            const f = line.split(',');
            const price = (i: number): number => parseScaled(f[i]!, scale.priceDecimals);
            const size = (i: number): number => parseScaled(f[i]!, scale.sizeDecimals);
            if (kind === 'trades') return [Number(f[5]), Number(f[1]), price(2), size(3), f[4] === 'BUY' ? 0 : 1];
            return [Number(f[5]), price(1), size(2), price(3), size(4)];
          });
        expect(rowsOf(stream)).toEqual(expected);
        if (kind === 'trades') expect(stream.info.bytes / stream.rows).toBeLessThan(4);
      }
    });
  });
});
