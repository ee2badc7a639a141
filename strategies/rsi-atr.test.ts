/** What the strategy does on a synthetic market: it enters with a stop and a target, one position at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './rsi-atr.ts';

const params = { bar: '2s', period: 5, low: 35, risk: 0.01, stop: 10, target: 10 };

test('each entry has a stop-loss and a take-profit, on the right sides', async () => {
  const { orders } = await testStrategy(strategy, { seed: 3, duration: '20m', params });
  const entries = orders.filter(({ effect }) => effect === 'OPEN');
  assert.ok(entries.length > 3);
  for (const { side, stopLoss, takeProfit } of entries) assert.equal(Number(takeProfit) > Number(stopLoss), side === 'LONG');
});

test('holds one position at a time', async () => {
  const { fills } = await testStrategy(strategy, { seed: 3, duration: '20m', params });
  let net = 0;
  for (const { side, size } of fills) {
    net += (side === 'BUY' ? 1 : -1) * Number(size);
    assert.ok(Math.abs(net) < 0.02, `holds ${net}`);
  }
});
