/** What the strategy does on two synthetic markets: it holds opposite sides, and both or none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './pairs.ts';

const params = { bar: '2s', period: 10, enter: 1 };
const symbols = ['BTCUSDT', 'ETHUSDT'];

test('opens both markets at once, on opposite sides', async () => {
  const { orders } = await testStrategy(strategy, { seed: 3, duration: '10m', params, symbols });
  const opens = orders.filter(({ effect }) => effect === 'OPEN');
  assert.ok(opens.length > 10);
  for (let k = 0; k + 1 < opens.length; k += 2) {
    const [a, b] = [opens[k], opens[k + 1]];
    assert.equal(a?.at, b?.at);
    assert.notEqual(a?.symbol, b?.symbol);
    assert.notEqual(a?.side, b?.side);
  }
});

test('if one side is refused, the other one is closed again', async () => {
  const rejection = { refuse: 'insufficient-balance' } as const;
  const { orders, positions } = await testStrategy(strategy, {
    seed: 3,
    duration: '10m',
    params,
    symbols,
    venue: ({ symbol, effect }) => (symbol === 'ETHUSDT' && effect === 'OPEN' ? rejection : undefined),
  });
  assert.ok(orders.some(({ symbol, effect, state }) => symbol === 'BTCUSDT' && effect === 'CLOSE' && state === 'filled'));
  assert.ok(positions.every(({ symbol }) => symbol === 'BTCUSDT'));
});

test('one symbol is not enough', async () => {
  await assert.rejects(testStrategy(strategy, { seed: 3, params, symbols: ['BTCUSDT'] }), /pairs needs two symbols/);
});
