/**
 * Ready-made bots whose orders fill in parts over several polls, whose remainders are cancelled, and which restart between two parts: the
 * position is the sum of the parts, and the next order is of what is held, never of what was asked for.
 */
import { expect, test } from 'vitest';
import { readyMadeFile } from '../../../src/config/ready-made.ts';
import type { ReadyMade } from '../../../src/domain/ready-made.ts';
import { loadStrategy } from '../../../src/run/setup/strategy/load-strategy.ts';
import type { MarketRow } from '../../../src/run/testing/written-rows.ts';
import { testStrategy, type StrategyTestOptions } from '../../../src/testing.ts';

const seconds = <Row>(from: number, to: number, rowOf: (second: number) => Row): Row[] =>
  Array.from({ length: to - from }, (_, k) => rowOf(from + k));
const quote = (second: number, mid: number, size = 10.001): MarketRow => ({
  at: second * 1_000,
  bid: mid - 0.1,
  ask: mid + 0.1,
  bidSize: size,
  askSize: size,
});
const trade = (second: number, price: number, size: number, side: 'BUY' | 'SELL'): MarketRow => ({
  at: second * 1_000,
  trade: price,
  size,
  side,
});
/** So little at the best prices that an order of some tenths fills over many seconds; the sizes differ, because the same quote fills nothing. */
const thin = (second: number, mid: number): MarketRow => quote(second, mid, 0.02 + 0.001 * (second % 7));

interface Seen {
  /** Of each order with fills: side, sum of its parts, number of parts. */
  readonly filled: readonly string[];
  /** Of each order: effect, size, how it ended, and what of it filled. */
  readonly orders: readonly string[];
  readonly held: readonly string[];
}

/** The same without a restart, and with one at each of these seconds. */
async function seen(bot: ReadyMade, restarts: readonly number[], options: Partial<StrategyTestOptions>): Promise<Seen> {
  const strategy = await loadStrategy(readyMadeFile(bot));
  const run = async (restart?: number): Promise<Seen> => {
    const all = { symbols: ['TESTUSDT'], polled: true, rest: '20s', ...options };
    const result = await testStrategy(strategy, restart === undefined ? all : { ...all, restart: restart * 1_000 });
    expect([result.errors, result.refused]).toEqual([[], {}]);
    const parts = new Map<string, number[]>();
    for (const { side, size, reason, positionSide } of result.fills) {
      const key = `${side} ${positionSide} ${reason}`;
      parts.set(key, [...(parts.get(key) ?? []), Number(size)]);
    }
    return {
      filled: [...parts].map(([key, sizes]) => `${key}: ${sizes.reduce((sum, size) => sum + size, 0).toFixed(3)} in ${sizes.length}`),
      orders: result.orders.map(({ effect, filled, size, state }) => `${effect} ${size} ${state} ${filled}`),
      held: result.positions.map(({ side, size }) => `${side} ${Number(size).toFixed(3)}`),
    };
  };
  const whole = await run();
  for (const restart of restarts) expect(await run(restart), `a restart after ${restart} s`).toEqual(whole);
  return whole;
}

const GRID = { low: 990, high: 1010, steps: 4, value: 100, max: 400, every: '1s' };

test('grid: a step is sold as one order when all of its parts are bought, and bought again when all of them are sold', async () => {
  const calm = (from: number, to: number): MarketRow[] => seconds(from, to, (second) => quote(second, 1001));
  const rows = [
    ...calm(0, 10),
    trade(10, 999.9, 0.04, 'SELL'),
    ...calm(11, 14),
    trade(14, 999.9, 0.03, 'SELL'),
    ...calm(15, 19),
    trade(19, 999.9, 0.5, 'SELL'),
    ...calm(20, 26),
    trade(26, 1005.1, 0.03, 'BUY'),
    ...calm(27, 31),
    trade(31, 1005.1, 0.4, 'BUY'),
    ...calm(32, 40),
  ];
  expect(await seen('grid', [12, 16, 28], { params: GRID, rows })).toEqual({
    filled: ['BUY LONG LONG step 3: 0.100 in 3', 'SELL LONG target: 0.100 in 2'],
    orders: [
      'OPEN 0.100 filled 0.100',
      'OPEN 0.100 cancelled 0.000',
      'OPEN 0.101 cancelled 0.000',
      'CLOSE 0.100 filled 0.100',
      'OPEN 0.100 cancelled 0.000',
    ],
    held: [],
  });
});

