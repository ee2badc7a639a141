/** A tape as CSV, Parquet and Arrow: other programs read the same values, and the import makes the same tape again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from '@uwdata/flechette';
import { describe, expect, test } from 'vitest';
import { formatScaled } from '../../../../src/domain/amounts/scale.ts';
import type { NumberForm } from '../../../../src/tape/export/export-columns.ts';
import { exportTape, type ExportedFile } from '../../../../src/tape/export/export.ts';
import { importFiles } from '../../../../src/tape/import/import.ts';
import type { Manifest } from '../../../../src/tape/file/manifest.ts';
import { TapeWriter } from '../../../../src/tape/write.ts';
import { makeTape, T } from '../../../support/tape/tape-of-kinds.ts';
import { withFolder } from '../../../support/tape/tape-rows.ts';

function exported(folder: string, format: 'csv' | 'parquet' | 'arrow', numbers: NumberForm): ExportedFile[] {
  makeTape(join(folder, 'tape'));
  return exportTape(join(folder, 'tape'), join(folder, 'out'), { format, numbers });
}

describe.each([
  ['csv', 'double'],
  ['parquet', 'double'],
  ['parquet', 'decimal'],
] as const)('%s, numbers as %s', (format, numbers) => {
  test('imported again, is the same tape', () =>
    withFolder(async (folder) => {
      const files = exported(folder, format, numbers).map(({ file }) => file);
      const first = makeTape(join(folder, 'first'));
      const { manifest } = await importFiles(files, join(folder, 'again'));
      expect(manifest.symbols.map(({ symbol }) => symbol).toSorted()).toEqual(['BTCUSDT', 'PEPEUSDT']);
      // Checksums cover every row.
      expect(manifest.streams.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual(
        first.streams.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
      );
    }));
});

test.each(['double', 'decimal'] as const)('the small blocks of bars share row groups of Parquet, numbers as %s', (numbers) =>
  withFolder(async (folder) => {
    const writer = new TapeWriter(join(folder, 'tape'), { source: 'test' });
    const bars = writer.stream('BTCUSDT', 'bars', { priceDecimals: 1, sizeDecimals: 3 }, 60_000);
    for (let k = 0; k < 70_000; k++) bars.bar(T + k * 60_000, 1000 + (k % 7), 1020, 900, 1000 + (k % 11), k);
    const { streams } = writer.finish();
    const [{ file }] = exportTape(join(folder, 'tape'), join(folder, 'out'), { format: 'parquet', numbers }) as [ExportedFile];
    const db = await (await DuckDBInstance.create()).connect();
    const groups = `SELECT DISTINCT row_group_num_rows::INT n FROM parquet_metadata('${file}') ORDER BY row_group_id`;
    expect((await db.runAndReadAll(groups)).getRows().flat()).toEqual([65_536, 70_000 - 65_536]);
    expect((await importFiles([file], join(folder, 'again'))).manifest.streams).toEqual(streams);
  }),
);

test('DuckDB reads Parquet: times with a zone, whole ids, sums of decimals to the last digit', () =>
  withFolder(async (folder) => {
    exported(folder, 'parquet', 'decimal');
    const db = await (await DuckDBInstance.create()).connect();
    const read = async (sql: string): Promise<unknown> => (await db.runAndReadAll(sql)).getRowObjectsJson();
    const file = (name: string): string => `'${join(folder, 'out', name)}'`;
    const sum = Array.from({ length: 3000 }, (_, k) => 600_000 + ((k * 7) % 1001)).reduce((a, b) => a + b);
    const trades = file('BTCUSDT.trades.parquet');
    expect(await read(`SELECT count(*) n, sum(price) total, max(tradeId) id, epoch_ms(max(ts)) ms FROM ${trades}`)).toEqual([
      { n: '3000', total: formatScaled(sum, 1), id: '9000000002999', ms: String(T + 1499) },
    ]);
    expect(await read(`SELECT column_name c, column_type t FROM (DESCRIBE SELECT * FROM ${trades})`)).toEqual([
      { c: 'symbol', t: 'VARCHAR' },
      { c: 'tradeId', t: 'BIGINT' },
      { c: 'price', t: 'DECIMAL(18,1)' },
      { c: 'size', t: 'DECIMAL(18,3)' },
      { c: 'side', t: 'VARCHAR' },
      { c: 'ts', t: 'TIMESTAMP WITH TIME ZONE' },
    ]);
    expect(await read(`SELECT fundingRate r FROM ${file('BTCUSDT.funding.parquet')}`)).toEqual([
      { r: '-0.000001234567' },
      { r: '0.000100000000' },
    ]);
    const csv = exportTape(join(folder, 'tape'), join(folder, 'csv')).find(({ kind }) => kind === 'trades')!;
    expect(await read(`SELECT count(*) n, sum(price::DECIMAL(18,1)) total FROM '${csv.file}'`)).toEqual([
      { n: '3000', total: formatScaled(sum, 1) },
    ]);
  }));

test.each(['double', 'decimal'] as const)('Arrow files hold every row, numbers as %s', (numbers) =>
  withFolder((folder) => {
    const files = exported(folder, 'arrow', numbers);
    const read = (kind: string): Record<string, unknown>[] => {
      const { file } = files.find((one) => one.kind === kind)!;
      return tableFromIPC(readFileSync(file), { useBigInt: true }).toArray();
    };
    const trades = read('trades');
    expect(trades).toHaveLength(3000);
    expect(trades[2999]).toEqual({
      symbol: 'BTCUSDT',
      tradeId: 9_000_000_002_999n,
      price: 60_000 + ((2999 * 7) % 1001) / 10,
      size: (1 + (2999 % 999)) / 1000,
      side: 'SELL',
      ts: T + 1499,
    });
    expect(read('bars').map(({ low, volume }) => [low, volume])).toEqual([
      [0.000010123451, 999_999_999_999_999],
      [0.000010123453, 0],
    ]);
    expect(read('funding').map(({ fundingRate }) => fundingRate)).toEqual([-0.000001234567, 0.0001]);
  }),
);

test.each(['csv', 'parquet', 'arrow'] as const)('%s tells the rows so far, to all of them', (format) =>
  withFolder((folder) => {
    const { rows } = makeTape(join(folder, 'tape'), 14);
    const told: [number, number][] = [];
    exportTape(join(folder, 'tape'), join(folder, 'out'), { format, numbers: 'decimal', progress: (...one) => told.push(one) });
    expect(told.length).toBeGreaterThan(4);
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).toSorted((a, b) => a - b));
    expect(told.at(-1)).toEqual([rows, expect.closeTo(1, 9)]);
  }),
);

test('numbers that floating point cannot hold are refused, and exact as decimals', () =>
  withFolder(async (folder) => {
    const first = makeTape(join(folder, 'tape'), 15.9);
    expect(() => exportTape(join(folder, 'tape'), join(folder, 'a'), { format: 'parquet' })).toThrow(/at most 15 digits/);
    const files = exportTape(join(folder, 'tape'), join(folder, 'b'), { format: 'parquet', numbers: 'decimal' });
    const { manifest } = await importFiles(
      files.map(({ file }) => file),
      join(folder, 'again'),
    );
    const volume = ({ streams }: Manifest): number => streams.find(({ kind }) => kind === 'bars')!.maxSize;
    expect(volume(manifest)).toBe(volume(first));
  }));
