/** What the strategy does on a synthetic market: it makes, never takes, and keeps its inventory small. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './quoter.ts';

const options = { seed: 3, duration: '5m' };

test('quotes both sides, and each fill is a maker fill', async () => {
  const { fills, report } = await testStrategy(strategy, options);
  assert.ok(fills.length > 20);
  assert.equal(report.stats.takerFills, 0);
});

test('the inventory stays within its limit and one quote', async () => {
  const { fills } = await testStrategy(strategy, { ...options, params: { maxInventory: 0.02, size: '0.01' } });
  let net = 0;
  for (const { side, size } of fills) {
    net += (side === 'BUY' ? 1 : -1) * Number(size);
    assert.ok(Math.abs(net) <= 0.03 + 1e-9, `holds ${net}`);
  }
});

test('no order rests after the stop', async () => {
  assert.equal((await testStrategy(strategy, options)).resting, 0);
});
