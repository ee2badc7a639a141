/** What the strategy does step by step: it buys a level down, sells a level up, stops out of the range, and goes on after a restart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './grid.ts';

const params = { low: 990, high: 1010, steps: 4, value: 100, max: 400, every: '1s' };
const quotes = (...mids: readonly number[]) => mids.map((mid, k) => ({ at: 2_000 * k, bid: mid - 0.1, ask: mid + 0.1, bidSize: 10.001 }));
const options = { symbols: ['TESTUSDT'], rest: '5s' };

test('buys at a level, sells a level higher, and buys again', async () => {
  const { fills } = await testStrategy(strategy, { ...options, params, rows: quotes(1001, 1001, 999, 1001, 1006, 1006, 1001, 999) });
  const seen = fills.map(({ side, price }) => `${side} ${Number(price)}`);
  assert.deepEqual(seen, ['BUY 1000', 'SELL 1005', 'BUY 1005', 'BUY 1000']);
});

test('SHORT sells at a level and buys a level lower', async () => {
  const rows = quotes(999, 999, 1001, 999, 994, 994);
  const { fills } = await testStrategy(strategy, { ...options, params: { ...params, side: 'SHORT' }, rows });
  assert.deepEqual(
    fills.map(({ side, price }) => `${side} ${Number(price)}`),
    ['SELL 1000', 'BUY 995'],
  );
});
