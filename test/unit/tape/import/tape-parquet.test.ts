/** Parquet files of other programs, written here by another library than the one that reads them. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { importFiles, type ImportOptions, type ImportSummary } from '../../../../src/tape/import/import.ts';
import { readManifest } from '../../../../src/tape/read.ts';
import { streamsOf } from '../../../../src/tape/streams-of.ts';
import { plainRows } from '../../../support/tape/plain-rows.ts';
import { withFolder } from '../../../support/tape/tape-rows.ts';

interface Imported {
  readonly summary: ImportSummary;
  readonly rows: Readonly<Record<string, unknown[]>>;
}

async function imported(name: string, bytes: Uint8Array, options: ImportOptions = {}): Promise<Imported> {
  return withFolder(async (folder) => {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    const out = join(folder, 'tape');
    const summary = await importFiles([file], out, options).catch((error: unknown) => {
      expect(readdirSync(folder)).toEqual([name]);
      throw error;
    });
    const streams = streamsOf(out, readManifest(out), () => true, true);
    return { summary, rows: Object.fromEntries(streams.map((stream) => [`${stream.symbol} ${stream.kind}`, plainRows(stream)])) };
  });
}

function parquet(columnData: ColumnSource[], rowGroupSize?: number): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, ...(rowGroupSize === undefined ? {} : { rowGroupSize }) }));
}

const T = 1_735_689_600_000;
const MINUTES = [0, 1, 2].map((k) => T + k * 60_000);

const PRICES: ColumnSource[] = [
  { name: 'open', data: [93_000.1, 93_001.2, 93_000.3], type: 'DOUBLE' },
  { name: 'high', data: [93_002.5, 93_003.5, 93_001], type: 'DOUBLE' },
  { name: 'low', data: [92_999, 93_000, 92_990.7], type: 'DOUBLE' },
  { name: 'close', data: [93_001.2, 93_000.3, 92_995], type: 'DOUBLE' },
  { name: 'volume', data: [1.5, 0, 0.1 + 0.2], type: 'DOUBLE' },
];
const BARS = [
  [MINUTES[0], 93_000.1, 93_002.5, 92_999, 93_001.2, 1.5],
  [MINUTES[1], 93_001.2, 93_003.5, 93_000, 93_000.3, 0],
  [MINUTES[2], 93_000.3, 93_001, 92_990.7, 92_995, 0.3],
];

const PACKERS = { ZSTD: zstdCompressSync, GZIP: gzipSync, BROTLI: brotliCompressSync };

/** Many equal rows, so that the pages of the file are packed. */
function packed(codec: keyof typeof PACKERS, pack: (page: Uint8Array) => Uint8Array): Uint8Array {
  const rows = Array.from({ length: 2_000 }, (_, k) => k);
  const columnData: ColumnSource[] = [
    { name: 'timestamp', data: rows.map((k) => BigInt(T + k * 60_000)), type: 'INT64' },
    ...PRICES.map(({ name, data }): ColumnSource => ({ name, data: rows.map(() => (data as number[])[0]!), type: 'DOUBLE' })),
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData, codec, compressors: { [codec]: pack } }));
}

