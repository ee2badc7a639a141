/** The gallery of strategies on random markets: each trades, throws nothing, and holds nothing when it is stopped by its own rules. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backtest, configWith } from '../../support/backtest/reference-backtest.ts';
import { writeRandomTape } from '../../support/backtest/reference-strategy.ts';

let folder = '';
let tape = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gallery-'));
  tape = join(folder, 'tape');
  writeRandomTape(tape, { seed: 3, rows: 60_000, symbols: 2, stepMs: 20 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GALLERY = [
  { name: 'rsi-atr', params: { bar: '2s', period: 5, low: 35, risk: 0.01, stop: 10, target: 10 } },
  { name: 'bollinger', params: { bar: '2s', period: 10, width: 1, size: '0.01', stop: 0.1, trail: 0.05, hold: '20s' } },
  { name: 'safety-grid', params: { step: 0.01, profit: 0.01, stop: 0.2 } },
  { name: 'pairs', params: { bar: '2s', period: 10, enter: 1 } },
  { name: 'trend-filter', params: { entry: '1s', filter: '10s', channel: 5, trend: 3, size: '0.01', trail: 0.01 } },
  { name: 'breakout', params: { bar: '2s', channel: 5, period: 5, trail: 2, size: '0.01' } },
  { name: 'grid', params: { range: 0.1, every: '1s' } },
  { name: 'dca', params: { step: 0.02, profit: 0.02, pause: '5s', every: '1s' } },
  { name: 'purchases', params: { every: '20s', profit: 0.01, value: 200 } },
  { name: 'trend', params: { bar: '2s', period: 5, factor: 1, trail: 1 } },
  { name: 'vwap-execution', params: { total: 10, every: '1s' } },
  { name: 'rotation', params: { bar: '2s', period: 5, lead: 0.001, size: '0.01' } },
  { name: 'microprice', params: { half: 0.1 } },
] as const;

describe.each([true, false])('with every tick %s', (everyTick) => {
  test.each(GALLERY)('$name trades and throws nothing', async ({ name, params }) => {
    const file = resolve(import.meta.dirname, `../../../strategies/${name}.ts`);
    const given = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]));
    const report = await backtest(tape, file, {
      everyTick,
      strategies: [{ file, params: given, symbols: [] }],
      config: configWith({
        risk: { staleAfterMs: 20_000, maxOrderSize: '100000', maxPosition: '100000' },
      }),
    });
    expect(report.failed).toEqual([]);
    expect(report.notes.join('\n')).not.toMatch(/threw|never started/);
    expect(report.fills.length).toBeGreaterThan(3);
    // A stop of the venue and one of the bot may fire together: the later one finds no position. A maker's quote may come too late.
    expect(report.notes.join('\n').match(/the venue refused .*/)?.[0] ?? 'no-position').toMatch(/no-position|exceeds-position|would-take/);
  });
});
