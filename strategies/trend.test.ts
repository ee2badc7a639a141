/** What the strategy does on bars: it enters with the trend, trails, and enters a trend once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './trend.ts';

const bar = (close: number, k: number) => ({ at: 60_000 * k, open: close - 1, high: close + 2, low: close - 3, close, volume: 100.001 });
const climb = Array.from({ length: 30 }, (_, k) => 1000 + 4 * k);
const fall = Array.from({ length: 10 }, (_, k) => 1110 - 12 * k);
const rows = [...climb, ...fall].map(bar);
const options = { symbols: ['TESTUSDT'], rows, params: { bar: '1m', period: 5, trail: 2, factor: 2 } };

test('goes with the trend, each order with a stop-loss', async () => {
  const { fills, orders } = await testStrategy(strategy, options);
  assert.deepEqual(
    fills.slice(0, 3).map(({ positionSide, side }) => `${positionSide} ${side}`),
    ['LONG BUY', 'LONG SELL', 'SHORT SELL'],
  );
  assert.ok(orders.filter(({ effect }) => effect === 'OPEN').every(({ stopLoss }) => stopLoss !== null));
});

test('the same after a restart, and by averages', async () => {
  const [whole, again, averages] = await Promise.all([
    testStrategy(strategy, options),
    testStrategy(strategy, { ...options, restart: '20m' }),
    testStrategy(strategy, { ...options, params: { ...options.params, by: 'ema', fast: 3, slow: 8 } }),
  ]);
  assert.deepEqual(again.fills, whole.fills);
  assert.equal(averages.fills[0]?.positionSide, 'LONG');
});

test('a size is worth at most max', async () => {
  const { fills } = await testStrategy(strategy, { ...options, params: { ...options.params, risk: 5, max: 200 } });
  assert.ok(fills.every(({ size, price }) => Number(size) * Number(price) <= 230));
});
