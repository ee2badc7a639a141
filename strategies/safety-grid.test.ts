/** What the strategy does on a synthetic market: it adds at lower prices and sells the whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './safety-grid.ts';

const params = { step: 0.01, profit: 0.01, stop: 0.2 };

test('adds on the ladder with growing sizes, and sells all of it', async () => {
  const { orders, positions, resting } = await testStrategy(strategy, { seed: 3, duration: '20m', params });
  const steps = orders.filter(({ reason }) => reason === 'ladder');
  assert.ok(steps.length > 5);
  assert.ok(steps.every(({ size, type }) => Number(size) > 0.002 && type === 'LIMIT'));
  assert.deepEqual(positions, []);
  assert.equal(resting, 0);
});

test('never holds more than the first order and the whole ladder', async () => {
  const { fills } = await testStrategy(strategy, { seed: 3, duration: '20m', params });
  let held = 0;
  for (const { side, size } of fills) {
    held += (side === 'BUY' ? 1 : -1) * Number(size);
    assert.ok(held < 0.002 * (1 + 1.5 + 2.25 + 3.375 + 5.0625) + 1e-9);
  }
});
