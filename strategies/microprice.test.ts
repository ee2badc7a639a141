/** What the strategy does on a synthetic market: it makes on both sides, and keeps its inventory within the limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './microprice.ts';

const options = { seed: 3, duration: '3m', params: { half: 0.05, size: 0.01, most: 0.03 } };

test('makes on both sides, never takes, and leaves no order', async () => {
  const { fills, report, resting } = await testStrategy(strategy, options);
  assert.deepEqual(new Set(fills.map(({ reason }) => reason)), new Set(['bid', 'ask']));
  assert.equal(report.stats.takerFills, 0);
  assert.equal(resting, 0);
});

test('the inventory stays within the limit', async () => {
  const { fills } = await testStrategy(strategy, options);
  let net = 0;
  for (const { side, size } of fills) {
    net += (side === 'BUY' ? 1 : -1) * Number(size);
    assert.ok(Math.abs(net) <= 0.03 + 1e-9, `holds ${net}`);
  }
});
