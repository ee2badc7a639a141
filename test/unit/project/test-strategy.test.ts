/** `testStrategy`: what a strategy does on rows, on a seed, and when the venue answers otherwise. */
import { describe, expect, test } from 'vitest';
import { defineStrategy, param } from '../../../src/index.ts';
import { testStrategy, type MarketRow } from '../../../src/testing.ts';
import emaCross from '../../../strategies/ema-cross.ts';

const ROWS: readonly MarketRow[] = [
  { at: 0, bid: 60_000, ask: 60_000.1 },
  { at: '1s', bid: 60_010, ask: 60_010.1 },
  { at: '2s', trade: 60_010, size: 2, side: 'SELL' },
  { at: '3s', bid: 60_005, ask: 60_005.1 },
];

/** Opens once at the first quote, and closes with a limit order 5 above. */
const simple = defineStrategy({
  name: 'simple',
  params: { size: param.size('0.01'), market: param.boolean(true) },
  create({ size, market: isMarket }) {
    let isDone = false;
    return {
      onQuote(market, ctx) {
        if (isDone) return;
        isDone = true;
        ctx.open(market, 'LONG', { size, reason: 'first', ...(isMarket ? {} : { limit: market.bid - 50 }) });
      },
      onPosition({ market, change }, ctx) {
        ctx.log('position', { change });
        if (change > 0) ctx.close(market, 'LONG', { limit: 60_008, reason: 'target' });
      },
      onOrder({ order, state, reason }, ctx) {
        ctx.log('order', { number: order.number, state, reason });
      },
    };
  },
});

describe('rows', () => {
  test('orders, fills, positions and logs, with times of the rows', async () => {
    const ran = await testStrategy(simple, { rows: ROWS });
    expect(ran.orders).toMatchObject([
      { number: 1, at: 0, kind: 'place', effect: 'OPEN', type: 'MARKET', size: '0.010', state: 'filled', filled: '0.010', reason: 'first' },
      { number: 2, effect: 'CLOSE', type: 'LIMIT', price: '60008.00', state: 'filled', reason: 'target' },
    ]);
    expect(ran.fills).toMatchObject([
      { side: 'BUY', price: '60000.10', liquidity: 'taker' },
      { side: 'SELL', at: 1000 },
    ]);
    expect(ran.positions).toEqual([]);
    expect(ran.resting).toBe(0);
    expect(ran.logs.filter(({ says }) => says === 'position').map(({ fields }) => fields['change'])).toEqual([0.01, -0.01]);
    expect(ran.report.orders.placed).toBe(2);
  });

  test('what is held and rests at the end', async () => {
    // What leaves at the last row still arrives; the bot has stopped by then.
    const held = await testStrategy(simple, { rows: ROWS.slice(0, 1) });
    expect(held.positions).toEqual([{ symbol: 'BTCUSDT', side: 'LONG', size: '0.010' }]);
    expect(held.orders.length).toBe(1);
    const open = await testStrategy(simple, { rows: ROWS.slice(0, 1), rest: '500ms' });
    expect(open.positions).toEqual([{ symbol: 'BTCUSDT', side: 'LONG', size: '0.010' }]);
    expect(open.resting).toBe(1);
    expect(open.orders.map(({ state }) => state)).toEqual(['filled', 'working']);
  });

  test('bars: the handler gets each bar', async () => {
    const closes: number[] = [];
    const watcher = defineStrategy({
      name: 'watcher',
      create: () => ({ barMs: 60_000, onBar: (bar) => void closes.push(bar.close) }),
    });
    const bar = (k: number): MarketRow => ({ at: `${k}m`, open: 100 + k, high: 103 + k, low: 99 + k, close: 101 + k });
    await testStrategy(watcher, { rows: [0, 1, 2, 3].map(bar), symbols: ['BTCUSDT'] });
    expect(closes).toEqual([101, 102, 103, 104]);
  });

  test('rows that make no sense are named', async () => {
    const run = (rows: readonly MarketRow[]): Promise<unknown> => testStrategy(simple, { rows });
    await expect(run([])).rejects.toThrow('rows: at least one row was expected');
    await expect(run([ROWS[1]!, ROWS[0]!])).rejects.toThrow('rows[1]: a time of at least 1000 ms was expected, found 0 ms');
    await expect(run([{ at: 'soon', bid: 1, ask: 2 }])).rejects.toThrow('rows[0].at: milliseconds or a duration');
    await expect(run([{ at: 0, bid: 'x', ask: 2 }])).rejects.toThrow('BTCUSDT: a price or size was expected, found "x"');
    await expect(testStrategy(simple, {})).rejects.toThrow('either rows or seed was expected, found neither');
  });
});

