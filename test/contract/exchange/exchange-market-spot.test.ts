/** Answers of the market, spot and reference endpoints over HTTP, and the effect of the switches. */
import { afterEach, describe, expect, it } from 'vitest';
import type { EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import { BOB, type CallOptions } from '../../support/exchange/exchange-client.ts';
import { limitOrder, START, startExchange, type KitOptions, type Params, type TestExchange } from '../../support/exchange/exchange-kit.ts';

let x: TestExchange;
async function start(options: KitOptions = {}): Promise<void> {
  x = await startExchange(options);
}
afterEach(() => x.close());

const data = (name: EndpointName, params?: Params, options?: CallOptions): Promise<any> => x.data(name, params, options);

describe('market data (E3, E4, E6 to E8)', () => {
  it('returns one record with a symbol and all without', async () => {
    await start();
    const one = await data('bookTickers', { symbol: 'BTCUSDT' });
    expect(one).toEqual({ symbol: 'BTCUSDT', bidPrice: '59999.9', bidQty: '5.000', askPrice: '60000.1', askQty: '5.000', ts: START });
    const all = await data('bookTickers');
    expect(all.map((record: any) => record.symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(all[0]).toEqual(one);
    expect(await data('bookTickers', { symbol: '' })).toEqual(all);
    expect((await data('tickers')).map((record: any) => record.symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  });

  it('computes the rolling 24 hours', async () => {
    await start();
    x.time += 60_000;
    x.trade('BTCUSDT', '60600', '1.5');
    expect(await data('tickers', { symbol: 'BTCUSDT' })).toMatchObject({
      symbol: 'BTCUSDT',
      priceChange: '600.0',
      priceChangePercent: '1.000',
      lastPrice: '60600.0',
      lastQty: '1.500',
      openPrice: '60000.0',
      highPrice: '60600.0',
      lowPrice: '60000.0',
      volume: '2.000',
      count: 2,
      closeTime: x.time,
    });
  });

  it('pages trades by id or by time, newest first', async () => {
    await start();
    for (let k = 0; k < 5; k++) {
      x.time += 1_000;
      x.trade('BTCUSDT', `${60_001 + k}`, '0.1');
    }
    const trades = await data('trades', { symbol: 'BTCUSDT' });
    expect(trades).toHaveLength(6);
    expect(trades[0]).toMatchObject({ symbol: 'BTCUSDT', price: '60005.0', size: '0.100', side: 'BUY', ts: x.time });
    const ids = trades.map((trade: any) => trade.tradeId);
    const page = await data('trades', { symbol: 'BTCUSDT', limit: 2, idLessThan: ids[1] });
    expect(page.map((trade: any) => trade.tradeId)).toEqual([ids[2], ids[3]]);
    const timed = await data('trades', { symbol: 'BTCUSDT', startTime: START + 2_000, endTime: START + 3_000 });
    expect(timed.map((trade: any) => trade.price)).toEqual(['60003.0', '60002.0']);
    expect(await data('trades', { symbol: 'BTCUSDT', limit: 5_000 })).toHaveLength(6);
  });

  it('serves spot rules and coins from the instruments, or as configured', async () => {
    await start();
    expect(await data('spotSymbols', { symbol: 'BTCUSDT' })).toEqual({
      symbol: 'BTCUSDT',
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      minTradeAmount: '0.00010',
      maxTradeAmount: '20.00000',
      takerFeeRate: '0.001',
      makerFeeRate: '0.001',
      pricePrecision: '2',
      quantityPrecision: '5',
      quotePrecision: '8',
      status: 'online',
      minTradeUSDT: '5',
    });
    expect(await data('spotSymbols')).toHaveLength(1);
    const coins = await data('coins');
    expect(coins.map((coin: any) => coin.coin)).toEqual(['BTC', 'USDT', 'ETH', 'NEW']);
    expect(await data('coins', { coin: 'ETH' })).toEqual(coins[2]);
  });

  it('takes reference data of symbols and coins from exchange.reference, and generates the rest', async () => {
    await start();
    const [btc] = await data('coins');
    const [symbol] = await data('spotSymbols');
    await x.close();
    await start({
      venueApi: {
        symbols: [
          { symbol: 'BTCUSDT', status: 'offline' },
          { symbol: 'OLDUSDT', baseCoin: 'OLD' },
        ],
        coins: [
          { coin: 'BTC', transfer: 'false', chains: [{ chain: 'BTC', withdrawFee: '0.0005' as never }, { chain: 'LIGHTNING' }] },
          { coin: 'XYZ', coinId: '77' },
        ],
      },
    });
    const [chain] = btc.chains;
    const chains = [
      { ...chain, chain: 'BTC', withdrawFee: '0.0005' },
      { ...chain, chain: 'LIGHTNING' },
    ];
    expect(await data('coins', { coin: 'BTC' })).toEqual({ ...btc, transfer: 'false', chains });
    expect(await data('coins', { coin: 'XYZ' })).toMatchObject({ coinId: '77', transfer: 'true', chains: [{ chain: 'XYZ-PAPER' }] });
    expect(await data('coins')).toHaveLength(5);
    expect(await data('spotSymbols', { symbol: 'BTCUSDT' })).toEqual({ ...symbol, status: 'offline' });
    expect(await data('spotSymbols', { symbol: 'OLDUSDT' })).toMatchObject({ baseCoin: 'OLD', maxTradeAmount: '0', status: 'offline' });
    const buy = { side: 'buy', orderType: 'limit', price: '50000.00', size: '0.001' };
    const { failureList } = await data('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [buy] });
    expect(failureList).toEqual([{ errorMsg: 'Symbol not trading', errorCode: '40001' }]);
  });
});

describe('spot (E1, E2, E5)', () => {
  const buy = { side: 'buy', orderType: 'limit', price: '50000.00', size: '0.001' };

  it('places a batch of one symbol with mixed results, and cancels it', async () => {
    await start();
    const mixed = await data('placeSpotOrders', {
      symbol: 'BTCUSDT',
      orderList: [buy, { ...buy, size: '0.000001' }, { ...buy, price: '50000.001' }, { ...buy, size: '10' }, { ...buy, size: '0.00001' }],
    });
    expect(mixed.successList).toEqual([{ orderId: '1' }]);
    expect(mixed.failureList).toEqual([
      { errorMsg: 'Open Size decimal precision is too high', errorCode: '40016' },
      { errorMsg: 'Order price decimal precision is too high', errorCode: '40018' },
      { errorMsg: 'Insufficient balance', errorCode: '40019' },
      { errorMsg: 'Open Size is too small', errorCode: '40015' },
    ]);
    expect(
      await data('cancelSpotOrders', { symbol: 'BTCUSDT', orderList: [{ orderId: '1' }, { orderId: '2' }, { orderId: 'fu-1' }] }),
    ).toEqual({
      successList: [{ orderId: '1' }],
      failureList: [
        { orderId: '2', errorMsg: 'Order not found', errorCode: '40001' },
        { orderId: 'fu-1', errorMsg: 'Order not found', errorCode: '40001' },
      ],
    });
    expect((await data('cancelSpotOrders', { symbol: 'BTCUSDT', orderList: [{ orderId: '1' }] })).failureList).toHaveLength(1);
  });

  it('places a batch of several symbols', async () => {
    await start();
    const reply = await data('placeSpotOrders', {
      batchMode: 'multiple',
      orderList: [
        { ...buy, symbol: 'BTCUSDT' },
        { ...buy, symbol: 'XYZUSDT' },
      ],
    });
    expect(reply).toEqual({ successList: [{ orderId: '1' }], failureList: [{ errorMsg: 'Invalid symbol format', errorCode: '43000' }] });
    const { successList } = await data('cancelSpotOrders', { batchMode: 'multiple', orderList: [{ symbol: 'BTCUSDT', orderId: '1' }] });
    expect(successList).toEqual([{ orderId: '1' }]);
  });

  it('fills a market order from the book and moves coins', async () => {
    await start();
    await data('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [{ side: 'sell', orderType: 'market', size: '0.5' }] });
    const held = (coin: string): number => x.sim.balances(0).find((one) => one.coin === coin)?.free ?? -1;
    expect(held('BTC')).toBe(0.5e8);
    // 0.5 · 59999.9 = 29999.95, less 0.1 % of it
    expect(held('USDT')).toBe(Math.round((50_000 + 29_999.95 - 29.99995) * 1e8));
  });

  it('lists entered withdrawals by account, time, coin, id and page', async () => {
    const record = (orderId: string, coin: string, cTime: number) => ({
      orderId,
      tradeId: `t${orderId}`,
      coin,
      type: 'withdraw',
      dest: 'on_chain',
      size: '1.5' as never,
      fee: '0.001' as never,
      status: 'completed',
      fromAddress: 'from',
      toAddress: 'to',
      chain: coin,
      tag: '',
      cTime: String(cTime),
      uTime: String(cTime + 5),
    });
    const records = [record('10', 'BTC', START), record('9', 'USDT', START - 10), record('8', 'BTC', START - 20)];
    await start({ venueApi: { withdrawals: [[records[1]!, records[2]!, records[0]!]] } });
    const span = { startTime: String(START - 100), endTime: String(START) };
    expect(await data('withdrawals', span)).toEqual(records);
    expect(await data('withdrawals', span, { as: BOB })).toEqual([]);
    const ids = async (extra: Params): Promise<string[]> =>
      (await data('withdrawals', { ...span, ...extra })).map((one: any) => one.orderId);
    expect(await ids({ coin: 'BTC' })).toEqual(['10', '8']);
    expect(await ids({ orderId: '9' })).toEqual(['9']);
    expect(await ids({ limit: 2 })).toEqual(['10', '9']);
    expect(await ids({ idLessThan: '10' })).toEqual(['9', '8']);
    expect(await ids({ endTime: String(START - 1) })).toEqual(['9', '8']);
    expect(await ids({ startTime: String(START - 10) })).toEqual(['10', '9']);
    expect((await x.call('withdrawals', { startTime: span.endTime, endTime: span.startTime })).body.msg).toBe('Invalid time format');
  });
});

describe('the switches', () => {
  it('answers errors with 200 when told so', async () => {
    await start({ venueApi: { switches: { errorStatus: 200 } } });
    const reply = await x.call('placeOrder', limitOrder({ symbol: 'XYZUSDT' }));
    expect([reply.status, reply.body.code]).toEqual([200, '40001']);
    expect((await x.call('positions', {}, { as: null })).status).toBe(200);
  });

  it('stamps replies with a clock of its own', async () => {
    await start({ venueApi: { requestClock: { now: () => 42 } } });
    expect((await x.call('coins')).body.requestTime).toBe(42);
  });

  it.each<[string, Params]>([
    ['a number for a size', limitOrder({ size: 1 })],
    ['an exponent', limitOrder({ size: '1e-2' })],
    ['a plus sign', limitOrder({ size: '+1' })],
    ['a negative price', limitOrder({ price: '-1' })],
    ['a size out of range', limitOrder({ size: '9'.repeat(400) })],
    ['a price out of range', limitOrder({ price: '9'.repeat(400) })],
    ['another side', limitOrder({ side: 'BUY' })],
    ['another force', limitOrder({ force: 'IOC' })],
    ['an object for an id', limitOrder({ clientOid: {} })],
    ['an id that is too long', limitOrder({ clientOid: 'x'.repeat(65) })],
    ['a property name of Object', limitOrder({ symbol: 'constructor' })],
  ])('refuses %s and creates no order', async (_name, params) => {
    await start();
    const reply = await x.call('placeOrder', params);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: expect.stringMatching(/^400/), data: null });
    expect(x.sim.pending(0, -1)).toEqual([]);
  });

  it.each(['[]', 'null', '1', '"text"', '[{}]'])('refuses the body %s', async (raw) => {
    await start();
    for (const name of ['placeOrder', 'placeSpotOrders', 'cancelOrders', 'setMargin'] as const) {
      expect((await x.call(name, {}, { raw })).body).toMatchObject({ code: '40001', msg: 'Request must be an object' });
    }
  });
});
