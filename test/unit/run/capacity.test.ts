/** Profit against size: what grows with the size and what does not, and the sizes at which the profit halves and peaks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capacity, halvingOf, type CapacityOptions } from '../../../src/run/capacity/capacity.ts';
import { scaledConfig, timesAmount } from '../../../src/run/capacity/scaled.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'capacity-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what grows', () => {
  test.each([
    ['0.5', 3, '1.5'],
    ['0.05', 2, '0.10'],
    ['7', 1_024, '7168'],
    ['100.5 USDT', 4, '402.0 USDT'],
    ['2%', 8, '2%'],
    ['many', 2, null],
  ])('%s times %i is %s', (text, multiple, expected) => {
    expect(timesAmount(text, multiple)).toBe(expected);
  });

  test('deposits and limits in sizes and values, not counts and shares, and nothing beyond exact money', () => {
    const config = configWith({ risk: { maxOrderSize: '1.5', maxPosition: '5%', maxOpenOrders: 20, priceCollar: '0.02' } });
    const { risk, simulation } = scaledConfig(config, 4);
    expect(risk).toMatchObject({ maxOrderSize: '6.0', maxPosition: '5%', maxOpenOrders: 20, priceCollar: '0.02' });
    expect(simulation.deposits).toEqual({ USDT: '400000' });
    expect(scaledConfig(config, 2 ** 30).simulation.deposits).toEqual({ USDT: '40000000' });
  });
});

describe('where the profit per size halves', () => {
  test.each([
    [
      'between two runs, linear in the logarithm',
      [
        [1, 8],
        [2, 6],
        [4, 2],
      ],
      2 * 2 ** 0.5,
    ],
    [
      'at a run',
      [
        [1, 8],
        [2, 4],
        [4, 3.9],
      ],
      2,
    ],
    [
      'never',
      [
        [1, 8],
        [2, 7],
      ],
      null,
    ],
    [
      'not without a profit',
      [
        [1, -8],
        [2, -20],
      ],
      null,
    ],
  ] as const)('%s', (_what, rows, expected) => {
    const found = halvingOf(rows.map(([multiple, perSize]) => ({ multiple, perSize })));
    if (expected === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(expected, 9);
  });
});

/** Bid 60,000.0 and ask 60,000.1 until the price rises by 600 USDT; a million lots at each. */
function risingTape(): string {
  const path = join(folder, 'rising');
  const writer = new TapeWriter(path);
  const book = writer.stream('BTCUSDT', 'quotes', { priceDecimals: 1, sizeDecimals: 3 });
  for (let k = 0; k < 20; k++) {
    const bid = k < 10 ? 600_000 : 606_000;
    book.quote(1_700_000_000_000 + 1_000 * k, bid, 1_000_000 + k, bid + 1, 1_000_000 + k);
  }
  writer.finish();
  return path;
}

const TRADE = `    let row = 0;
    return { onQuote(market: any, ctx: any) {
      row++;
      if (row === 3) ctx.open(market, 'LONG', { size: params.size });
      if (row === 15) ctx.close(market, 'LONG');
    } };`;

const options = (given: Partial<CapacityOptions> = {}): CapacityOptions => ({
  strategies: [{ file: strategyFile(folder, TRADE, `size: param.decimal('0.1')`), params: {}, symbols: ['BTCUSDT'] }],
  tape: join(folder, 'rising'),
  config: configWith({
    simulation: { impact: { model: 'square-root', coefficient: '1', volatility: '0.08', turnover: '1000000000' } },
    contract: { tiers: [{ maintenanceRate: '0.004', maxLeverage: 20 }], maxSize: '100000' },
    risk: { maxOrderSize: '10', maxPosition: '10' },
  }),
  everyTick: true,
  speed: 1,
  seed: 1,
  multiples: Array.from({ length: 11 }, (_, k) => 2 ** k),
  sizes: ['size'],
  ...given,
});

describe('profit against size', () => {
  beforeAll(() => void risingTape());

  test('is that of the formula: the way of the price less the impact of both orders', async () => {
    const result = await capacity(options());
    const expected = result.rows.map(({ multiple }) => {
      const lots = 100 * multiple;
      const impact = (ticks: number): number => Math.ceil(ticks * 0.08 * Math.sqrt((ticks * lots) / 10_000 / 1e9));
      const [bought, sold] = [600_001 + impact(600_001), 606_000 - impact(606_000)];
      const fee = (ticks: number): number => Math.ceil((ticks * lots * 6 * 10_000) / 10_000) / 1e8;
      return ((sold - bought) * lots) / 10_000 - fee(bought) - fee(sold);
    });
    expect(result.rows.map(({ net }) => net)).toEqual(expected.map((net) => expect.closeTo(net, 6) as number));
    expect(result.rows.map(({ sizes }) => sizes['size']).slice(0, 3)).toEqual(['0.1', '0.2', '0.4']);
    const best = expected.indexOf(Math.max(...expected));
    expect(best).toBeGreaterThan(2);
    expect(best).toBeLessThan(10);
    expect(result).toMatchObject({ peaksAt: 2 ** best, isOpen: false });
    const half = expected[0]! / 2;
    const after = expected.findIndex((net, k) => net / 2 ** k < half);
    expect(result.halvesAt).toBeGreaterThan(2 ** (after - 1));
    expect(result.halvesAt).toBeLessThan(2 ** after);
    expect(result.sentence).toContain(`The profit peaks at ${2 ** best} times the size`);
  });

  test('without a model in the configuration the impact is measured on the tape, or it is an error', async () => {
    await expect(capacity(options({ config: configWith() }))).rejects.toThrow(/measure the impact of BTCUSDT/);
  });

  test('a parameter that does not exist is an error that names those that do', async () => {
    await expect(capacity(options({ sizes: ['volume'] }))).rejects.toThrow(/sizes the orders of a strategy, found volume/);
  });
});
