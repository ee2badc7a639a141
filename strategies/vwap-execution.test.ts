/** What the strategy does on a synthetic market: slices that follow the volume, until the size is bought. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './vwap-execution.ts';

const options = { seed: 3, duration: '5m', params: { total: 0.1, every: '1s', share: 5 } };

test('buys its size in slices, and not more', async () => {
  const { orders, positions } = await testStrategy(strategy, options);
  assert.ok(orders.length > 3);
  assert.deepEqual(positions, [{ symbol: 'BTCUSDT', side: 'LONG', size: '0.100' }]);
});

test('each price is at most the average price of all trades plus the tolerance', async () => {
  const rows = Array.from({ length: 40 }, (_, k) => {
    const price = k < 20 ? 100 : 110;
    return [
      { at: k * 500, bid: price - 0.1, ask: price + 0.1, askSize: 10 + (k % 2) },
      { at: k * 500, trade: price, size: 7 },
    ];
  }).flat();
  const { fills } = await testStrategy(strategy, {
    rows,
    symbols: ['TESTUSDT'],
    params: { total: 50, every: '1s', share: 50, tolerance: 0.2 },
  });
  assert.ok(fills.length > 3);
  assert.ok(fills.every(({ price }) => Number(price) < 101));
});
