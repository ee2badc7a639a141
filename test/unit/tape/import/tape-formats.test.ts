/** Every format of the table, by a small file in its published form. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { tapeFormatsPage } from '../../../../src/cli/pages/tape-formats-page.ts';
import { exportTape } from '../../../../src/tape/export/export.ts';
import { FORMATS } from '../../../../src/tape/formats/format-table.ts';
import { importFiles, type ImportOptions, type ImportSummary } from '../../../../src/tape/import/import.ts';
import { readManifest } from '../../../../src/tape/read.ts';
import { streamsOf } from '../../../../src/tape/streams-of.ts';
import { SAMPLES } from '../../../support/tape/format-samples.ts';
import { plainRows } from '../../../support/tape/plain-rows.ts';
import { withFolder } from '../../../support/tape/tape-rows.ts';
import { zipOf } from '../../../support/tape/zip.ts';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import { synthSymbols } from '../../../../src/run/market/synthetic.ts';
import { instrumentsOf } from '../../../../src/run/setup/instruments/instruments.ts';
import { synthTape } from '../../../../src/tape/synth/synth.ts';

interface Imported {
  readonly summary: ImportSummary;
  readonly rows: Readonly<Record<string, unknown[]>>;
}

async function imported(files: Readonly<Record<string, string | Buffer>>, options: ImportOptions = {}): Promise<Imported> {
  return withFolder(async (folder) => {
    const paths = Object.entries(files).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    const out = join(folder, 'tape');
    const summary = await importFiles(paths, out, options);
    const streams = streamsOf(out, readManifest(out), () => true, true);
    return { summary, rows: Object.fromEntries(streams.map((stream) => [`${stream.symbol} ${stream.kind}`, plainRows(stream)])) };
  });
}

async function refusal(files: Readonly<Record<string, string | Buffer>>, options: ImportOptions = {}) {
  try {
    await imported(files, options);
  } catch (error) {
    const { code, problems } = error as { code: string; problems: { what: string; where: string; hint?: string }[] };
    return { code, ...problems[0]! };
  }
  throw new Error('a refusal was expected');
}

const T = 1_735_689_600_000;
const lines = (...all: string[]): string => `${all.join('\n')}\n`;

describe('formats', () => {
  test.each(SAMPLES.map((sample) => [`${sample.format}: ${sample.file}`, sample] as const))('%s', async (_, sample) => {
    const { summary, rows } = await imported({ [sample.file]: sample.text });
    expect(summary.files[0]!.format).toBe(sample.format);
    expect(rows).toEqual(sample.rows);
  });

  test('every format of the table has a sample, or is refused', () => {
    const refused = FORMATS.filter(({ inverse }) => inverse === 'always').map(({ name }) => name);
    const sampled = new Set(SAMPLES.map(({ format }) => format));
    expect(FORMATS.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual(refused);
  });

  test('docs/reference/tape-formats.md is made of the table (if not: npm run docs)', () => {
    expect(readFileSync(new URL('../../../../docs/reference/tape-formats.md', import.meta.url), 'utf8') === tapeFormatsPage()).toBe(true);
  });

  test('inverse contracts are refused by their columns, by their symbols and by their values', async () => {
    const coin =
      'open_time,open,high,low,close,volume,close_time,base_asset_volume,count,taker_buy_volume,taker_buy_base_asset_volume,ignore';
    const cases: Readonly<Record<string, string>> = {
      'BTCUSD_PERP-1m.csv': lines(coin, `${T},93000,93100,92900,93050,120,${T + 59_999},0.129,10,60,0.06,0`),
      'BTCUSD_PERP-aggTrades-2024-01-01.csv': lines(`5,93000.1,2,7,8,${T},false`),
      'X-trades.csv': lines('id,price,qty,base_qty,time,is_buyer_maker', `5,93000.1,2,0.002,${T},true`),
      'old-1m.csv': lines(`${T},93000,93100,92900,93050,120,${T + 59_999},0.129,10,60,0.06,0`),
      'BTCUSD2024.csv': lines(
        'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional',
        `${T / 1000}.0,BTCUSD,Buy,100,93000,PlusTick,a,107526,0.00107526,100`,
      ),
      'BTC-USD-SWAP.csv': lines('instrument_name,trade_id,side,price,size,created_time', `BTC-USD-SWAP,4,sell,93000.1,1,${T}`),
      'bitmex.csv': lines(
        'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
        `bitmex,XBTUSD,${T}000,${T}000,5,buy,93000,100`,
      ),
      'deribit.csv': lines(
        'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
        `deribit,BTC-PERPETUAL,${T}000,${T}000,5,buy,93000,100`,
      ),
    };
    for (const [file, text] of Object.entries(cases)) {
      expect(await refusal({ [file]: text }), file).toMatchObject({ code: 'unsupported', what: expect.stringContaining('inverse') });
    }
  });

  test('sizes that count contracts need to be told how much one is', async () => {
    const text = lines('instrument_name,trade_id,side,price,size,created_time', `BTC-USDT-SWAP,4,sell,93000.1,3,${T}`);
    expect(await refusal({ 'a.csv': text })).toMatchObject({ code: 'unsupported', hint: expect.stringContaining('--contract-size') });
    expect((await imported({ 'a.csv': text }, { contractSize: '0.01' })).rows).toEqual({
      'BTCUSDT trades': [[T, 4, 93000.1, 0.03, 'SELL']],
    });
    const bars = lines(
      'instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm',
      `BTC-USDT-SWAP,1,2,1,2,350,3.5,5,${T},1`,
      `BTC-USDT-SWAP,2,3,1,3,250,2.5,6,${T + 60_000},1`,
    );
    expect(await refusal({ 'b.csv': bars })).toMatchObject({ code: 'unsupported', hint: expect.stringContaining('--contract-size') });
    expect((await imported({ 'b.csv': bars }, { contractSize: '0.01' })).rows).toEqual({
      'BTCUSDT bars': [
        [T, 1, 2, 1, 2, 3.5],
        [T + 60_000, 2, 3, 1, 3, 2.5],
      ],
    });
    for (const contractSize of ['0', '0.00', '-0.01', 'one']) {
      expect(await refusal({ 'a.csv': text }, { contractSize }), contractSize).toMatchObject({ where: '--contract-size' });
    }
  });
});

const BARS = lines('time,open,high,low,close,volume', `${T},1,2,1,2,3.5`, `${T + 60_000},2,3,1,3,2.5`);
const BAR_ROWS = {
  'BTCUSDT bars': [
    [T, 1, 2, 1, 2, 3.5],
    [T + 60_000, 2, 3, 1, 3, 2.5],
  ],
};

test.each([
  ['open', [1.25, 2, 1, 2, 3]],
  ['high', [1, 2.125, 1, 2, 3]],
  ['low', [1, 2, 0.5, 2, 3]],
  ['close', [1, 2, 1, 1.0625, 3]],
  ['volume', [1, 2, 1, 2, 3.0001]],
])('the decimals of a bar may all be in its %s', async (_, values) => {
  const text = lines('time,open,high,low,close,volume', `${T},1,2,1,2,3`, `${T + 60_000},${values.join()}`);
  const { rows } = await imported({ 'BTCUSDT.csv': text });
  expect(rows['BTCUSDT bars']).toEqual([
    [T, 1, 2, 1, 2, 3],
    [T + 60_000, ...values],
  ]);
});

describe('ways to write a file', () => {
  test.each([
    ['gzip', gzipSync(BARS)],
    ['zstd', zstdCompressSync(Buffer.from(BARS))],
    ['zip, stored', zipOf({ 'BTCUSDT.csv': BARS }, { isStored: true })],
    ['zip, deflated, beside other files', zipOf({ 'readme.md': 'no rows', '__MACOSX/BTCUSDT.csv': 'x', 'a/BTCUSDT.csv': BARS })],
    ['Windows line ends, quotes and a byte order mark', `\uFEFF${BARS.replaceAll(/[^,\n]+/g, '"$&"').replaceAll('\n', '\r\n')}`],
    ['semicolons', BARS.replaceAll(',', ';')],
    ['tabs', BARS.replaceAll(',', '\t')],
    ['times in seconds', BARS.replaceAll('000,', ',')],
    ['times in microseconds', BARS.replaceAll(String(T), `${T}000`).replaceAll(String(T + 60_000), `${T + 60_000}000`)],
    ['times in nanoseconds', BARS.replaceAll(String(T), `${T}000000`).replaceAll(String(T + 60_000), `${T + 60_000}000000`)],
    ['ISO times', BARS.replace(String(T), '2025-01-01T00:00:00Z').replace(String(T + 60_000), '2025-01-01 00:01:00.000000')],
    [
      'ISO times with an offset',
      BARS.replace(String(T), '2025-01-01T01:00:00+01:00').replace(String(T + 60_000), '2024-12-31T23:01:00-01:00'),
    ],
    ['a header between rows', BARS + BARS.split('\n')[0] + '\n'],
    ['newest first', lines('time,open,high,low,close,volume', `${T + 120_000},3,3,3,3,1`, `${T + 60_000},2,3,1,3,2.5`, `${T},1,2,1,2,3.5`)],
    [
      'thousands of columns of noise',
      lines(
        `time,open,high,low,close,volume,${Array.from({ length: 3000 }, (_, k) => `n${k}`).join(',')}`,
        `${T},1,2,1,2,3.5${',0.5'.repeat(3000)}`,
        `${T + 60_000},2,3,1,3,2.5${',x'.repeat(3000)}`,
      ),
    ],
    ['no header', BARS.split('\n').slice(1).join('\n')],
    ['scientific notation', BARS.replace('3.5', '35e-1').replace('2.5', '2.5E+0')],
    ['sums of floating point', BARS.replace('3.5', '3.5000000000000004')],
  ])('%s', async (name, text) => {
    const { rows } = await imported({ [`BTCUSDT-1m.${name.startsWith('zip') ? 'zip' : 'csv'}`]: text });
    expect({ 'BTCUSDT bars': rows['BTCUSDT bars']!.slice(0, 2) }).toEqual(BAR_ROWS);
  });

  test('an archive of several files, each with its symbol', async () => {
    const { rows } = await imported({ 'all.zip': zipOf({ 'BTCUSDT-1m-a.csv': BARS, 'ETHUSDT-1m-b.csv': BARS }) });
    expect(Object.keys(rows)).toEqual(['BTCUSDT bars', 'ETHUSDT bars']);
  });

  test('columns by name, by place, and another column for the time', async () => {
    const text = lines('a,b,c,d,e', `${T},93000,0.5,buy,${T + 7}`);
    const byName = await imported({ 'BTCUSDT.csv': text }, { columns: 'time=a,price=b,size=c,side=d' });
    const byPlace = await imported({ 'BTCUSDT.csv': text.split('\n')[1]! }, { columns: 'time,price,size,side,_' });
    const marked = await imported({ 'BTCUSDT.csv': `\uFEFF${text.split('\n')[1]!}` }, { columns: 'time,price,size,side,_' });
    expect(marked.rows, 'with a byte order mark before the first row').toEqual(byPlace.rows);
    const byNumber = await imported({ 'BTCUSDT.csv': text }, { columns: 'time=1,price=2,size=3,side=4', timeColumn: 'e' });
    expect([byName.rows, byPlace.rows]).toEqual(Array(2).fill({ 'BTCUSDT trades': [[T, 0, 93000, 0.5, 'BUY']] }));
    expect(byNumber.rows).toEqual({ 'BTCUSDT trades': [[T + 7, 0, 93000, 0.5, 'BUY']] });
    expect(await refusal({ 'BTCUSDT.csv': text }, { columns: 'tiem=a,price=b,size=c' })).toMatchObject({ hint: 'is time meant?' });
    const outside = async (columns: string) =>
      (await refusal({ 'BTCUSDT.csv': text }, { columns })).what.replace(/ and .*\/BTC/, ' and BTC');
    expect(await outside('time,price,size,side,_,id')).toContain('id is to be column 6, and BTCUSDT.csv has 5: a, b, c, d, e');
    expect(await outside('time=a,price=b,size=f')).toContain('size is to be column f, and BTCUSDT.csv has 5: a, b, c, d, e');
  });

  test('klines without any volume are mark prices, even a single one', async () => {
    const { text } = SAMPLES.find(({ format }) => format === 'binance-markPriceKlines')!;
    const first = lines(...String(text).split('\n').slice(0, 2));
    expect((await imported({ 'BTCUSDT-1m-2024-01.csv': first })).rows).toEqual({ 'BTCUSDT marks': [[T, 93000.12]] });
  });

  test('times of a kind are shifted', async () => {
    const trades = lines('symbol,tradeId,price,size,side,ts', `BTCUSDT,7,60000.1,0.5,BUY,${T}`);
    expect((await imported({ 'a.csv': trades }, { shiftMs: { trades: -1270 } })).rows).toEqual({
      'BTCUSDT trades': [[T - 1270, 7, 60000.1, 0.5, 'BUY']],
    });
  });

  test('a volume of the quote coin is divided by the close', async () => {
    const text = BARS.replace('volume', 'x').replace('3.5', '7').replace('2.5', '10');
    const { rows } = await imported(
      { 'BTCUSDT-1m.csv': text },
      { columns: 'time=time,open=open,high=high,low=low,close=close,quoteVolume=x' },
    );
    expect(rows['BTCUSDT bars']).toEqual([
      [T, 1, 2, 1, 2, 3.5],
      [T + 60_000, 2, 3, 1, 3, 3.333],
    ]);
  });

  test('a bar that had not ended when the file was written is left out, with its reason', async () => {
    const now = Math.floor(Date.now() / 60_000) * 60_000;
    const { rows, summary } = await imported({
      'BTCUSDT-1m.csv': lines(
        'time,open,high,low,close,volume',
        `${now - 120_000},1,2,1,2,3`,
        `${now - 60_000},1,2,1,2,3`,
        `${now},1,2,1,2,3`,
      ),
    });
    expect(rows['BTCUSDT bars']!.length).toBe(2);
    expect(summary.dropped).toEqual({ incomplete: 1 });
  });

  test('days that overlap: bars by their time, trades by their id', async () => {
    const head = 'id,price,qty,quote_qty,time,is_buyer_maker';
    const day = (from: number): string => lines(head, ...[0, 1, 2, 3].map((k) => `${from + k},100,1,100,${T + (from + k) * 1000},true`));
    const { rows, summary } = await imported({ 'BTCUSDT-trades-a.csv': day(0), 'BTCUSDT-trades-b.csv': day(2) });
    expect(rows['BTCUSDT trades']!.length).toBe(6);
    expect(summary.dropped).toEqual({ 'duplicate-id': 2 });
    const bars = await imported({ 'BTCUSDT-1m-a.csv': BARS, 'BTCUSDT-1m-b.csv': BARS });
    expect(bars.rows).toEqual(BAR_ROWS);
    expect(bars.summary.dropped).toEqual({ overlap: 2 });
  });

  test('thousands separators are refused in words', async () => {
    const text = lines('symbol,tradeId,price,size,side,ts', `BTCUSDT,7,"60,000.1",0.5,BUY,${T}`);
    expect(await refusal({ 'a.csv': text })).toMatchObject({ code: 'malformed', what: expect.stringContaining('thousands separators') });
    expect(await refusal({ 'a.csv': text.replaceAll('"', '') })).toMatchObject({ what: expect.stringContaining('thousands separators') });
  });

  test('feather of version 1 is refused with the way to convert it', async () => {
    expect(await refusal({ 'a.feather': Buffer.from('FEA1\0\0\0\0') })).toMatchObject({
      code: 'unsupported',
      hint: expect.stringContaining('to_feather'),
    });
  });

  test.each([
    ['half a zip', zipOf({ 'BTCUSDT.csv': BARS }).subarray(0, 60), 'malformed'],
    ['a zip without a recording', zipOf({ 'a.png': 'x' }), 'unsupported'],
    ['half a zstd file', zstdCompressSync(Buffer.from(BARS)).subarray(0, 20), 'malformed'],
    ['half a Parquet file', Buffer.from('PAR1xxxxxxxxxxxx'), 'malformed'],
    ['JSON that ends early', '[[1,2,3', 'malformed'],
    [
      'bars of two lengths',
      lines(
        'time,open,high,low,close,volume',
        `${T},1,2,1,2,3`,
        `${T + 60_000},1,2,1,2,3`,
        `${T + 120_000},1,2,1,2,3`,
        `${T + 125_000},1,2,1,2,3`,
      ),
      'order',
    ],
  ])('%s leaves nothing', async (_, text, code) => {
    expect(await refusal({ 'BTCUSDT.csv': text })).toMatchObject({ code });
  });

  test('a row of JSON beyond the range of the program is told with its place', async () => {
    expect(await refusal({ 'BTCUSDT-1m.json': JSON.stringify([[T, 'x', 2, 1, 2, 3]]) })).toMatchObject({
      where: expect.stringContaining(':2:'),
    });
  });
});

describe('data quality', () => {
  const HEADS = { trades: 'symbol,tradeId,price,size,side,ts', quotes: 'symbol,bidPrice,bidQty,askPrice,askQty,ts' };

  /** A book that moves every 200 ms, and trades at its touch whose clock is `off` ms late. */
  function market(off: number): { trades: string; quotes: string } {
    const quotes = [HEADS.quotes];
    const trades = [HEADS.trades];
    for (let k = 0; k < 800; k++) {
      const bid = 60_000 + ((k * 7919) % 101);
      quotes.push(`BTCUSDT,${bid}.0,1,${bid}.1,1,${T + k * 200}`);
      trades.push(`BTCUSDT,${k + 1},${bid}.${k % 2},0.5,${k % 2 === 0 ? 'SELL' : 'BUY'},${T + k * 200 + 100 + off}`);
    }
    return { trades: lines(...trades), quotes: lines(...quotes) };
  }

  test('a skew between trades and book is told, and --clean corrects it', async () => {
    const { trades, quotes } = market(1270);
    const files = { 'a.csv': trades, 'b.csv': quotes };
    const { summary } = await imported(files);
    const { skew } = summary.quality[0]!;
    expect(skew!.isClear).toBe(true);
    expect(Math.abs(skew!.shiftMs + 1270)).toBeLessThanOrEqual(100);
    expect(summary.findings.join(' ')).toContain('the clocks of trades and book differ');
    const clean = (await imported(files, { clean: true })).summary;
    expect(clean.quality[0]!.skew!.isClear).toBe(false);
    expect(clean.findings.join(' ')).toContain('the import moved the times of trades');
    const { trades: good } = market(0);
    expect((await imported({ 'a.csv': good, 'b.csv': quotes })).summary.quality[0]!.skew).toMatchObject({ isClear: false, atTouch: 1 });
  });

  test('one print of 6,000,000 on a market of 60,000 is told, and --clean leaves it out; a level that lasts is a move', async () => {
    const prices = Array.from({ length: 60 }, (_, k) => (k === 20 ? 6_000_000 : k < 40 ? 60_000 + k : 90_000));
    const text = lines(HEADS.trades, ...prices.map((price, k) => `BTCUSDT,${k + 1},${price},1,BUY,${T + k}`));
    const { summary } = await imported({ 'a.csv': text });
    expect(summary.quality[0]!.outliers).toEqual([{ kind: 'trades', count: 1, time: T + 20, price: 6_000_000, usual: 60_019 }]);
    const clean = await imported({ 'a.csv': text }, { clean: true });
    expect(clean.summary.dropped).toEqual({ outlier: 1 });
    expect(clean.rows['BTCUSDT trades']!.length).toBe(59);
  });
});

