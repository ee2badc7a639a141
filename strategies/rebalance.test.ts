/** What the strategy does step by step: it takes its weights, trades what has left its band, and waits for the interval after a restart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './rebalance.ts';

const quote = (at: string, mid: number) => ({ at, bid: mid - 0.1, ask: mid + 0.1, bidSize: 10.001 });
const rows = [quote('0s', 1000), quote('5s', 1000), quote('30s', 1030), quote('35s', 1060), quote('70s', 1060), quote('80s', 1060)];
const options = { symbols: ['TESTUSDT'], rows, params: { weights: 'TESTUSDT 50', band: 2, every: '1m', max: 1000 } };

test('buys its weight, and sells at the next look what has risen', async () => {
  const { fills } = await testStrategy(strategy, options);
  assert.deepEqual(
    fills.map(({ side, size }) => `${side} ${size}`),
    ['BUY 0.500', 'SELL 0.028'],
  );
});

test('a negative weight is a SHORT position', async () => {
  const { positions } = await testStrategy(strategy, { ...options, params: { ...options.params, weights: 'TESTUSDT -50' } });
  assert.equal(positions[0]?.side, 'SHORT');
});

test('a restart does not bring the next look forward', async () => {
  const { fills } = await testStrategy(strategy, { ...options, restart: '40s' });
  assert.deepEqual(
    fills.map(({ side }) => side),
    ['BUY', 'SELL'],
  );
  assert.ok(fills[1]!.at > 60_000);
});

for (const [weights, message] of [
  ['TESTUSDT 120', /at most 100 percent/],
  ['OTHER 50', /one of TESTUSDT was expected, found "OTHER"/],
  ['TESTUSDT fifty', /a symbol and a percentage/],
] as const) {
  test(`refuses the weights "${weights}"`, async () => {
    await assert.rejects(testStrategy(strategy, { ...options, params: { ...options.params, weights } }), message);
  });
}