describe('what the venue answers', () => {
  const long: readonly MarketRow[] = Array.from({ length: 120 }, (_, k) => ({ at: k * 250, bid: 60_000 + (k % 3), ask: 60_001 + (k % 3) }));

  test('a refusal: no order, no position, and the strategy is told why', async () => {
    const ran = await testStrategy(simple, {
      rows: ROWS,
      venue: ({ nth }) => (nth === 1 ? { refuse: 'insufficient-balance' } : undefined),
    });
    expect(ran.orders).toMatchObject([{ state: 'rejected', why: 'insufficient-balance' }]);
    expect(ran.fills).toEqual([]);
    expect(ran.logs).toContainEqual({ at: 40, says: 'order', fields: { number: 1, state: 'rejected', reason: 'insufficient-balance' } });
  });

  test('never sent', async () => {
    const ran = await testStrategy(simple, { rows: ROWS, venue: () => 'unsent' });
    expect(ran.orders).toMatchObject([{ state: 'refused' }]);
    expect(ran.fills).toEqual([]);
  });

  test('executed without an answer: reads find it, and the strategy trades on', async () => {
    const ran = await testStrategy(simple, {
      rows: long,
      polled: true,
      venue: ({ nth }) => (nth === 1 ? 'unknown' : undefined),
    });
    expect(ran.fills[0]).toMatchObject({ side: 'BUY', reason: 'first' });
    expect(ran.logs.map(({ fields }) => fields['state'])).not.toContain('rejected');
    expect(ran.orders.map(({ effect }) => effect)).toEqual(['OPEN', 'CLOSE']);
    expect(ran.positions).toEqual([{ symbol: 'BTCUSDT', side: 'LONG', size: '0.010' }]);
  });

  test('lost on the way: it counts as not landed after the horizon', async () => {
    const rows: readonly MarketRow[] = Array.from({ length: 400 }, (_, k) => ({
      at: k * 250,
      bid: 60_000 + (k % 3),
      ask: 60_001 + (k % 3),
    }));
    const ran = await testStrategy(simple, { rows, polled: true, venue: ({ nth }) => (nth === 1 ? 'lost' : undefined) });
    expect(ran.fills).toEqual([]);
    expect(ran.orders).toMatchObject([{ state: 'refused' }]);
    expect(ran.logs.map(({ fields }) => fields['state'])).toContain('unknown');
  });

  test('a late answer', async () => {
    const ran = await testStrategy(simple, {
      rows: long,
      params: { market: false },
      venue: ({ nth }) => (nth === 1 ? { lateMs: 2_000 } : undefined),
    });
    expect(ran.orders).toMatchObject([{ state: 'working', price: '59950.00' }]);
    expect(ran.logs.find(({ fields }) => fields['state'] === 'working')?.at).toBe(2_040);
  });

  test('no answer without polls is an error that says so', async () => {
    await expect(testStrategy(simple, { rows: ROWS, venue: () => 'lost' })).rejects.toThrow('"lost" needs polled: true');
  });
});

describe('a seed', () => {
  test('the same seed gives the same run; another one another', async () => {
    const run = async (seed: number): Promise<string> => {
      const { fills, report } = await testStrategy(emaCross, { seed, duration: '2m', params: { fast: 2, slow: 5 } });
      expect(fills.length).toBeGreaterThan(5);
      return report.hash;
    };
    expect(await run(4)).toBe(await run(4));
    expect(await run(4)).not.toBe(await run(5));
  });

  test('keys of the configuration: a limit refuses', async () => {
    const ran = await testStrategy(emaCross, {
      seed: 4,
      duration: '1m',
      params: { fast: 2, slow: 5 },
      set: { 'risk.maxNotionalOrder': '10 USDT' },
    });
    expect(ran.fills).toEqual([]);
    expect(Object.keys(ran.refused)).toEqual(['max-notional-order']);
  });
});

describe('errors', () => {
  const broken = defineStrategy({
    name: 'broken',
    create: () => ({
      onQuote() {
        throw new TypeError('no such thing');
      },
    }),
  });

  test('an error of a handler fails the test, unless it is expected', async () => {
    await expect(testStrategy(broken, { rows: ROWS })).rejects.toThrow('broken: onQuote: TypeError: no such thing');
    const ran = await testStrategy(broken, { rows: ROWS, allowErrors: true });
    expect(ran.errors.length).toBe(3);
  });

  test('a wrong parameter', async () => {
    await expect(testStrategy(simple, { rows: ROWS, params: { sise: 1 } })).rejects.toThrow('unknown parameter "sise"');
  });
});
