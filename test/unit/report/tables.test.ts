/** Tables of results: other programs read from the files what the result says. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from '@uwdata/flechette';
import { beforeAll, describe, expect, test } from 'vitest';
import { tablesPage } from '../../../src/cli/pages/tables-page.ts';
import { resultOf } from '../../../src/cli/programs/results.ts';
import type { RunReport } from '../../../src/report/run-report.ts';
import { tablesOf } from '../../../src/report/tables/research-tables.ts';
import { writeTables } from '../../../src/run/report/tables/table-files.ts';
import { busyRun } from '../../support/backtest/report-runs.ts';
import { RESULTS } from '../../support/research/research-results.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

let report: RunReport;
beforeAll(async () => {
  await withFolder(async (folder) => {
    report = await busyRun(folder, 200);
    // Made while the tape is there.
    void [report.market, report.metrics];
  });
});

async function parquet(file: string, columns: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create()).connect();
  return (await connection.runAndReadAll(`SELECT ${columns} FROM '${file}'`)).getRowsJS();
}

test('DuckDB reads the trades and the metrics of a run from Parquet', () =>
  withFolder(async (folder) => {
    const files = writeTables(folder, report);
    expect(files.map((file) => file.slice(folder.length + 1)).sort()).toEqual([
      'breakdowns.parquet',
      'days.parquet',
      'drawdowns.parquet',
      'equity.parquet',
      'fills.parquet',
      'metrics.parquet',
      'returns.parquet',
      'trades.parquet',
    ]);
    expect(report.trades.length).toBeGreaterThan(20);
    const rows = await parquet(join(folder, 'trades.parquet'), 'epoch_ms("openedAt"), "positionSide", "net", "exitReason", "takeProfit"');
    const told = report.trades.map((t) => [BigInt(t.openedAt), t.positionSide, Number(t.net), t.reason, t.takeProfit]);
    expect(rows).toEqual(told);
    const metrics = await parquet(join(folder, 'metrics.parquet'), 'key, value, sample');
    expect(metrics).toEqual(
      Object.entries(report.metrics).map(([key, { value, sample }]) => [key, value === null ? null : Number(value), BigInt(sample)]),
    );
  }));

test('decimals are the amounts of the report, digit by digit', () =>
  withFolder(async (folder) => {
    writeTables(folder, report, { numbers: 'decimal' });
    const rows = await parquet(join(folder, 'fills.parquet'), '"price"::VARCHAR, "fee"::VARCHAR, typeof("fee")');
    expect(rows).toEqual(report.fills.map(({ price, fee }) => [price, fee, 'DECIMAL(18,8)']));
  }));

test('Arrow has the same values, with nulls', () =>
  withFolder((folder) => {
    writeTables(folder, report, { format: 'arrow' });
    const drawdowns = tableFromIPC(readFileSync(join(folder, 'drawdowns.arrow')));
    expect([...drawdowns.getChild('to')]).toEqual(report.drawdowns.map(({ to }) => to));
    expect(report.drawdowns.map(({ to }) => to)).toContain(null);
    writeTables(join(folder, 'exact'), report, { format: 'arrow', numbers: 'decimal' });
    const fills = tableFromIPC(readFileSync(join(folder, 'exact/fills.arrow')), { useDecimalInt: true });
    expect([...fills.getChild('fee')].map(String)).toEqual(report.fills.map(({ fee }) => String(BigInt(fee.replace('.', '')))));
  }));

test('a program gets them as columns: numbers as doubles, what does not exist as NaN', () => {
  const { tables } = resultOf<RunReport, { trades: { net: Float64Array; symbol: string[] }; drawdowns: { to: Float64Array } }>(report);
  expect(tables.trades.net).toEqual(Float64Array.from(report.trades, ({ net }) => Number(net)));
  expect(tables.trades.symbol).toEqual(report.trades.map(({ symbol }) => symbol));
  expect([...tables.drawdowns.to]).toEqual(report.drawdowns.map(({ to }) => to ?? Number.NaN));
});

describe.each(Object.entries(RESULTS))('%s', (_, result) => {
  test.each(['parquet', 'arrow'] as const)('every table is written as %s, and none is empty of columns', (format) =>
    withFolder((folder) => {
      const files = writeTables(folder, result, { format });
      expect(files.length).toBe(Object.keys(tablesOf(result)).length);
      for (const file of files) expect(existsSync(file)).toBe(true);
    }),
  );
});

test('the trials of a search have parameters as numbers, and their figures', () => {
  const { tables } = resultOf<typeof result, Record<string, Record<string, ArrayLike<unknown>>>>(RESULTS['search']!);
  const result = RESULTS['search']!;
  const trials = result.kind === 'search' ? result.trials : [];
  expect(tables['trials']!['param_fast']).toEqual(Float64Array.from(trials, ({ point }) => Number(point['fast'])));
  expect(tables['trials']!['sharpe']).toEqual(Float64Array.from(trials, ({ figures }) => figures['sharpe'] ?? Number.NaN));
  expect(tables['chosen']!['part']).toContain('held out');
});

test('tables that cannot be written are an error that names the flag, and leave no part of a file', () =>
  withFolder((folder) => {
    const file = join(folder, 'file');
    writeTables(folder, RESULTS['capacity']!);
    const taken = join(folder, 'sizes.parquet');
    expect(() => writeTables(taken, RESULTS['capacity']!)).toThrow(/--tables: the tables cannot be written/);
    expect(existsSync(`${file}.${process.pid}.part`)).toBe(false);
  }));

test('docs/reference/tables.md is current', () => {
  expect(readFileSync('docs/reference/tables.md', 'utf8')).toBe(tablesPage());
});