test('an exported tape, imported again, is the same tape', async () => {
  await withFolder(async (folder) => {
    const chosen = SAMPLES.filter(({ format }) => /^tickwright|derivative_ticker/.test(format));
    const files = chosen.map(({ text }, k) => {
      writeFileSync(join(folder, `${k}.csv`), text);
      return join(folder, `${k}.csv`);
    });
    const first = await importFiles(files, join(folder, 'a'));
    const exported = exportTape(join(folder, 'a'), join(folder, 'csv'));
    expect(exported.map(({ kind }) => kind)).toEqual(['trades', 'quotes', 'bars', 'marks', 'funding']);
    const second = await importFiles(
      exported.map(({ file }) => file),
      join(folder, 'b'),
    );
    expect(second.manifest.streams).toEqual(first.manifest.streams);
  });
});

test('a file that is written in several pieces has each row once', () =>
  withFolder((folder) => {
    const symbols = synthSymbols(instrumentsOf(defaultConfig().instruments)).slice(0, 1);
    synthTape(join(folder, 'tape'), { symbols, seconds: 120, seed: 1, start: T });
    const pieces = exportTape(join(folder, 'tape'), join(folder, 'csv')).map(({ file, rows }) => {
      const text = readFileSync(file, 'utf8');
      expect(text.trimEnd().split('\n')).toHaveLength(rows + 1);
      return text.length / (1 << 18);
    });
    expect(Math.max(...pieces)).toBeGreaterThan(2);
  }));
