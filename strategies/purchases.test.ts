/** What the strategy does on a synthetic market: it buys at fixed times, up to its largest value, and sells the whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './purchases.ts';

const options = { seed: 3, duration: '5m', params: { every: '20s', profit: 0.01, value: 200 } };

test('buys every twenty seconds', async () => {
  const { orders } = await testStrategy(strategy, options);
  const buys = orders.filter(({ reason }) => reason === 'regular purchase');
  assert.ok(buys.length > 3);
  assert.ok(buys.every(({ at }) => at % 20_000 < 1_000));
});

test('sells the whole at a profit, and never holds more than its largest value', async () => {
  const { fills } = await testStrategy(strategy, { ...options, params: { ...options.params, most: 500 } });
  assert.ok(fills.some(({ reason }) => reason === 'target'));
  let held = 0;
  for (const { side, size, price } of fills) {
    held += (side === 'BUY' ? 1 : -1) * Number(size);
    assert.ok(held * Number(price) < 510);
  }
});
