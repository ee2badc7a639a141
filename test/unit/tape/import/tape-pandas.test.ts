/** pandas reads what `tape export` writes, and `tape import` reads what pandas writes. `.ci/run` installs it; see `.ci/python.txt`. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportTape } from '../../../../src/tape/export/export.ts';
import { importFiles } from '../../../../src/tape/import/import.ts';
import { readManifest } from '../../../../src/tape/read.ts';
import { streamsOf } from '../../../../src/tape/streams-of.ts';
import { plainRows } from '../../../support/tape/plain-rows.ts';
import { makeTape } from '../../../support/tape/tape-of-kinds.ts';
import { withFolder } from '../../../support/tape/tape-rows.ts';

/** A Python with pandas and pyarrow. */
const PYTHON = process.env['PANDAS_PYTHON'] ?? '';
if (PYTHON === '') console.warn('SKIPPED: pandas: PANDAS_PYTHON names a Python with the packages of .ci/python.txt');

function python(script: string, folder: string): string {
  const { status, stdout, stderr } = spawnSync(PYTHON, [join('test/golden', script), folder], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

describe.skipIf(PYTHON === '')('pandas', () => {
  test('reads the same values from CSV, Parquet and Arrow, as doubles and as decimals', async () => {
    await withFolder((folder) => {
      const tape = join(folder, 'tape');
      makeTape(tape);
      exportTape(tape, join(folder, 'out/csv'), { format: 'csv' });
      for (const format of ['parquet', 'arrow'] as const) {
        exportTape(tape, join(folder, 'out', format), { format });
        exportTape(tape, join(folder, 'out', `${format}-decimal`), { format, numbers: 'decimal' });
      }
      const said = python('read-exports.py', join(folder, 'out')).trim().split('\n');
      expect(said).toHaveLength(5);
      expect(said).toContain('BTCUSDT.trades: 3000 rows, 5 forms agree');
    });
  });

  test('writes bars that are imported as they are, however they are packed and indexed', async () => {
    await withFolder(async (folder) => {
      const bars = join(folder, 'bars');
      python('write-bars.py', bars);
      const tapes = new Map<string, unknown>();
      for (const file of readdirSync(bars)) {
        const tape = join(folder, file);
        await importFiles([join(bars, file)], tape, { symbol: 'BTCUSDT' });
        const streams = [...streamsOf(tape, readManifest(tape), () => true, true)];
        tapes.set(
          file,
          streams.map((stream) => [stream.symbol, stream.kind, plainRows(stream)]),
        );
      }
      expect(tapes.size).toBe(13);
      const plain = tapes.get('BTCUSDT-plain.csv');
      expect(plain).toMatchObject([['BTCUSDT', 'bars', { length: 120 }]]);
      for (const [file, rows] of tapes) expect(rows, file).toEqual(plain);
    });
  });
});
