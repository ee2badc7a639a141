/** What the strategy does on a synthetic market: breakouts in both directions, each with a trailing stop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './trend-filter.ts';

const params = { entry: '1s', filter: '10s', channel: 5, trend: 3, size: '0.01', trail: 0.01 };

test('enters breakouts up and down, and a trailing stop ends them', async () => {
  const { fills } = await testStrategy(strategy, { seed: 3, duration: '10m', params });
  const reasons = new Set(fills.map(({ reason }) => reason));
  for (const reason of ['breakout, trend up', 'breakout, trend down', 'trailing-stop']) assert.ok(reasons.has(reason), reason);
});

test('waits until both timeframes have their bars', async () => {
  const { orders } = await testStrategy(strategy, { seed: 3, duration: '10m', params });
  assert.ok((orders[0]?.at ?? 0) >= 30_000);
});
