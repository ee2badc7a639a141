/** Spot trading over HTTP: mixed batches, limits of the symbol rules, matching, exact balances, withdrawals. */
import { afterEach, describe, expect, it } from 'vitest';
import type { InstrumentSpec } from '../../../src/domain/instrument.ts';
import { BOB, type CallOptions } from '../../support/exchange/exchange-client.ts';
import { SPECS, START, startExchange, type KitOptions, type TestExchange } from '../../support/exchange/exchange-kit.ts';

let x: TestExchange;
afterEach(() => x.close());

type Params = Readonly<Record<string, unknown>>;
const ETH: InstrumentSpec = {
  symbol: 'ETHUSDT',
  product: 'spot',
  baseCoin: 'ETH',
  quoteCoin: 'USDT',
  tickSize: '0.01',
  lotSize: '0.001',
  minSize: '0.01',
  maxSize: '100',
  makerFeeRate: '0.0005',
  takerFeeRate: '0.002',
};
const start = async (options: KitOptions = {}): Promise<void> => void (x = await startExchange({ specs: [...SPECS, ETH], ...options }));

interface Batch {
  readonly successList: { orderId: string }[];
  readonly failureList: { orderId?: string; errorMsg: string; errorCode: string }[];
}
async function batch(name: 'placeSpotOrders' | 'cancelSpotOrders', params: Params, options: CallOptions = {}): Promise<Batch> {
  const { body } = await x.call(name, params, options);
  expect([body.code, body.msg]).toEqual(['00000', 'success']);
  return body.data;
}
const place = (orderList: readonly Params[], extra: Params = { symbol: 'BTCUSDT' }): Promise<Batch> =>
  batch('placeSpotOrders', { ...extra, orderList });
const limit = (side: string, price: string, size: string, extra: Params = {}): Params => ({
  side,
  orderType: 'limit',
  price,
  size,
  ...extra,
});
const market = (side: string, size: string): Params => ({ side, orderType: 'market', size });
/** [free, locked] of a coin in 10^-8. */
const held = (coin: string, account = 0): [number, number] => {
  const found = x.sim.balances(account).find((one) => one.coin === coin);
  return [found?.free ?? 0, found?.locked ?? 0];
};
const e8 = (amount: number): number => Math.round(amount * 1e8);

