/** What the strategy does step by step: safety orders, one target over the average of all, a pause, and the same after a restart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './dca.ts';

const params = { base: 100, safety: 100, orders: 2, step: 1, stepScale: 1, volumeScale: 2, profit: 1, stop: 5, pause: '1m', every: '1s' };
const quotes = (...mids: readonly number[]) => mids.map((mid, k) => ({ at: 2_000 * k, bid: mid - 0.1, ask: mid + 0.1, bidSize: 10.001 }));
const options = { symbols: ['TESTUSDT'], params, rest: '2s' };

test('adds lower, and sells all a percent above the average', async () => {
  const { fills, positions } = await testStrategy(strategy, { ...options, rows: quotes(1000, 1000, 989, 989, 1002, 1006) });
  assert.deepEqual(
    fills.map(({ side, reason }) => `${side} ${reason}`),
    ['BUY a round begins', 'BUY ladder', 'SELL target'],
  );
  const [first, second, out] = fills.map(({ price }) => Number(price));
  assert.ok(Math.abs(out! - ((first! + second!) / 2) * 1.01) < 0.5);
  assert.deepEqual(positions, []);
});

test('the same after a restart in the middle', async () => {
  const rows = quotes(1000, 1000, 989, 989, 1002, 1006);
  const [whole, again] = await Promise.all([
    testStrategy(strategy, { ...options, rows }),
    testStrategy(strategy, { ...options, rows, restart: '7s' }),
  ]);
  assert.deepEqual(again.fills, whole.fills);
});

test('orders worth more than max are refused at the start', async () => {
  await assert.rejects(
    testStrategy(strategy, { ...options, rows: quotes(1000), params: { ...params, max: 300 } }),
    /are worth 400\.00, more than max 300/,
  );
});
