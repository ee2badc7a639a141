/** What the strategy does on two synthetic markets: it holds one of them at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './rotation.ts';

const params = { bar: '2s', period: 5, lead: 0.001, size: '0.01' };

test('moves between the markets, and holds one at a time', async () => {
  const { fills } = await testStrategy(strategy, { seed: 3, duration: '5m', params, symbols: ['BTCUSDT', 'ETHUSDT'] });
  const held = new Map<string, number>();
  for (const { symbol, side, size } of fills) {
    held.set(symbol, Math.round(((held.get(symbol) ?? 0) + (side === 'BUY' ? 1 : -1) * Number(size)) * 1e6) / 1e6);
    assert.ok([...held.values()].filter((size_) => size_ > 0).length <= 1);
  }
  assert.equal(held.size, 2);
});

test('one symbol is not enough', async () => {
  await assert.rejects(testStrategy(strategy, { seed: 3, params, symbols: ['BTCUSDT'] }), /rotation needs two symbols/);
});
