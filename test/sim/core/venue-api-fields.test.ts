/** Every field of the account, position, order and margin records (sections 2.9 to 2.12), computed by hand, in wire form. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import { SELL, SHORT } from '../../../src/domain/codes.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { createVenueApi, type VenueApi } from '../../../src/sim/api/api.ts';
import { BTC, ETH, instrumentsOf, order, specOf } from '../../support/sim/sim-kit.ts';

const T = 1_700_000_000_000;
let sim: VenueSim;
let venueApi: VenueApi;
let now = T;

/** 1,000 USDT; BTC at 10× long and 20× short, ETH at 10×; funding of 0.01 % every minute; bid 60,000.0 and ask 60,000.1. */
beforeEach(() => {
  now = T;
  const instruments = instrumentsOf(BTC, ETH);
  const accounts = [{ name: 'a', futures: '1000', spot: {}, leverage: { BTCUSDT: { long: 10, short: 20 } } }];
  sim = new VenueSim(specOf(instruments, { accounts, funding: { model: 'constant', everyMs: 60_000, rate: '0.0001' } }), null);
  venueApi = createVenueApi(sim, { instruments, clock: { now: () => now }, accounts: new Map([['key', 0]]), checkReplies: true });
  sim.quote(0, 600_000, 500, 600_001, 500, T);
});

function ask(name: EndpointName, params: Readonly<Record<string, unknown>>): any {
  const endpoint = ENDPOINTS[name];
  const isGet = endpoint.method === 'GET';
  const given = isGet ? Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)])) : params;
  const request = {
    method: endpoint.method,
    target: '',
    body: JSON.stringify(params),
    params: given,
    header: () => undefined,
    caller: 'key',
  };
  const { envelope } = venueApi.handler(endpoint, request);
  expect([envelope.code, envelope.msg]).toEqual(['00000', 'success']);
  return envelope.data;
}

const E12 = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.05', side: 'LONG', tradeSide: 'OPEN', orderType: 'MARKET' };

/** T is 20 s past a minute: the next funding time. */
const MOMENT = T + 40_000;

