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

test('a universe can choose every symbol of a tape once the file is named, and the report says how before', () => {
  writeFileSync(
    join(folder, 's.ts'),
    "import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: 'idle', create: () => ({ barMs: 60_000, onBar: () => undefined }) });\n",
  );
  const lines = 'strategies: [{ file: s.ts, universe: { top: 4, by: volume, every: 2h, window: 2h, bars: 5m } }]\n';
  writeFileSync(join(folder, 'bare.yaml'), lines);
  writeFileSync(join(folder, 'named.yaml'), `instruments: instruments.json\n${lines}`);
  expect(run('tape', 'synth', '--out', 'wide', '--symbols', '4', '--bars', '1m', '--duration', '8h').status).toBe(0);

  const backtest = ['backtest', '--tape', 'wide', '--no-bracket', '--config'];
  const before = run(...backtest, 'bare.yaml');
  expect(before.out).toContain('idle cannot choose symbols whose rules are not known: MADE0001USDT, MADE0002USDT. `tickwright tape info');

  const written = run('tape', 'info', 'wide', '--instruments', 'instruments.json');
  expect(written).toMatchObject({ status: 0 });
  expect(written.err).toContain('Written: instruments.json, 6 rows; fees and largest size of 2 are guessed');
  const rows = readInstruments(join(folder, 'instruments.json'));
  expect(rows.map(({ symbol, product }) => `${product} ${symbol}`)).toEqual([
    ...['BTCUSDT', 'ETHUSDT', 'MADE0001USDT', 'MADE0002USDT'].map((symbol) => `futures ${symbol}`),
    'spot BTCUSDT',
    'spot ETHUSDT',
  ]);
  expect(rows[0], 'what comes with the program keeps its rules').toEqual(defaultConfig().instruments[0]);

  const after = run(...backtest, 'named.yaml');
  expect(after).toMatchObject({ status: 0 });
  expect(after.out).toContain('idle chose 4 of 4 candidates by volume over 2h');
  expect(after.out).not.toMatch(/rules are not known|not configured|logged/);
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