describe('packed Parquet', () => {
  test.each(Object.keys(PACKERS) as (keyof typeof PACKERS)[])('by %s', async (codec) => {
    let pages = 0;
    const bytes = packed(codec, (page) => {
      pages++;
      return PACKERS[codec](page);
    });
    const { rows } = await imported('BTCUSDT-1m.parquet', bytes);
    expect(pages).toBeGreaterThan(0);
    expect(rows['BTCUSDT bars']).toEqual(Array.from({ length: 2_000 }, (_, k) => [T + k * 60_000, ...BARS[0]!.slice(1)]));
  });

  test.each(Object.keys(PACKERS) as (keyof typeof PACKERS)[])('a page of %s that is longer than it says is refused', async (codec) => {
    const bytes = packed(codec, (page) => PACKERS[codec](Buffer.concat([page, Buffer.alloc(1 << 20)])));
    await expect(imported('BTCUSDT-1m.parquet', bytes)).rejects.toThrow(
      /a whole Parquet file was expected, found damaged data \(a page that cannot be unpacked/,
    );
  });
});

describe('bars in Parquet', () => {
  test.each([
    [
      'the date of freqtrade, a timestamp',
      { name: 'date', data: MINUTES.map((ms) => new Date(ms)), type: 'TIMESTAMP' },
      'BTC_USDT_USDT-1m-futures.parquet',
    ],
    ['milliseconds of 64 bits', { name: 'timestamp', data: MINUTES.map(BigInt), type: 'INT64' }, 'BTCUSDT-1m.parquet'],
    ['seconds as floating point', { name: 'time', data: MINUTES.map((ms) => ms / 1000), type: 'DOUBLE' }, 'BTCUSDT-1m.parquet'],
    ['text', { name: 'time', data: MINUTES.map((ms) => new Date(ms).toISOString()), type: 'STRING' }, 'BTCUSDT-1m.parquet'],
  ] as const)('with a time that is %s', async (_, time, file) => {
    const { rows } = await imported(file, parquet([{ ...time, data: [...time.data] }, ...PRICES]));
    expect(rows).toEqual({ 'BTCUSDT bars': BARS });
  });

  test.each([
    ['milliseconds', 1n, { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } }],
    ['microseconds', 1000n, { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } }],
    ['nanoseconds', 1_000_000n, { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'NANOS' } }],
    ['milliseconds by the older name', 1n, { converted_type: 'TIMESTAMP_MILLIS' }],
    ['microseconds by the older name', 1000n, { converted_type: 'TIMESTAMP_MICROS' }],
  ] as const)('with times in %s', async (_, perMs, type) => {
    for (const repetition_type of ['REQUIRED', 'OPTIONAL'] as const) {
      const schema = [
        { name: 'root', num_children: 6 },
        { name: 'time', type: 'INT64', repetition_type, ...type },
        ...PRICES.map(({ name }) => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' }) as const),
      ] as const;
      const file = (times: (bigint | null)[]): Uint8Array => {
        const columnData = [{ name: 'time', data: times }, ...PRICES.map(({ name, data }) => ({ name, data }))];
        return new Uint8Array(parquetWriteBuffer({ columnData, schema: [...schema] }));
      };
      const times = MINUTES.map((ms) => BigInt(ms) * perMs + perMs - 1n);
      expect((await imported('BTCUSDT-1m.parquet', file(times))).rows).toEqual({ 'BTCUSDT bars': BARS });
      if (repetition_type === 'REQUIRED') continue;
      const holed = imported('BTCUSDT-1m.parquet', file([times[0]!, null, times[2]!]));
      await expect(holed).rejects.toThrow(/row 2: time: a value of its kind was expected, found ""/);
    }
  });

  test('whose columns are in another order, with others between and several row groups', async () => {
    const time: ColumnSource = { name: 'date', data: MINUTES.map((ms) => new Date(ms)), type: 'TIMESTAMP' };
    const index: ColumnSource = { name: '__index_level_0__', data: [0n, 1n, 2n], type: 'INT64' };
    const columns = [...PRICES.toReversed(), index, time];
    const { rows } = await imported('BTCUSDT-1m.parquet', parquet(columns, 2));
    expect(rows).toEqual({ 'BTCUSDT bars': BARS });
  });
});

describe('trades in Parquet', () => {
  const columns: ColumnSource[] = [
    { name: 'timestamp', data: [T, T, T + 5].map(BigInt), type: 'INT64' },
    { name: 'symbol', data: ['BTCUSDT', 'ETHUSDT', 'BTCUSDT'], type: 'STRING' },
    { name: 'id', data: [7n, 3n, 8n], type: 'INT64' },
    { name: 'price', data: [93_000.1, 3300.25, 93_000.2], type: 'DOUBLE' },
    { name: 'amount', data: [0.001, 2, 0.5], type: 'DOUBLE' },
    { name: 'side', data: ['buy', 'sell', 'sell'], type: 'STRING' },
  ];
  const ROWS = {
    'BTCUSDT trades': [
      [T, 7, 93_000.1, 0.001, 'BUY'],
      [T + 5, 8, 93_000.2, 0.5, 'SELL'],
    ],
    'ETHUSDT trades': [[T, 3, 3300.25, 2, 'SELL']],
  };

  test('of several symbols', async () => {
    expect((await imported('trades.parquet', parquet(columns))).rows).toEqual(ROWS);
  });

  test('with columns of other names, given by --columns', async () => {
    const renamed = columns.map((one, k) => ({ ...one, name: `c${k}` }));
    const { rows } = await imported('trades.parquet', parquet(renamed), { columns: 'time=c0,symbol=c1,id=c2,price=c3,size=c4,side=c5' });
    expect(rows).toEqual(ROWS);
  });

  test('a cell that is no number is told with its column and row, and nothing is written', async () => {
    const broken = columns.map((one) =>
      one.name === 'price' ? { name: 'price', data: ['93000.1', 'x', '1'], type: 'STRING' as const } : one,
    );
    await expect(imported('trades.parquet', parquet(broken))).rejects.toMatchObject({
      code: 'malformed',
      problems: [{ what: 'price: a value of its kind was expected, found "x"', where: expect.stringMatching(/trades\.parquet, row 2$/) }],
    });
  });

  test('a file with a whole end and damaged columns is told, and nothing is written', async () => {
    const bytes = parquet(columns).slice();
    bytes.fill(0xff, 4, 60);
    await expect(imported('trades.parquet', bytes)).rejects.toMatchObject({
      code: 'malformed',
      problems: [{ what: expect.stringContaining('a whole Parquet file was expected') }],
    });
  });
});