describe('with a long position of 0.050 on cross margin, an opening order and a closing order', () => {
  beforeEach(() => {
    ask('placeOrder', { ...E12, clientOid: 'in' });
    ask('placeOrder', { ...E12, size: '0.01', orderType: 'LIMIT', price: '59000', clientOid: 'more' });
    ask('placeOrder', { ...E12, size: '0.02', tradeSide: 'CLOSE', orderType: 'LIMIT', price: '61000', clientOid: 'out' });
    now = MOMENT;
    sim.advance(MOMENT);
    sim.quote(0, 600_500, 500, 600_501, 500, MOMENT + 1);
  });

  test('E20', () => {
    // Entry 0.050 · 60,000.1 = 3,000.005, fee 1.800003; funding 3,000 · 0.0001 = 0.3, paid. The mark is 60,050.0: V = 3,002.5.
    // Wallet 1,000 − 1.800003 − 0.3 = 997.899997; with 2.495 unrealised 1,000.394997. Maintenance 3,002.5 · 0.005 = 15.0125.
    expect(ask('symbolPositions', { symbol: 'BTCUSDT' })).toEqual([
      {
        marginCoin: 'USDT',
        symbol: 'BTCUSDT',
        holdSide: 'long',
        openDelegateSize: '0.010',
        marginSize: '300.0005',
        available: '0.030',
        locked: '0.020',
        total: '0.050',
        leverage: '10',
        achievedProfits: '0',
        openPriceAvg: '60000.1',
        marginMode: 'cross',
        unrealizedPL: '2.495',
        // (3,000.005 − 997.899997) / (1 − 0.005) / 0.050 = 40,243.316643216…
        liquidationPrice: '40243.31664321',
        // 15.0125 / 1,000.394997 = 0.015006572419…
        marginRate: '0.01500657',
        keepMarginRate: '0.005',
        markPrice: '60050.0',
        // (3,000.005 + 1.800003 + 0.3) / (1 − 0.0006) / 0.050 = 60,078.14694816890…
        breakEvenPrice: '60078.14694816',
        totalFee: '-0.3',
        cTime: T,
        uTime: MOMENT,
      },
    ]);
  });

  test('E9', () => {
    const record = ask('account', { symbol: 'BTCUSDT' });
    expect(record).toEqual({
      marginCoin: 'USDT',
      // 0.010 · 59,000 / 10
      locked: '59',
      // 1,000.394997 − 59 − 2.495: accountEquity = available + locked + unrealizedPL.
      available: '938.899997',
      // 1,000.394997 − 59 − 300.0005
      crossMaxAvailable: '641.394497',
      // The same without the profit of 2.495.
      isolatedMaxAvailable: '638.899497',
      maxTransferOut: '638.899497',
      accountEquity: '1000.394997',
      longLever: '10',
      shortLever: '20',
      marginMode: 'cross',
      unrealizedPL: '2.495',
      coupon: '0',
    });
    // A loss counts in all three: at 59,950.05 the position has lost 2.505.
    sim.quote(0, 599_500, 500, 599_501, 500, MOMENT + 2);
    const lost = ask('account', { symbol: 'ETHUSDT' });
    expect(lost).toMatchObject({
      unrealizedPL: '-2.505',
      crossMaxAvailable: '636.394497',
      isolatedMaxAvailable: '636.394497',
      longLever: '10',
    });
    expect(lost.maxTransferOut).toBe('636.394497');
  });

  test('pending orders (E18) and order history (E17), with a partial fill', () => {
    sim.trade(0, 610_001, 5, SELL, MOMENT + 2, 1);
    const [out, more] = ask('pendingOrders', { limit: 10 }).entrustedList;
    expect(more).toMatchObject({
      clientOid: 'more',
      status: 'NEW',
      priceAvg: '0',
      fee: '0',
      totalProfits: '0',
      side: 'BUY',
      tradeSide: 'OPEN',
    });
    expect(out).toEqual({
      symbol: 'BTCUSDT',
      size: '0.020',
      orderId: out.orderId,
      clientOid: 'out',
      priceAvg: '61000',
      // 0.005 · 61,000 · 0.0002
      fee: '0.061',
      price: '61000.0',
      status: 'PARTIALLY_FILLED',
      side: 'SELL',
      force: 'GTC',
      // 305 − floor(3,000.005 · 5 / 50) = 305 − 300.0005
      totalProfits: '4.9995',
      posSide: 'LONG',
      marginCoin: 'USDT',
      presetTakeProfitPrice: '',
      presetTakeProfitExecutePrice: '',
      presetTakeProfitType: '',
      presetStopLossPrice: '',
      presetStopLossExecutePrice: '',
      presetStopLossType: '',
      orderType: 'LIMIT',
      leverage: '10',
      marginMode: 'CROSS',
      tradeSide: 'CLOSE',
      cTime: T,
      uTime: MOMENT + 2,
    });
    expect(ask('symbolPositions', { symbol: 'BTCUSDT' })[0]).toMatchObject({
      total: '0.045',
      locked: '0.015',
      available: '0.030',
      achievedProfits: '4.9995',
      marginSize: '270.00045',
      totalFee: '-0.3',
    });
    sim.trade(0, 610_001, 15, SELL, MOMENT + 3, 2);
    const [done, entry] = ask('orderHistory', { limit: 10 }).entrustedList;
    expect(done).toMatchObject({ clientOid: 'out', status: 'FILLED', fee: '0.244', totalProfits: '19.998' });
    expect(entry).toMatchObject({
      clientOid: 'in',
      status: 'FILLED',
      price: '0',
      priceAvg: '60000.1',
      fee: '1.800003',
      orderType: 'MARKET',
    });
    ask('cancelOrders', { orderIdList: [{ clientOid: 'more' }] });
    expect(ask('orderHistory', { limit: 10 }).entrustedList[1]).toMatchObject({ clientOid: 'more', status: 'CANCELED' });
  });
});

