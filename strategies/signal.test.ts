/** What the strategy does with signals: it opens, turns, closes, and survives whatever a sender writes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStrategy } from 'tickwright/testing';
import strategy from './signal.ts';

const say = (at: string, said: object | string) => ({ at, text: typeof said === 'string' ? said : JSON.stringify(said) });
const options = { seed: 3, duration: '1m', polled: true };

test('opens, turns and closes as TradingView says', async () => {
  const signals = [
    say('10s', { id: 'BTCUSDT 1', time: '2024-01-01T00:00:10Z', ticker: 'BTCUSDT.P', action: 'buy' }),
    say('20s', { symbol: 'BITGET:BTCUSDT.P', action: 'sell', position: 'short' }),
    say('30s', { action: 'sell', position: 'flat' }),
  ];
  const { fills, orders, positions } = await testStrategy(strategy, { ...options, signals });
  assert.deepEqual(
    [...new Set(fills.map(({ positionSide, side }) => `${positionSide} ${side}`))],
    ['LONG BUY', 'LONG SELL', 'SHORT SELL', 'SHORT BUY'],
  );
  assert.ok(orders.filter(({ effect }) => effect === 'OPEN').every(({ stopLoss }) => stopLoss !== null));
  assert.deepEqual(positions, []);
});

test('ignores what it cannot read, and says why', async () => {
  const texts = ['', 'buy', 'null', '[]', '{"action":"toString"}', '{"action":"buy","symbol":"OTHER"}', '{"action":{"a":1}}'];
  const { logs, orders } = await testStrategy(strategy, { ...options, signals: texts.map((text, k) => say(`${10 + k}s`, text)) });
  assert.equal(orders.length, 0);
  assert.deepEqual(
    logs.map(({ says }) => says),
    texts.map(() => 'signal-ignored'),
  );
});

test('with one leg allowed, the other word only closes', async () => {
  const signals = [say('10s', { action: 'buy' }), say('20s', { action: 'sell' })];
  const { fills, positions } = await testStrategy(strategy, { ...options, params: { sides: 'LONG' }, signals });
  assert.ok(fills.every(({ positionSide }) => positionSide === 'LONG'));
  assert.deepEqual(positions, []);
});

test('a turn goes on after a restart', async () => {
  const signals = [say('10s', { action: 'buy' }), say('20s', { action: 'sell' })];
  const { positions } = await testStrategy(strategy, { ...options, signals, restart: 20_010 });
  assert.deepEqual(
    positions.map(({ side }) => side),
    ['SHORT'],
  );
});

test('a signal is kept until its entry has filled: one that never left is placed again, or is dropped when it is too old', async () => {
  const signals = [say('10s', { action: 'buy' })];
  const run = async (answer: 'unsent' | 'lost', params: Record<string, unknown>, duration: string) => {
    const venue = ({ nth }: { nth: number }) => (nth === 1 ? answer : undefined);
    const { fills, positions } = await testStrategy(strategy, { ...options, duration, params, signals, venue });
    assert.ok(fills.length <= 1);
    return positions.map(({ side }) => side);
  };
  assert.deepEqual(await run('unsent', {}, '1m'), ['LONG']);
  assert.deepEqual(await run('lost', { age: '5m' }, '3m'), ['LONG']);
  assert.deepEqual(await run('lost', {}, '3m'), []);
});

test('an entry that the venue refuses is not placed again', async () => {
  const venue = () => ({ refuse: 'insufficient-balance' }) as const;
  const { orders } = await testStrategy(strategy, { ...options, signals: [say('10s', { action: 'buy' })], venue });
  assert.deepEqual(
    orders.map(({ state }) => state),
    ['rejected'],
  );
});