describe('batches', () => {
  it('of several symbols are executed entry by entry, each with the coins that earlier ones left', async () => {
    await start();
    const reply = await place(
      [
        limit('buy', '50000.00', '0.5', { symbol: 'BTCUSDT' }),
        limit('buy', '2000.00', '10', { symbol: 'ETHUSDT' }),
        limit('buy', '2000.00', '3', { symbol: 'ETHUSDT' }),
        limit('buy', '2000.00', '2', { symbol: 'ETHUSDT' }),
        limit('buy', '2000.00', '1', { symbol: 'NEWUSDT' }),
        limit('sell', '70000.00', '0.4', { symbol: 'BTCUSDT' }),
        limit('sell', '70000.00', '0.7', { symbol: 'BTCUSDT' }),
      ],
      { batchMode: 'multiple' },
    );
    // 50,000 − 25,025 − 20,040 leaves 4,935: 3 at 2,000 cost 6,012, 2 cost 4,008. NEWUSDT is a futures symbol alone.
    expect(reply.successList.map((one) => one.orderId)).toEqual(['1', '2', '3', '4']);
    expect(reply.failureList).toEqual([
      { errorMsg: 'Insufficient balance', errorCode: '40019' },
      { errorMsg: 'Invalid symbol format', errorCode: '43000' },
      { errorMsg: 'Insufficient balance', errorCode: '40019' },
    ]);
    expect(held('USDT')).toEqual([e8(50_000 - 25_025 - 20_040 - 4_008), e8(25_025 + 20_040 + 4_008)]);
    expect(held('BTC')).toEqual([e8(0.6), e8(0.4)]);
    x.sim.audit();
  });

  it('of one symbol use the symbol of the request, not of an entry', async () => {
    await start();
    const reply = await place([limit('buy', '50000.00', '0.001', { symbol: 'ETHUSDT' })], { symbol: 'BTCUSDT', batchMode: 'single' });
    expect(x.sim.order(Number(reply.successList[0]!.orderId))?.instrument).toBe(3);
    expect((await x.call('placeSpotOrders', { symbol: 'NEWUSDT', orderList: [market('buy', '1')] })).body).toMatchObject({
      code: '43000',
      msg: 'Invalid symbol format',
    });
  });

  it('are refused completely if one entry lacks a required field', async () => {
    await start();
    const good = limit('buy', '50000.00', '0.001');
    for (const field of ['side', 'orderType', 'size', 'price']) {
      const { body } = await x.call('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [good, { ...good, [field]: undefined }] });
      const msg = field === 'price' ? 'Parameter cannot be empty' : 'Missing required parameters (side, orderType, size)';
      expect(body).toEqual({ code: '40001', msg, requestTime: START, data: null });
    }
    expect(x.sim.pending(0, -1)).toEqual([]);
  });

  it('cancel existing orders and name the others', async () => {
    await start();
    await place([limit('buy', '50000.00', '0.001'), limit('buy', '2000.00', '0.01'), limit('buy', '51000.00', '0.001')]);
    await place([limit('buy', '2000.00', '0.1')], { symbol: 'ETHUSDT' });
    await x.call('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [limit('buy', '50000.00', '0.001')] }, { as: BOB });
    const named = (...ids: string[]): Params[] => ids.map((orderId) => ({ orderId }));
    // Twice the same, another account's, another symbol's, never issued, and of another product.
    const reply = await batch('cancelSpotOrders', { symbol: 'BTCUSDT', orderList: named('1', '1', '5', '4', '99', 'fu-2', '3') });
    expect(reply.successList).toEqual(named('1', '3'));
    const failed = { errorMsg: 'Order not found', errorCode: '40001' };
    expect(reply.failureList).toEqual(named('1', '5', '4', '99', 'fu-2').map((one) => ({ ...one, ...failed })));
    const other = await batch('cancelSpotOrders', {
      batchMode: 'multiple',
      orderList: [
        { symbol: 'ETHUSDT', orderId: '4' },
        { symbol: 'ETHUSDT', orderId: '2' },
        { symbol: 'XYZUSDT', orderId: '2' },
      ],
    });
    expect([other.successList, other.failureList.length]).toEqual([named('4'), 2]);
    expect([held('USDT')[1], held('USDT', 1)[1]]).toEqual([e8(20.02), e8(50.05)]);
  });
});

describe('the rules of a symbol', () => {
  const outcome = async (order: Params): Promise<string> => {
    const { successList, failureList } = await place([order]);
    return successList.length === 1 ? 'taken' : `${failureList[0]!.errorCode} ${failureList[0]!.errorMsg}`;
  };
  const SMALL = '40015 Open Size is too small';

  it.each([
    ['the least size', limit('buy', '60000.00', '0.0001'), 'taken'],
    ['a lot less', limit('buy', '60000.00', '0.00009'), SMALL],
    ['the least value, 5 USDT', limit('buy', '50.00', '0.1'), 'taken'],
    ['a tick less', limit('buy', '49.99', '0.1'), SMALL],
    ['a market sell worth less than 5 USDT', market('sell', '0.00008'), SMALL],
    ['the largest size', limit('buy', '1.00', '20'), 'taken'],
    ['a lot more', limit('buy', '1.00', '20.00001'), '40014 Open Size is too large'],
    ['a size finer than a lot', limit('buy', '50000.00', '0.001001'), '40016 Open Size decimal precision is too high'],
    ['zeros beyond the lot', limit('buy', '50000.00', '0.0010000'), 'taken'],
    ['a price finer than a tick', limit('buy', '50000.001', '0.001'), '40018 Order price decimal precision is too high'],
    ['a price of zero', limit('buy', '0', '0.001'), '40017 Order price is required'],
    ['a size of zero', limit('buy', '50000.00', '0'), SMALL],
    ['more coins than available', limit('sell', '70000.00', '1.00001'), '40019 Insufficient balance'],
    ['all available coins', limit('sell', '70000.00', '1'), 'taken'],
    // 50,000 / (49,950.00 · 1.001) is just above 1.
    ['all available money, with the fee', limit('buy', '49950.04', '1'), 'taken'],
    ['a tick more', limit('buy', '49950.05', '1'), '40019 Insufficient balance'],
  ])('%s', async (_what, order, expected) => {
    await start();
    expect(await outcome(order)).toBe(expected);
    x.sim.audit();
  });
});

describe('a symbol that the operator takes offline', () => {
  it('is listed as offline (E3), accepts no orders, keeps existing ones, and returns unchanged', async () => {
    await start();
    await place([limit('buy', '50000.00', '0.001')]);
    const statusOf = async (): Promise<string[]> =>
      (await x.call('spotSymbols')).body.data.map((one: Params) => `${String(one['symbol'])} ${String(one['status'])}`);
    x.venueApi.operator.run('offline', { symbol: 'BTCUSDT' }, x.time);
    expect(await statusOf()).toEqual(['BTCUSDT offline', 'ETHUSDT online']);
    expect((await x.call('spotSymbols', { symbol: 'BTCUSDT' })).body.data.status).toBe('offline');
    expect((await x.call('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [market('buy', '0.001')] })).body.code).toBe('43000');
    expect(held('USDT')[1]).toBe(e8(50.05));
    x.venueApi.operator.run('online', { symbol: 'BTCUSDT' }, x.time);
    expect(await statusOf()).toEqual(['BTCUSDT online', 'ETHUSDT online']);
    expect((await batch('cancelSpotOrders', { symbol: 'BTCUSDT', orderList: [{ orderId: '1' }] })).successList).toHaveLength(1);
  });
});

describe('two spot accounts that trade with each other', () => {
  it('meet inside the spread, and exchange coins exactly to the last digit', async () => {
    x = await startExchange({ specs: [...SPECS, ETH], crossing: true });
    await place([limit('sell', '60000.00', '0.3')]);
    const { successList } = await batch(
      'placeSpotOrders',
      { symbol: 'BTCUSDT', orderList: [limit('buy', '60000.05', '0.2')] },
      { as: BOB },
    );
    expect(x.sim.order(Number(successList[0]!.orderId))).toMatchObject({ filled: 20_000 });
    // 0.2 at 60,000.00 is worth 12,000; both pay 0.001 of it.
    expect([held('BTC'), held('USDT')]).toEqual([
      [e8(0.7), e8(0.1)],
      [e8(61_988), 0],
    ]);
    expect([held('BTC', 1), held('USDT', 1)]).toEqual([
      [e8(1.2), 0],
      [e8(37_988), 0],
    ]);
    x.sim.audit();
  });
});

describe('matching', () => {
  it('fills the size shown, rests with the remainder, and is filled by trades and quotes of its market', async () => {
    await start();
    // The kit's ask is 60,000.1 × 5 on both markets; 6 would cost more than there is, so a smaller book.
    x.quote('BTCUSDT', '59999.9', '0.3', '60000.1', '0.2');
    await place([limit('buy', '60000.10', '0.5')]);
    expect(x.sim.order(1)).toMatchObject({ filled: 20_000, size: 50_000 });
    // Taker: 12,000.02 and 12.00002. Locked for 0.3: 18,000.03 and 18.00003.
    expect(held('USDT')).toEqual([e8(50_000 - 12_000.02 - 12.00002 - 18_000.03 - 18.00003), e8(18_000.03 + 18.00003)]);
    x.quote('BTCUSDT', '60000.0', '0.3', '60000.2', '1');
    x.trade('BTCUSDT', '60000', '0.1');
    expect(x.sim.order(1)?.filled).toBe(30_000);
    // As maker: 6,000.01 and 6.00001.
    expect(held('BTC')).toEqual([e8(1.3), 0]);
    const { successList } = await batch('cancelSpotOrders', { symbol: 'BTCUSDT', orderList: [{ orderId: '1' }] });
    expect(successList).toHaveLength(1);
    expect(held('USDT')).toEqual([e8(50_000 - 18_000.03 - 18.00003), 0]);
    x.sim.audit();
  });

  it('charges each symbol its own fees, as maker and as taker', async () => {
    await start({ fillModel: 'touch' });
    await place([market('buy', '1')], { symbol: 'ETHUSDT' });
    // 2,400.01 and a fee of 0.002 of it.
    expect(held('USDT')[0]).toBe(e8(50_000 - 2_400.01 - 4.80002));
    await place([limit('sell', '2410.00', '1')], { symbol: 'ETHUSDT' });
    x.trade('ETHUSDT', '2411', '5');
    // 2,410 less 0.0005 of it.
    expect(held('USDT')[0]).toBe(e8(50_000 - 2_400.01 - 4.80002 + 2_410 - 1.205));
    expect(held('ETH')).toEqual([0, 0]);
  });

  it('keeps the accounts apart, and their coins from futures', async () => {
    await start();
    await x.call('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [market('sell', '0.5')] }, { as: BOB });
    expect([held('BTC')[0], held('BTC', 1)[0]]).toEqual([e8(1), e8(0.5)]);
    const { body } = await x.call('account', { symbol: 'BTCUSDT' }, { as: BOB });
    expect(body.data).toMatchObject({ available: '10000', accountEquity: '10000' });
    expect((await x.call('positions', {}, { as: BOB })).body.data).toEqual([]);
    for (const name of ['pendingOrders', 'orderHistory'] as const) {
      expect((await x.call(name, { limit: 100 }, { as: BOB })).body.data.entrustedList).toEqual([]);
    }
  });
});

describe('withdrawals entered by the operator', () => {
  const span = { startTime: String(START), endTime: String(START + 100_000) };
  const put = (given: Params): unknown =>
    x.venueApi.operator.run('withdrawal', { account: 'alice', coin: 'BTC', amount: '1', ...given }, x.time);
  const listed = async (extra: Params = {}): Promise<string[]> =>
    (await x.call('withdrawals', { ...span, ...extra })).body.data.map(
      (one: Params) => `${String(one['orderId'])} ${String(one['status'])}`,
    );

  it('are updated by id, keep their creation time, and change no balance', async () => {
    await start();
    const before = held('BTC');
    put({ orderId: '9', status: 'pending' });
    x.time += 5_000;
    put({ orderId: '10', status: 'pending' });
    put({ orderId: '9', status: 'completed' });
    expect(await listed()).toEqual(['10 pending', '9 completed']);
    // By creation time: the first millisecond of the range, and the one before the second record.
    expect(await listed({ endTime: String(START + 4_999) })).toEqual(['9 completed']);
    expect(await listed({ startTime: String(START + 1) })).toEqual(['10 pending']);
    expect(held('BTC')).toEqual(before);
  });

  it('get ids beyond the greatest, are paged by value, and stay through a restart', async () => {
    await start({ venueApi: { switches: { pageLimit: 2 } } });
    put({ orderId: '999' });
    put({ orderId: '10000000' });
    put({ coin: 'USDT' });
    put({ orderId: '99' });
    expect(await listed()).toEqual(['10000001 completed', '10000000 completed']);
    expect(await listed({ idLessThan: '10000000' })).toEqual(['999 completed', '99 completed']);
    expect(await listed({ idLessThan: '100', limit: '5' })).toEqual(['99 completed']);
    expect(await listed({ coin: 'USDT' })).toEqual(['10000001 completed']);
    expect(await listed({ limit: '1' })).toEqual(['10000001 completed']);
    expect((await x.call('withdrawals', span, { as: BOB })).body.data).toEqual([]);
    const saved: unknown = JSON.parse(JSON.stringify(x.venueApi.snapshot()));
    await x.close();
    await start();
    expect(await listed()).toEqual([]);
    x.venueApi.restore(saved);
    expect(await listed()).toEqual(['10000001 completed', '10000000 completed', '999 completed', '99 completed']);
  });

  it('are refused if invalid', async () => {
    await start();
    for (const given of [{ amount: '0' }, { amount: '-1' }, { fee: '-1' }, { orderId: 'x' }, { status: 'lost' }, { account: 'carol' }]) {
      expect(put(given)).toHaveProperty('refused');
    }
    expect(await listed()).toEqual([]);
  });
});
