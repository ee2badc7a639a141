/** What the strategy does on a rising market, on a synthetic one, and when the venue refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './ema-cross.ts';

const params = { fast: 2, slow: 4, bar: '1s', size: '0.01' };

/** One trade a second at these prices, with the book around it. */
function market(prices: readonly number[]): { at: number; bid: number; ask: number }[] {
  return prices.map((price, k) => ({ at: k * 1000, bid: price - 0.5, ask: price + 0.5 }));
}

test('opens LONG in a rising market and holds it', async () => {
  const rows = market(Array.from({ length: 20 }, (_, k) => 60_000 + 10 * k)).flatMap((row) => [row, { at: row.at, trade: row.bid + 0.5 }]);
  const ran = await testStrategy(strategy, { rows, params });
  assert.deepEqual(
    ran.orders.map(({ side, effect, state }) => [side, effect, state]),
    [['LONG', 'OPEN', 'filled']],
  );
  assert.deepEqual(ran.positions, [{ symbol: 'BTCUSDT', side: 'LONG', size: '0.010' }]);
});

test('a stop-loss is on the opening order', async () => {
  const ran = await testStrategy(strategy, { seed: 4, duration: '1m', params: { ...params, stop: 0.01 } });
  const opens = ran.orders.filter(({ effect }) => effect === 'OPEN');
  assert.ok(opens.length > 0 && opens.every(({ stopLoss }) => stopLoss !== null));
});

test('a refused order leaves it flat, and it tries again', async () => {
  const venue = ({ nth }: { nth: number }): { refuse: 'insufficient-balance' } | undefined =>
    nth === 1 ? { refuse: 'insufficient-balance' } : undefined;
  const ran = await testStrategy(strategy, { seed: 4, duration: '2m', params, venue });
  assert.equal(ran.orders[0]?.state, 'rejected');
  assert.ok(ran.fills.length > 0);
});
