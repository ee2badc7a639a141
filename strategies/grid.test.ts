/** What the strategy does on a synthetic market: it buys steps down, sells a step up, and buys again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './grid.ts';

const options = { seed: 3, duration: '5m', params: { step: 0.01, steps: 4, size: '0.002' } };

test('buys and sells steps as a maker, and leaves no order', async () => {
  const { fills, report, resting } = await testStrategy(strategy, options);
  const reasons = new Set(fills.map(({ reason }) => reason));
  assert.deepEqual(reasons, new Set(['a step down', 'a step up']));
  assert.equal(report.stats.takerFills, 0);
  assert.equal(resting, 0);
});

test('never holds more than all steps, and buys no step twice at once', async () => {
  const { orders, fills } = await testStrategy(strategy, options);
  let held = 0;
  for (const { side, size } of fills) {
    held += (side === 'BUY' ? 1 : -1) * Number(size);
    assert.ok(held <= 4 * 0.002 + 1e-9, `holds ${held}`);
  }
  assert.ok(orders.length > 4);
});