test('both position sides of a symbol at once, with one backing', () => {
  ask('placeOrder', E12);
  sim.place(0, order({ side: SHORT, size: 20 }), 1, T);
  // LONG 0.050 at 60,000.1, SHORT 0.020 at 60,000.0; fees 1.800003 + 0.72; the mark is 60,000.0, so −0.005 and 0.
  const [long, short] = ask('positions', {});
  // Backing 997.479997 − 0.005 = 997.474997; maintenance 15 + 6 = 21; 21 / 997.474997 = 0.021053159…
  expect([long.marginRate, short.marginRate]).toEqual(['0.02105315', '0.02105315']);
  expect([long.leverage, long.marginSize, short.leverage, short.marginSize]).toEqual(['10', '300.0005', '20', '60']);
  // LONG: (3,000.005 − (997.479997 − 6)) / 0.995 / 0.050; SHORT: (1,200 + (997.474997 − 15)) / 1.005 / 0.020, the other leg as it is.
  expect([long.liquidationPrice, short.liquidationPrice]).toEqual(['40372.36186934', '108580.84562189']);
  // (1,200 − 0.72) / 1.0006 / 0.020
  expect(short).toMatchObject({ holdSide: 'short', unrealizedPL: '0', breakEvenPrice: '59928.04317409' });
});

test('an isolated position: its own margin, changed by set margin (E11), is its only backing', () => {
  expect(ask('setMarginMode', { symbol: 'BTCUSDT', marginMode: 'ISOLATED' })).toEqual({
    symbol: 'BTCUSDT',
    marginCoin: 'USDT',
    longLeverage: '10',
    shortLeverage: '20',
    marginMode: 'ISOLATED',
  });
  ask('placeOrder', { ...E12, marginMode: 'ISOLATED' });
  expect(ask('setMargin', { symbol: 'BTCUSDT', holdSide: 'LONG', amount: 100.5 })).toBeNull();
  // 300.0005 + 100.5; maintenance 15 / (400.5005 − 0.005) = 0.03745360…; (3,000.005 − 400.5005) / 0.995 / 0.050.
  expect(ask('symbolPositions', { symbol: 'BTCUSDT' })[0]).toMatchObject({
    marginMode: 'isolated',
    marginSize: '400.5005',
    marginRate: '0.0374536',
    liquidationPrice: '52251.34673366',
  });
  // 1,000 − 1.800003 − 400.5005 remains for everything else.
  expect(ask('account', { symbol: 'BTCUSDT' })).toMatchObject({
    marginMode: 'isolated',
    available: '998.199997',
    crossMaxAvailable: '597.699497',
    maxTransferOut: '597.699497',
  });
  // The loss of 0.005 must remain.
  expect(ask('setMargin', { symbol: 'BTCUSDT', holdSide: 'LONG', amount: -100.495 })).toBeNull();
  expect(ask('symbolPositions', { symbol: 'BTCUSDT' })[0].marginSize).toBe('300.0055');
  now = MOMENT;
  sim.advance(MOMENT);
  // Funding of 0.3 is taken from the position's margin, not from the wallet.
  expect(ask('symbolPositions', { symbol: 'BTCUSDT' })[0]).toMatchObject({ marginSize: '299.7055', totalFee: '-0.3' });
  expect(ask('account', { symbol: 'BTCUSDT' }).crossMaxAvailable).toBe('698.194497');
});

test('a short that is small for its account shows no liquidation price if that is out of range', () => {
  sim.deposit(0, false, 'USDT', 99_000 * 1e8);
  ask('placeOrder', { ...E12, side: 'SHORT', size: '0.001' });
  // About 100,000 for a thousandth: beyond 90,071,992.54740991, the largest amount.
  expect(ask('positions', {})[0]).toMatchObject({ holdSide: 'short', liquidationPrice: '0', marginRate: '0.000003' });
  sim.deposit(0, false, 'USDT', -11_000 * 1e8);
  expect(Number(ask('positions', {})[0].liquidationPrice)).toBeGreaterThan(88_000_000);
});

test('a position reduced to little shows no break-even price if that is out of range', () => {
  sim.deposit(0, false, 'USDT', 19_000_000 * 1e8);
  ask('placeOrder', { ...E12, size: '0.001' });
  const breakEvenAfter = (rounds: number): string => {
    for (let k = 0; k < rounds; k++) {
      sim.quote(0, 600_000, 100_000 + k, 600_001, 100_000 + k, ++now);
      ask('placeOrder', { ...E12, size: '50' });
      ask('placeOrder', { ...E12, size: '50', tradeSide: 'CLOSE' });
    }
    return ask('positions', {})[0].breakEvenPrice;
  };
  // 40 fees of 1,800, then 60, have to be recovered by a thousandth.
  expect(Number(breakEvenAfter(20))).toBeGreaterThan(72_000_000);
  expect(breakEvenAfter(10)).toBe('0');
});
