/** Successful answers of the futures endpoints over HTTP. The simulator's API checks every reply against the contract. */
import { afterEach, describe, expect, it } from 'vitest';
import type { EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import { BOB, type CallOptions } from '../../support/exchange/exchange-client.ts';
import { limitOrder, START, startExchange, type KitOptions, type Params, type TestExchange } from '../../support/exchange/exchange-kit.ts';

let x: TestExchange;
async function start(options: KitOptions = {}): Promise<void> {
  x = await startExchange(options);
}
afterEach(() => x.close());

const market = (extra: Params = {}): Params => limitOrder({ orderType: 'MARKET', price: undefined, ...extra });

const data = (name: EndpointName, params?: Params, options?: CallOptions): Promise<any> => x.data(name, params, options);

describe('futures orders (E12 to E18)', () => {
  it('places, lists and cancels a limit order', async () => {
    await start();
    const bracketFields = {
      presetTakeProfitPrice: '62000.0',
      presetTakeProfitExecutePrice: '61990.0',
      presetStopLossPrice: '57000.0',
    };
    expect(await data('placeOrder', limitOrder({ clientOid: 'a-1', marginMode: 'CROSSED', ...bracketFields }))).toEqual({
      orderId: 'fu-1',
      clientOid: 'a-1',
    });
    const page = await data('pendingOrders', { limit: 100, symbol: 'BTCUSDT' });
    expect(page).toEqual({
      entrustedList: [
        {
          symbol: 'BTCUSDT',
          size: '0.010',
          orderId: 'fu-1',
          clientOid: 'a-1',
          priceAvg: '0',
          fee: '0',
          price: '59000.0',
          status: 'NEW',
          side: 'BUY',
          force: 'GTC',
          totalProfits: '0',
          posSide: 'LONG',
          marginCoin: 'USDT',
          presetTakeProfitPrice: '62000.0',
          presetTakeProfitExecutePrice: '61990.0',
          presetTakeProfitType: 'LIMIT',
          presetStopLossPrice: '57000.0',
          presetStopLossExecutePrice: '',
          presetStopLossType: 'MARKET',
          orderType: 'LIMIT',
          leverage: '10',
          marginMode: 'CROSS',
          tradeSide: 'OPEN',
          cTime: START,
          uTime: START,
        },
      ],
      endId: 'fu-1',
    });
    x.time += 1_000;
    expect(await data('cancelOrders', { orderIdList: [{ clientOid: 'a-1' }, { clientOid: 'a-2' }, { orderId: 'fu-9' }, {}] })).toEqual({
      successList: [{ orderId: 'fu-1', clientOid: 'a-1' }],
      failureList: [
        { orderId: '', clientOid: 'a-2', errorMsg: 'Order not found', errorCode: '40001' },
        { orderId: '', clientOid: '', errorMsg: 'Order not found', errorCode: '40001' },
        { orderId: '', clientOid: '', errorMsg: 'Order not found', errorCode: '40001' },
      ],
    });
    expect(await data('pendingOrders', { limit: 100 })).toEqual({ entrustedList: [], endId: '' });
    const [ended] = (await data('orderHistory', { limit: 100, clientOid: 'a-1' })).entrustedList;
    expect([ended.status, ended.cTime, ended.uTime]).toEqual(['CANCELED', START, START + 1_000]);
  });

  it('answers a cancel by orderId without a clientOid, also if the order has none', async () => {
    await start();
    await data('placeOrder', limitOrder({ clientOid: 'a-1' }));
    expect(await data('placeOrder', limitOrder())).toEqual({ orderId: 'fu-2', clientOid: '' });
    expect(await data('cancelOrders', { orderIdList: [{ orderId: 'fu-1' }, { orderId: 'fu-2' }] })).toEqual({
      successList: [
        { orderId: 'fu-1', clientOid: '' },
        { orderId: 'fu-2', clientOid: '' },
      ],
      failureList: [],
    });
  });

  it('uses orderId if an entry has both ids', async () => {
    await start();
    await data('placeOrder', limitOrder({ clientOid: 'a' }));
    await data('placeOrder', limitOrder({ clientOid: 'b' }));
    await data('cancelOrders', { orderIdList: [{ orderId: 'fu-1', clientOid: 'b' }] });
    const left = (await data('pendingOrders', { limit: 10 })).entrustedList;
    expect(left.map((record: any) => record.clientOid)).toEqual(['b']);
  });

  it('fills a market order against the book and shows it in history, position and account', async () => {
    await start();
    await data('placeOrder', market({ clientOid: 'm' }));
    const [filled] = (await data('orderHistory', { limit: 10, symbol: 'BTCUSDT', orderSource: 'MARKET' })).entrustedList;
    // 0.01 · 60000.1 = 600.001; 0.05 % of it = 0.3000005
    expect(filled).toMatchObject({ clientOid: 'm', status: 'FILLED', priceAvg: '60000.1', fee: '0.3000005', price: '0', size: '0.010' });
    const [position] = await data('symbolPositions', { symbol: 'BTCUSDT' });
    expect(position).toMatchObject({
      symbol: 'BTCUSDT',
      marginCoin: 'USDT',
      holdSide: 'long',
      marginMode: 'cross',
      total: '0.010',
      available: '0.010',
      locked: '0.000',
      openDelegateSize: '0.000',
      openPriceAvg: '60000.1',
      leverage: '10',
      marginSize: '60.0001',
      achievedProfits: '0',
      totalFee: '0',
    });
    expect(await data('positions')).toEqual([position]);
    const account = await data('account', { symbol: 'BTCUSDT' });
    const number = (text: string): number => Math.round(Number(text) * 1e8);
    expect(number(account.accountEquity)).toBe(number(account.available) + number(account.locked) + number(account.unrealizedPL));
    expect(account).toMatchObject({ marginCoin: 'USDT', longLever: '10', shortLever: '10', marginMode: 'cross', coupon: '0' });
    expect(await data('positions', {}, { as: BOB })).toEqual([]);
  });

  it('keeps LONG and SHORT of one symbol apart and locks the size of closing orders', async () => {
    await start();
    await data('placeOrder', market());
    await data('placeOrder', market({ side: 'SHORT', size: '0.020' }));
    await data('placeOrder', limitOrder({ tradeSide: 'CLOSE', price: '61000.0', size: '0.004' }));
    const legs = await data('positions');
    expect(legs.map((leg: any) => [leg.holdSide, leg.total, leg.available, leg.locked])).toEqual([
      ['long', '0.010', '0.006', '0.004'],
      ['short', '0.020', '0.020', '0.000'],
    ]);
    const [close] = (await data('pendingOrders', { limit: 1 })).entrustedList;
    expect([close.side, close.posSide, close.tradeSide]).toEqual(['SELL', 'LONG', 'CLOSE']);
  });

  it('shows a partial fill while the order is open', async () => {
    await start();
    x.quote('BTCUSDT', '59999.9', '5', '60000.1', '0.004');
    await data('placeOrder', limitOrder({ price: '60000.1' }));
    const [working] = (await data('pendingOrders', { limit: 1 })).entrustedList;
    expect([working.status, working.priceAvg]).toEqual(['PARTIALLY_FILLED', '60000.1']);
    expect((await data('positions'))[0]).toMatchObject({ total: '0.004', openDelegateSize: '0.006' });
  });

  it('replaces an order under a new id', async () => {
    await start();
    await data('placeOrder', limitOrder({ clientOid: 'old' }));
    expect(await data('modifyOrder', { symbol: 'BTCUSDT', clientOid: 'old', newClientOid: 'new', newSize: '0.020' })).toEqual({
      orderId: 'fu-2',
      clientOid: 'new',
    });
    const [now] = (await data('pendingOrders', { limit: 10 })).entrustedList;
    expect([now.orderId, now.clientOid, now.size, now.price]).toEqual(['fu-2', 'new', '0.020', '59000.0']);
    const [was] = (await data('orderHistory', { limit: 10 })).entrustedList;
    expect([was.orderId, was.clientOid, was.status]).toEqual(['fu-1', 'old', 'CANCELED']);
    const twice = { symbol: 'BTCUSDT', orderId: 'fu-2', newClientOid: 'old', newPrice: '58000.0' };
    expect((await x.call('modifyOrder', twice)).body.msg).toBe('New client order ID is required');
    expect(await data('modifyOrder', { ...twice, newClientOid: 'newer' })).toEqual({ orderId: 'fu-3', clientOid: 'newer' });
  });

  it('accepts, fires and cancels trigger orders; no list shows them before they fire', async () => {
    await start();
    const plan = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.010', side: 'LONG', triggerPriceType: 'LAST' };
    expect(await data('placePlanOrder', { ...plan, triggerPrice: '61000.0', price: '60500.0', clientOid: 'p-1' })).toEqual({
      orderId: 'fu-plan-1',
      clientOid: 'p-1',
    });
    await data('placePlanOrder', { ...plan, triggerPrice: '65000.0', clientOid: 'p-2' });
    expect((await data('pendingOrders', { limit: 100 })).entrustedList).toEqual([]);
    x.quote('BTCUSDT', '60999.9', '5', '61000.1', '5');
    x.trade('BTCUSDT', '61000.0', '0.1');
    expect((await data('pendingOrders', { limit: 100 })).entrustedList).toMatchObject([{ price: '60500.0', status: 'NEW' }]);
    expect(
      await data('cancelPlanOrders', {
        symbol: 'BTCUSDT',
        orderIdList: [{ clientOid: 'p-2' }, { orderId: 'fu-plan-1' }, { orderId: 'fu-3' }],
      }),
    ).toEqual({
      successList: [{ orderId: 'fu-plan-2', clientOid: 'p-2' }],
      failureList: [
        { orderId: 'fu-plan-1', clientOid: '' },
        { orderId: 'fu-3', clientOid: '' },
      ],
    });
    const other = await data('cancelPlanOrders', { symbol: 'ETHUSDT', orderIdList: [{ clientOid: 'p-1' }] });
    expect(other.failureList).toEqual([{ orderId: '', clientOid: 'p-1' }]);
  });

  it('pages through pending orders and history without gaps or duplicates', async () => {
    await start();
    for (let k = 1; k <= 7; k++) await data('placeOrder', limitOrder({ price: `${58_000 + k}.0`, clientOid: `c-${k}` }));
    for (const list of ['pendingOrders', 'orderHistory'] as const) {
      const seen: string[] = [];
      let idLessThan: string | undefined;
      for (let page = 0; page < 5; page++) {
        const { entrustedList, endId } = await data(list, { limit: 3, ...(idLessThan === undefined ? {} : { idLessThan }) });
        seen.push(...entrustedList.map((record: any) => record.clientOid));
        if (entrustedList.length === 0) expect(endId).toBe('');
        else idLessThan = endId;
        if (entrustedList.length < 3) break;
      }
      expect(seen).toEqual(['c-7', 'c-6', 'c-5', 'c-4', 'c-3', 'c-2', 'c-1']);
      await data('cancelOrders', { orderIdList: seen.map((clientOid) => ({ clientOid })) });
    }
    expect((await data('orderHistory', { limit: 3, idLessThan: '4' })).entrustedList.map((r: any) => r.orderId)).toEqual([
      'fu-3',
      'fu-2',
      'fu-1',
    ]);
  });

  it('filters lists by symbol, id, source and time; no match gives an empty list', async () => {
    await start();
    await data('placeOrder', limitOrder({ clientOid: 'limit' }));
    x.time += 1_000;
    await data('placeOrder', limitOrder({ clientOid: 'post', force: 'POST_ONLY' }));
    x.time += 1_000;
    await data('placeOrder', limitOrder({ clientOid: 'eth', symbol: 'ETHUSDT', price: '2000.00', size: '0.10' }));
    const pending = async (extra: Params): Promise<string[]> =>
      (await data('pendingOrders', { limit: 100, ...extra })).entrustedList.map((record: any) => record.clientOid);
    expect(await pending({ symbol: 'BTCUSDT' })).toEqual(['post', 'limit']);
    expect(await pending({ symbol: 'XYZUSDT' })).toEqual([]);
    expect(await pending({ orderId: 'fu-2' })).toEqual(['post']);
    expect(await pending({ orderId: 'junk' })).toEqual([]);
    expect(await pending({ startTime: START + 1_000 })).toEqual(['eth', 'post']);
    expect(await pending({ endTime: START + 999 })).toEqual(['limit']);
    expect(await pending({ idLessThan: 'junk' })).toEqual([]);
    await data('cancelOrders', { orderIdList: [{ clientOid: 'limit' }, { clientOid: 'post' }, { clientOid: 'eth' }] });
    const history = async (extra: Params): Promise<string[]> =>
      (await data('orderHistory', { limit: 500, ...extra })).entrustedList.map((record: any) => record.clientOid);
    expect(await history({ orderSource: 'POST_ONLY' })).toEqual(['post']);
    expect(await history({ orderSource: 'LIMIT' })).toEqual(['eth', 'limit']);
    expect(await history({ clientOid: 'eth', symbol: 'ETHUSDT' })).toEqual(['eth']);
    expect(await history({ clientOid: 'nobody' })).toEqual([]);
    expect((await x.call('orderHistory', {})).body).toMatchObject({ code: '40001', data: null });
  });

  it('finds a match deep in a long history', async () => {
    await start();
    for (let k = 1; k <= 60; k++) {
      const isRare = k === 2 || k === 3;
      const symbol = isRare ? { symbol: 'ETHUSDT', price: '2000.00', size: '0.10', force: 'POST_ONLY' } : {};
      await data('placeOrder', limitOrder({ clientOid: `c-${k}`, ...symbol }));
      await data('cancelOrders', { orderIdList: [{ clientOid: `c-${k}` }] });
    }
    const found = async (extra: Params): Promise<string[]> =>
      (await data('orderHistory', { limit: 2, ...extra })).entrustedList.map((record: any) => record.clientOid);
    expect(await found({ orderSource: 'POST_ONLY' })).toEqual(['c-3', 'c-2']);
    expect(await found({ orderSource: 'POST_ONLY', idLessThan: 'fu-3' })).toEqual(['c-2']);
    expect(await found({ symbol: 'ETHUSDT' })).toEqual(['c-3', 'c-2']);
    expect(await found({ orderSource: 'MARKET' })).toEqual([]);
    expect(await found({ idLessThan: 'fu-2' })).toEqual(['c-1']);
  });

  it('accepts a client id once for ever, or once at a time if configured', async () => {
    for (const clientOidScope of ['forever', 'open'] as const) {
      await start({ venueApi: { switches: { clientOidScope } } });
      await data('placeOrder', limitOrder({ clientOid: 'a' }));
      expect((await x.call('placeOrder', limitOrder({ clientOid: 'a' }))).body.code).toBe('40011');
      expect((await x.call('placeOrder', limitOrder({ clientOid: 'a' }), { as: BOB })).body.code).toBe('00000');
      await data('cancelOrders', { orderIdList: [{ clientOid: 'a' }] });
      expect((await x.call('placeOrder', limitOrder({ clientOid: 'a' }))).body.code).toBe(clientOidScope === 'forever' ? '40011' : '00000');
      if (clientOidScope === 'forever') await x.close();
    }
  });

  it('does not use up the client id of a refused order', async () => {
    await start();
    expect((await x.call('placeOrder', limitOrder({ clientOid: 'a', size: '10' }))).body.code).toBe('40019');
    await data('placeOrder', limitOrder({ clientOid: 'a' }));
    await data('placeOrder', limitOrder({ clientOid: 'b' }));
    expect((await data('pendingOrders', { limit: 10 })).entrustedList.map((r: any) => r.clientOid)).toEqual(['b', 'a']);
  });

  it("does not touch another account's orders", async () => {
    await start();
    await data('placeOrder', limitOrder({ clientOid: 'a' }));
    const theirs = await data('cancelOrders', { orderIdList: [{ orderId: 'fu-1' }, { clientOid: 'a' }] }, { as: BOB });
    expect(theirs.successList).toEqual([]);
    const change = { symbol: 'BTCUSDT', orderId: 'fu-1', newClientOid: 'n', newPrice: '58000.0' };
    expect((await x.call('modifyOrder', change, { as: BOB })).body.msg).toBe('Order not found');
    expect((await data('pendingOrders', { limit: 10 }, { as: BOB })).entrustedList).toEqual([]);
  });
});

describe('futures account (E9 to E11, E19, E20)', () => {
  it('changes the margin mode of a flat symbol', async () => {
    await start();
    expect(await data('setMarginMode', { symbol: 'BTCUSDT', marginMode: 'ISOLATED' })).toEqual({
      symbol: 'BTCUSDT',
      marginCoin: 'USDT',
      longLeverage: '10',
      shortLeverage: '10',
      marginMode: 'ISOLATED',
    });
    expect((await data('account', { symbol: 'BTCUSDT' })).marginMode).toBe('isolated');
    expect((await data('account', { symbol: 'ETHUSDT' })).marginMode).toBe('cross');
    expect((await data('setMarginMode', { symbol: 'BTCUSDT', marginMode: 'CROSSED' })).marginMode).toBe('CROSS');
  });

  it('adds and removes isolated margin by an exact amount', async () => {
    await start();
    await data('placeOrder', market({ marginMode: 'ISOLATED' }));
    const before = Number((await data('symbolPositions', { symbol: 'BTCUSDT' }))[0].marginSize);
    const margin = { symbol: 'BTCUSDT', holdSide: 'LONG' };
    expect(await data('setMargin', { ...margin, amount: 12.5 })).toBeNull();
    expect(Number((await data('symbolPositions', { symbol: 'BTCUSDT' }))[0].marginSize)).toBeCloseTo(before + 12.5, 8);
    expect(await data('setMargin', margin, { raw: '{"symbol":"BTCUSDT","holdSide":"LONG","amount":1e-7}' })).toBeNull();
    expect(await data('setMargin', { ...margin, amount: -2.5 })).toBeNull();
    const after = Number((await data('symbolPositions', { symbol: 'BTCUSDT' }))[0].marginSize);
    expect(after).toBeCloseTo(before + 10.0000001, 8);
    expect((await x.call('setMargin', { ...margin, amount: 0 })).body.msg).toBe('Amount is not a number');
    expect((await x.call('setMargin', { ...margin, amount: 1e-9 })).body.msg).toBe('Amount is not a number');
  });

  it('always answers one symbol’s positions (E20) with an array', async () => {
    await start();
    expect(await data('symbolPositions', { symbol: 'ETHUSDT' })).toEqual([]);
  });
});
