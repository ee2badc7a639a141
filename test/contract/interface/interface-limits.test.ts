/** The limits of the interface at their edges, over HTTP: the last accepted value and the first refused one. */
import { afterEach, describe, expect, it } from 'vitest';
import { START, startExchange, type TestExchange } from '../../support/exchange/exchange-kit.ts';

let x: TestExchange;
afterEach(() => x.close());

type Params = Readonly<Record<string, unknown>>;
async function said(name: Parameters<TestExchange['call']>[0], params: Params): Promise<string> {
  const { body } = await x.call(name, params);
  return body.code === '00000' ? body.code : `${body.code} ${body.msg}`;
}

describe('orders per request to place (E1) and cancel (E2) spot orders', () => {
  const order = { side: 'buy', orderType: 'limit', price: '50000.00', size: '0.0001' };

  it.each(['single', 'multiple'])('are at most 50 (%s)', async (batchMode) => {
    x = await startExchange();
    const entry = batchMode === 'single' ? order : { ...order, symbol: 'BTCUSDT' };
    const of = (count: number): Params => ({ symbol: 'BTCUSDT', batchMode, orderList: Array.from({ length: count }, () => entry) });
    const placed = (await x.call('placeSpotOrders', of(50))).body.data;
    expect([placed.successList.length, placed.failureList]).toEqual([50, []]);
    expect(await said('placeSpotOrders', of(51))).toBe('40001 Maximum 50 orders allowed');
    expect(x.sim.pending(0, -1)).toHaveLength(50);

    const cancels = placed.successList.map(({ orderId }: { orderId: string }) => ({ orderId, symbol: 'BTCUSDT' }));
    const many = { symbol: 'BTCUSDT', batchMode, orderList: [...cancels, cancels[0]] };
    expect(await said('cancelSpotOrders', many)).toBe('40001 Maximum 50 orders allowed');
    expect(x.sim.pending(0, -1)).toHaveLength(50);
    const cancelled = (await x.call('cancelSpotOrders', { ...many, orderList: cancels })).body.data;
    expect([cancelled.successList.length, cancelled.failureList]).toEqual([50, []]);
  });
});

describe('market trades (E8)', () => {
  async function withTrades(): Promise<void> {
    x = await startExchange();
    for (let k = 0; k < 1_100; k++) {
      x.time += 3_600;
      x.trade('ETHUSDT', '2400', '1');
    }
  }
  const count = async (extra: Params): Promise<number> => (await x.call('trades', { symbol: 'ETHUSDT', ...extra })).body.data.length;

  it('are 500 by default, and at most 1,000', async () => {
    await withTrades();
    expect([await count({}), await count({ limit: 1_000 }), await count({ limit: 1_001 }), await count({ limit: 9 })]).toEqual([
      500, 1_000, 1_000, 9,
    ]);
  });

  it('lie in a window of less than an hour', async () => {
    await withTrades();
    const window = (ms: number): Params => ({ symbol: 'ETHUSDT', startTime: START, endTime: START + ms, limit: 1_000 });
    const tooLong = '40034 startTime and endTime must be less than 1 hour';
    expect(await said('trades', window(3_600_000))).toBe(tooLong);
    expect(await said('trades', window(3_599_999))).toBe('00000');
    // One trade of the kit at the start, then one every 3.6 s: 999 whole steps.
    expect((await x.call('trades', window(3_599_999))).body.data).toHaveLength(1_000);
    expect(await said('trades', { symbol: 'ETHUSDT', startTime: START })).toBe('00000');
    expect(await said('trades', { symbol: 'ETHUSDT', endTime: START })).toBe('00000');
  });

  it('are not requested by id and time together', async () => {
    x = await startExchange();
    const both = '40034 idLessThan and startTime/endTime cannot be sent together';
    expect(await said('trades', { symbol: 'ETHUSDT', idLessThan: 9, startTime: START })).toBe(both);
    expect(await said('trades', { symbol: 'ETHUSDT', idLessThan: 9, endTime: START })).toBe(both);
    expect(await said('trades', { symbol: 'ETHUSDT', idLessThan: 9 })).toBe('00000');
  });
});

describe('a change of the margin mode (E10)', () => {
  it.each([
    ['CROSS', 'ISOLATED'],
    ['ISOLATED', 'CROSS'],
  ])('from %s is refused while the symbol has a position, and accepted before and after', async (from, to) => {
    x = await startExchange();
    const change = (marginMode: string): Promise<string> => said('setMarginMode', { symbol: 'BTCUSDT', marginMode });
    const order = { symbol: 'BTCUSDT', marginMode: from, size: '0.010', side: 'LONG', orderType: 'MARKET' };
    expect([await change(to), await change(from)]).toEqual(['00000', '00000']);
    expect(await said('placeOrder', { ...order, tradeSide: 'OPEN' })).toBe('00000');
    expect(await change(to)).toBe('40001 A different margin mode is not available than the position currently opened');
    expect((await x.call('symbolPositions', { symbol: 'BTCUSDT' })).body.data[0].marginMode).toBe(from.toLowerCase());
    // Another symbol is not affected.
    expect(await said('setMarginMode', { symbol: 'ETHUSDT', marginMode: to })).toBe('00000');
    expect(await said('placeOrder', { ...order, tradeSide: 'CLOSE' })).toBe('00000');
    expect(await change(to)).toBe('00000');
  });
});
