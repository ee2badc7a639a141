/** What the strategy does on a synthetic market: breakouts both ways, each with a stop at the venue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './breakout.ts';

const options = { seed: 3, duration: '5m', params: { bar: '2s', channel: 5, period: 5, trail: 2, size: '0.01' } };

test('enters above and below the channel, and trailing stops end trades', async () => {
  const { fills } = await testStrategy(strategy, options);
  const reasons = new Set(fills.map(({ reason }) => reason));
  for (const reason of ['above the channel', 'below the channel', 'trailing-stop']) assert.ok(reasons.has(reason), reason);
});

test('each entry has a stop-loss on its own side', async () => {
  const { orders } = await testStrategy(strategy, options);
  const entries = orders.filter(({ effect }) => effect === 'OPEN');
  assert.ok(entries.length > 5 && entries.every(({ stopLoss }) => stopLoss !== null));
});
