/** The line that shows how far long work is: on a terminal rewritten a few times a second and gone at the end, else one more every ten seconds. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Progress, progressText, withProgress } from '../../../src/cli/terminal/progress.ts';
import { importFiles } from '../../../src/tape/import/import.ts';
import type { Io } from '../../../src/run/setup/options.ts';

function terminal(isTty: boolean): { readonly io: Io; readonly text: () => string } {
  let text = '';
  const out = { write: (piece: string) => void (text += piece), columns: 40 };
  const live = { update: () => undefined, write: () => undefined, end: () => undefined };
  return { io: { stdout: out, stderr: out, isTty, live }, text: () => text };
}

test('rows, share, rate and time left', () => {
  expect(progressText(1_234_567, 0.25, 1_000, 'rows')).toBe('1,234,567 rows · 25 % · 1.2 M rows/s · 3 s left');
  expect(progressText(50, 0.5, 100_000, 'seeds')).toBe('50 seeds · 50 % · 0.5 seeds/s · 1 min 40 s left');
  expect(progressText(1, 0.05, 1_000, 'seeds')).toMatch(/^1 seed · 5 % · 1\.0 seeds\/s/);
  expect(progressText(50_000, null, 1_000, 'rows')).toBe('50,000 rows · 50 k rows/s');
  expect(progressText(1, 0.0001, 1_000, 'rows')).toContain('2 h 46 min left');
  expect(progressText(1, 0, 0, 'rows')).not.toContain('left');
  expect(progressText(0, 1e-8, 1_000, 'rows'), 'no rate is known').toBe('0 rows · 0 %');
});

test('is written at most every 200 ms, after the first half second, cut to the width, and removed', () => {
  const { io, text } = terminal(true);
  let now = 0;
  const progress = new Progress(io, 'import', 'rows', () => now);
  for (; now <= 1_000; now += 10) progress.tell(now * 1_000_000, now / 2_000);
  const lines = text().split('\r\u001b[2K').slice(1);
  expect(lines.length).toBe(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(39);
  progress.end();
  expect(text().endsWith('\r\u001b[2K')).toBe(true);
});

test('without a terminal: one more line every ten seconds, whole and without control codes', () => {
  const { io, text } = terminal(false);
  let now = 0;
  const progress = new Progress(io, 'monte-carlo', 'backtests', () => now);
  for (; now <= 29_990; now += 10) progress.tell(now / 1_000, now / 60_000);
  progress.end();
  expect(text()).toBe(
    'monte-carlo 10 backtests · 16 % · 1.0 backtests/s · 50 s left\nmonte-carlo 20 backtests · 33 % · 1.0 backtests/s · 40 s left\n',
  );
});

test('nothing with --json', async () => {
  for (const isTty of [false, true]) {
    for (const isJson of [false, true]) {
      const { io, text } = terminal(isTty);
      const isTold = await withProgress(io, { what: 'x', noun: 'rows', isJson }, (tell) => tell !== undefined);
      expect(isTold).toBe(!isJson);
      expect(text()).toBe('');
    }
  }
});

test('an import tells rows and the share of the bytes, growing to all of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'progress-'));
  const rows = Array.from({ length: 60_000 }, (_, k) => `${1_700_000_000_000 + k},100.5,1,buy`);
  const files = ['a.csv', 'b.csv'].map((name, k) => {
    const file = join(folder, name);
    const own = rows.map((row) => (k === 0 ? row : row.replace('1700000', '1700001')));
    writeFileSync(file, `time,price,size,side\n${own.join('\n')}\n`);
    return file;
  });
  const told: (readonly [number, number | null])[] = [];
  await importFiles(files, join(folder, 'tape'), { symbol: 'XUSDT', progress: (count, share) => told.push([count, share]) });
  const shares = told.map(([, share]) => share ?? -1);
  expect(shares.length).toBeGreaterThan(6);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  expect(told.at(-1)![0]).toBe(120_000);
  rmSync(folder, { recursive: true });
});