test('grid: outside of the range what is left of an order is cancelled, and what filled of it is closed', async () => {
  const rows = [
    ...seconds(0, 10, (second) => quote(second, 1001)),
    trade(10, 995.7, 0.04, 'SELL'),
    ...seconds(11, 15, (second) => quote(second, 1001)),
    ...seconds(15, 40, (second) => quote(second, 1001 + Math.min(35, 5 * (second - 14)))),
  ];
  const params = { ...GRID, outside: 'restart' };
  const { held, orders } = await seen('grid', [13], { params: { ...params, low: 0, high: 0, range: 1 }, rows });
  expect(orders.filter((order) => !order.endsWith(' 0.000'))).toEqual(['OPEN 0.100 cancelled 0.040', 'CLOSE 0.040 filled 0.040']);
  expect(held).toEqual([]);
});

test('dca: the target is always of what is held; the rest of a safety order is cancelled with the round', async () => {
  const params = { base: 100, safety: 100, orders: 2, step: 1, stepScale: 1, volumeScale: 2, profit: 1, stop: 5, pause: '1m', every: '1s' };
  const calm = (from: number, to: number): MarketRow[] => seconds(from, to, (second) => quote(second, 1000));
  const rows = [
    ...calm(0, 10),
    trade(10, 989, 0.03, 'SELL'),
    ...calm(11, 16),
    trade(16, 989, 0.02, 'SELL'),
    ...calm(17, 23),
    ...seconds(23, 30, (second) => quote(second, 1012)),
  ];
  expect(await seen('dca', [12, 20], { params, rows })).toEqual({
    filled: ['BUY LONG a round begins: 0.099 in 1', 'BUY LONG ladder: 0.050 in 2', 'SELL LONG target: 0.149 in 1'],
    orders: [
      'OPEN 0.099 filled 0.099',
      'OPEN 0.101 cancelled 0.050',
      'OPEN 0.204 cancelled 0.000',
      'CLOSE 0.099 cancelled 0.000',
      'CLOSE 0.129 cancelled 0.000',
      'CLOSE 0.149 filled 0.149',
    ],
    held: [],
  });
});

test('rebalance: it waits for the rest of an order, and asks for nothing twice', async () => {
  const params = { weights: 'TESTUSDT 20', band: 2, every: '2s', max: 1000 };
  expect(await seen('rebalance', [3, 6], { params, rows: seconds(0, 30, (second) => thin(second, 1000)) })).toEqual({
    filled: ['BUY LONG too little of it: 0.200 in 9'],
    orders: ['OPEN 0.200 filled 0.200'],
    held: ['LONG 0.200'],
  });
});

test('signal: a close cancels the rest of the entry, and closes all that filled of it until then', async () => {
  const signals = [
    { at: '5s', text: '{"action":"buy"}' },
    { at: '10s', text: '{"action":"close"}' },
  ];
  const rows = seconds(0, 40, (second) => thin(second, 1000));
  const { filled, held, orders } = await seen('signal', [7, 13], { params: { value: 300 }, rows, signals });
  expect(filled).toEqual(['BUY LONG signal: 0.137 in 6', 'SELL LONG signal: 0.137 in 7']);
  expect([orders[0], held]).toEqual(['OPEN 0.299 cancelled 0.137', []]);
});

test('trend: the trailing stop closes the sum of the parts', async () => {
  const midOf = (second: number): number => 1000 + (second < 80 ? second : 160 - second);
  const rows = seconds(0, 120, (second) => [thin(second, midOf(second)), trade(second + 0.5, midOf(second), 0.001, 'BUY')]).flat();
  const params = { bar: '5s', period: 3, factor: 1, trail: 1, risk: 0.5, max: 150, sides: 'LONG' };
  expect(await seen('trend', [28, 87], { params, rows })).toEqual({
    filled: ['BUY LONG the trend is LONG: 0.146 in 7', 'SELL LONG trailing-stop: 0.146 in 7'],
    orders: ['OPEN 0.146 filled 0.146', 'CLOSE 0.146 filled 0.146'],
    held: [],
  });
});
