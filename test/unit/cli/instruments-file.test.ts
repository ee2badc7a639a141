/** `tape info --instruments`: a file of instruments for the symbols of a tape, so that a universe may choose all of them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { readInstruments } from '../../../src/config/files/data-files.ts';

const BIN = join(import.meta.dirname, '../../../src/tickwright.js');
const folder = mkdtempSync(join(tmpdir(), 'tickwright-instruments-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, out: stdout.replaceAll(/\s+/g, ' '), err: stderr.replaceAll(/\s+/g, ' ') };
}

/** Bars of a minute from 2024-01-01 on, as a CSV file. */
function barsOf(count: number): string {
  const rows = Array.from({ length: count }, (_, k) => {
    const price = 100 + Math.round(50 * Math.sin(k / 30)) / 10;
    return `${Date.UTC(2024, 0, 1) + k * 60_000},${price},${price + 0.5},${price - 0.5},${price + 0.1},${1 + (k % 7)}`;
  });
  return `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`;
}

test('a universe can choose every symbol of a tape once the file is named, and the report says how before', () => {
  writeFileSync(
    join(folder, 's.ts'),
    "import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: 'idle', create: () => ({ barMs: 60_000, onBar: () => undefined }) });\n",
  );
  const lines = 'strategies: [{ file: s.ts, universe: { top: 4, by: volume, every: 2h, window: 2h, bars: 5m } }]\n';
  writeFileSync(join(folder, 'bare.yaml'), lines);
  writeFileSync(join(folder, 'named.yaml'), `instruments: instruments.json\n${lines}`);
  const files = ['BTCUSDT', 'ETHUSDT', 'PEPEUSDT', 'WIFUSDT'].map((symbol) => `${symbol}.csv`);
  for (const file of files) writeFileSync(join(folder, file), barsOf(480));
  expect(run('tape', 'import', ...files, '--out', 'wide')).toMatchObject({ status: 0 });

  const backtest = ['backtest', '--tape', 'wide', '--no-bracket', '--config'];
  const before = run(...backtest, 'bare.yaml');
  expect(before.out).toContain('idle cannot choose symbols whose rules are not known: PEPEUSDT, WIFUSDT. `tickwright tape info');

  const written = run('tape', 'info', 'wide', '--instruments', 'instruments.json');
  expect(written).toMatchObject({ status: 0 });
  expect(written.err).toContain('Written: instruments.json, 6 rows; fees and largest size of 2 are guessed');
  const rows = readInstruments(join(folder, 'instruments.json'));
  expect(rows.map(({ symbol, product }) => `${product} ${symbol}`)).toEqual([
    ...['BTCUSDT', 'ETHUSDT', 'PEPEUSDT', 'WIFUSDT'].map((symbol) => `futures ${symbol}`),
    'spot BTCUSDT',
    'spot ETHUSDT',
  ]);
  expect(rows[0], 'what comes with the program keeps its rules').toEqual(defaultConfig().instruments[0]);

  const after = run(...backtest, 'named.yaml');
  expect(after).toMatchObject({ status: 0 });
  expect(after.out).toContain('idle chose 4 of 4 candidates by volume over 2h');
  expect(after.out).not.toMatch(/rules are not known|not configured|logged/);
});

test('the rules of symbols that `tape synth` makes are known', () => {
  expect(run('tape', 'synth', '--out', 'four', '--symbols', '4', '--bars', '1m', '--duration', '8h').status).toBe(0);
  const { status, out } = run('backtest', '--tape', 'four', '--no-bracket', '--config', 'bare.yaml');
  expect(status).toBe(0);
  expect(out).toContain('idle chose 4 of 4 candidates by volume over 2h');
  expect(out).not.toContain('rules are not known');
});

test('an existing file is not replaced', () => {
  writeFileSync(join(folder, 'mine.json'), '[]');
  const { status, err } = run('tape', 'info', 'wide', '--instruments', 'mine.json');
  expect({ status, err }).toEqual({
    status: 2,
    err: expect.stringContaining('expected no such file yet, found one; nothing was written') as string,
  });
  expect(readFileSync(join(folder, 'mine.json'), 'utf8')).toBe('[]');
});
