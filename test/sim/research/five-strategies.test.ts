/** The five strategies are short, and run on ticks and on bars; the fast loop and the slow one that skips nothing give the same result. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resampleTape } from '../../../src/tape/edit/resample.ts';
import { FIVE, FIVE_NAMES } from '../../support/backtest/five-strategies.ts';
import { backtest, configWith } from '../../support/backtest/reference-backtest.ts';
import { writeRandomTape } from '../../support/backtest/reference-strategy.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'five-'));
  writeRandomTape(join(folder, 'ticks'), { seed: 3, rows: 60_000, symbols: 2, stepMs: 20 });
  resampleTape(join(folder, 'ticks'), join(folder, 'bars'), 1_000);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const config = configWith({ risk: { staleAfterMs: 20_000, maxOrderSize: '100000', maxPosition: '100000' } });

describe.each(FIVE_NAMES)('%s', (name) => {
  const file = resolve(import.meta.dirname, `../../../strategies/${name}.ts`);
  const params = Object.fromEntries(Object.entries(FIVE[name]).map(([key, value]) => [key, String(value)]));

  test('has fewer than 40 lines', () => {
    expect(readFileSync(file, 'utf8').split('\n').length - 1).toBeLessThan(40);
  });

  test.each([
    ['ticks', false],
    ['ticks', true],
    ['bars', false],
    ['bars', true],
  ] as const)('on %s, every tick %s: the same result without skipping', async (tape, everyTick) => {
    const options = { everyTick, strategies: [{ file, params, symbols: [] }], config };
    const fast = await backtest(join(folder, tape), file, options);
    const slow = await backtest(join(folder, tape), file, { ...options, isPlain: true });
    expect(fast.failed).toEqual([]);
    expect(fast.fills.length).toBeGreaterThan(1);
    expect(slow.hash).toBe(fast.hash);
  });
});
