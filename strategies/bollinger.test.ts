/** What the strategy does on a synthetic market: thirds go at the bands, the rest by time or trailing stop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './bollinger.ts';

const params = { bar: '2s', period: 10, width: 1, size: '0.01', stop: 0.1, trail: 0.05, hold: '20s' };

test('buys below the band, and every entry has a stop-loss at the venue', async () => {
  const { orders } = await testStrategy(strategy, { seed: 3, duration: '20m', params });
  const entries = orders.filter(({ effect }) => effect === 'OPEN');
  assert.ok(entries.length > 10);
  assert.ok(entries.every(({ side, stopLoss }) => side === 'LONG' && stopLoss !== null));
});

test('closes at targets, by time and by stops', async () => {
  const { fills } = await testStrategy(strategy, { seed: 3, duration: '20m', params });
  const reasons = new Set(fills.map(({ reason }) => reason));
  for (const reason of ['below the lower band', 'target', 'time']) assert.ok(reasons.has(reason), reason);
});
