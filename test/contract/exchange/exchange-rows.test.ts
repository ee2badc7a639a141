/** Every row of the interface's error table, reached over HTTP with its code and message. */
import { describe, expect, it } from 'vitest';
import { ENDPOINT_LIST } from '../../../src/contract/endpoints/endpoints.ts';
import type { Reason } from '../../../src/domain/orders/outcome.ts';
import {
  limitOrder,
  SPECS,
  START,
  startExchange,
  type KitOptions,
  type Params,
  type TestExchange,
} from '../../support/exchange/exchange-kit.ts';

type Said = { readonly code: string; readonly msg: string };
type Scenario = (x: TestExchange) => Promise<Said>;

const order = (extra: Params = {}): Params => limitOrder({ size: '0.01', clientOid: 'one', ...extra });
const market = (extra: Params = {}): Params => order({ orderType: 'MARKET', price: undefined, clientOid: 'market', ...extra });
const plan = (extra: Params = {}): Params => ({
  symbol: 'BTCUSDT',
  marginMode: 'CROSS',
  size: '0.01',
  side: 'LONG',
  triggerPrice: '61000.0',
  triggerPriceType: 'LAST',
  price: '61000.0',
  clientOid: 'plan',
  ...extra,
});
const change = (extra: Params = {}): Params => ({
  symbol: 'BTCUSDT',
  clientOid: 'one',
  newClientOid: 'two',
  newPrice: '58000.0',
  ...extra,
});
const entry = { side: 'buy', orderType: 'limit', price: '50000.00', size: '0.001' };
const week = { startTime: String(START - 604_800_000), endTime: String(START) };

const said = async (reply: Promise<{ body: Said }>): Promise<Said> => (await reply).body;

/** Places a valid order first and expects success. */
async function done(reply: Promise<{ body: Said }>): Promise<void> {
  expect((await reply).body).toMatchObject({ code: '00000' });
}

const e1 = (params: Params) => (x: TestExchange) => said(x.call('placeSpotOrders', params));
const e2 = (params: Params) => (x: TestExchange) => said(x.call('cancelSpotOrders', params));
const e12 = (extra: Params) => (x: TestExchange) => said(x.call('placeOrder', order(extra)));
const e13 = (extra: Params) => (x: TestExchange) => said(x.call('placePlanOrder', plan(extra)));
const e14 =
  (extra: Params): Scenario =>
  async (x) => {
    await done(x.call('placeOrder', order()));
    return said(x.call('modifyOrder', change(extra)));
  };
/** Opens a long position of 0.01 in the given mode, then changes its margin. */
const e11 =
  (marginMode: string, extra: Params): Scenario =>
  async (x) => {
    await done(x.call('placeOrder', market({ marginMode })));
    return said(x.call('setMargin', { symbol: 'BTCUSDT', holdSide: 'LONG', amount: 10, ...extra }));
  };
const forced = (reason: Reason): KitOptions => ({ venueApi: { refuseFor: () => reason } });

const SYMBOL = 'symbol does not exist';
const MODE = 'A different margin mode is not available than the position currently opened';

const REACH: Readonly<Record<string, Scenario | readonly [KitOptions, Scenario]>> = {
  'E1 40001 Parameter cannot be empty': e1({ symbol: 'BTCUSDT', orderList: [] }),
  'E1 40001 Maximum 50 orders allowed': e1({ symbol: 'BTCUSDT', orderList: Array.from({ length: 51 }, () => entry) }),
  'E1 40001 Symbol is required in single mode': e1({ batchMode: 'single', orderList: [entry] }),
  'E1 40001 Symbol is required in orderList for multiple mode': e1({ batchMode: 'multiple', orderList: [entry] }),
  'E1 40001 Missing required parameters (side, orderType, size)': e1({ symbol: 'BTCUSDT', orderList: [{ ...entry, size: undefined }] }),
  'E1 40002 Unauthorized': (x) => said(x.call('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [entry] }, { as: null })),
  'E1 43000 Invalid symbol format': e1({ symbol: 'btc/usdt', orderList: [entry] }),
  'E2 40001 Parameter cannot be empty': e2({ symbol: 'BTCUSDT' }),
  'E2 40001 Maximum 50 orders allowed': e2({ symbol: 'BTCUSDT', orderList: Array.from({ length: 51 }, () => ({ orderId: '1' })) }),
  'E2 40001 Symbol is required in single mode': e2({ orderList: [{ orderId: '1' }] }),
  'E2 40001 Symbol is required in orderList for multiple mode': e2({ batchMode: 'multiple', orderList: [{ orderId: '1' }] }),
  'E2 40001 Missing required parameter: orderId': e2({ symbol: 'BTCUSDT', orderList: [{}] }),
  'E2 40002 Unauthorized': (x) => said(x.call('cancelSpotOrders', {}, { as: null })),
  [`E3 40034 ${SYMBOL}`]: (x) => said(x.call('spotSymbols', { symbol: 'ETHUSDT' })),
  'E3 50010 No symbols found': [{ specs: SPECS.filter((one) => one.product === 'futures') }, (x) => said(x.call('spotSymbols'))],
  'E4 40034 coin does not exist': (x) => said(x.call('coins', { coin: 'XYZ' })),
  'E4 50010 No coins found': [{ specs: [], withoutMarket: true }, (x) => said(x.call('coins'))],
  'E5 40001 Invalid time format': (x) => said(x.call('withdrawals', { ...week, startTime: '2024-08-08' })),
  'E5 40002 Unauthorized': (x) => said(x.call('withdrawals', week, { as: null })),
  'E5 43003 Coin not found': (x) => said(x.call('withdrawals', { ...week, coin: 'XYZ' })),
  'E5 50000 System error': [forced('system-error'), (x) => said(x.call('withdrawals', week))],
  [`E6 40034 ${SYMBOL}`]: (x) => said(x.call('tickers', { symbol: 'XYZUSDT' })),
  'E6 50010 Upstream response invalid': (x) => said(x.call('tickers', { symbol: 'NEWUSDT' })),
  [`E7 40034 ${SYMBOL}`]: (x) => said(x.call('bookTickers', { symbol: 'XYZUSDT' })),
  'E7 50010 Upstream response invalid': (x) => said(x.call('bookTickers', { symbol: 'NEWUSDT' })),
  [`E8 40034 ${SYMBOL}`]: (x) => said(x.call('trades', { symbol: 'XYZUSDT' })),
  'E8 40034 idLessThan and startTime/endTime cannot be sent together': (x) =>
    said(x.call('trades', { symbol: 'BTCUSDT', idLessThan: 5, startTime: START })),
  'E8 40034 startTime and endTime must be less than 1 hour': (x) =>
    said(x.call('trades', { symbol: 'BTCUSDT', startTime: START - 3_600_000, endTime: START })),
  'E8 50010 Upstream response invalid': [forced('upstream-invalid'), (x) => said(x.call('trades', { symbol: 'BTCUSDT' }))],
  [`E9 40034 ${SYMBOL}`]: (x) => said(x.call('account', { symbol: 'XYZUSDT' })),
  [`E10 40034 ${SYMBOL}`]: (x) => said(x.call('setMarginMode', { symbol: 'XYZUSDT', marginMode: 'CROSS' })),
  'E10 40001 marginMode mode is not supported': (x) => said(x.call('setMarginMode', { symbol: 'BTCUSDT', marginMode: 'BOTH' })),
  [`E10 40001 ${MODE}`]: async (x) => {
    await done(x.call('placeOrder', market()));
    return said(x.call('setMarginMode', { symbol: 'BTCUSDT', marginMode: 'ISOLATED' }));
  },
  [`E11 40034 ${SYMBOL}`]: (x) => said(x.call('setMargin', { symbol: 'XYZUSDT', holdSide: 'LONG', amount: 1 })),
  'E11 40001 Position not found': (x) => said(x.call('setMargin', { symbol: 'BTCUSDT', holdSide: 'LONG', amount: 1 })),
  'E11 40001 Cross margin is not supported': e11('CROSS', {}),
  'E11 40001 Amount is not a number': e11('ISOLATED', { amount: 'ten' }),
  'E11 40001 Insufficient balance': e11('ISOLATED', { amount: 1_000_000 }),
  'E11 40001 Insufficient position margin': e11('ISOLATED', { amount: -50 }),
  [`E12 40001 ${SYMBOL}`]: e12({ symbol: 'XYZUSDT' }),
  'E12 40010 No position to close': e12({ tradeSide: 'CLOSE' }),
  'E12 40011 Custom ID already exists': async (x) => {
    await done(x.call('placeOrder', order()));
    return said(x.call('placeOrder', order()));
  },
  'E12 40012 Already ordering': [forced('already-ordering'), e12({})],
  [`E12 40013 ${MODE}`]: async (x) => {
    await done(x.call('placeOrder', market()));
    return said(x.call('placeOrder', order({ marginMode: 'ISOLATED' })));
  },
  'E12 40014 Open Size is too large': e12({ size: '50.001' }),
  'E12 40015 Open Size is too small': e12({ symbol: 'ETHUSDT', price: '2000.00', size: '0.04' }),
  'E12 40016 Open Size decimal precision is too high': e12({ size: '0.0101' }),
  'E12 40017 Order price is required': e12({ price: undefined }),
  'E12 40018 Order price decimal precision is too high': e12({ price: '59000.05' }),
  'E12 40019 Insufficient balance': e12({ size: '10' }),
  'E12 40020 Take Profit price decimal precision is too high': e12({ presetTakeProfitPrice: '62000.05' }),
  'E12 40021 Take Profit execute price decimal precision is too high': e12({
    presetTakeProfitPrice: '62000.0',
    presetTakeProfitExecutePrice: '62000.05',
  }),
  'E12 40022 Stop Loss price decimal precision is too high': e12({ presetStopLossPrice: '58000.05' }),
  'E12 40023 Stop Loss execute price decimal precision is too high': e12({
    presetStopLossPrice: '58000.0',
    presetStopLossExecutePrice: '57999.99',
  }),
  'E12 40024 Price is not the last price': e12({ price: '60000.1', force: 'POST_ONLY' }),
  'E12 40025 Quantity is greater than the position quantity': async (x) => {
    await done(x.call('placeOrder', market()));
    return said(x.call('placeOrder', order({ tradeSide: 'CLOSE', price: '61000.0', size: '0.011' })));
  },
  [`E13 40034 ${SYMBOL}`]: e13({ symbol: 'XYZUSDT' }),
  'E13 40001 Custom ID already exists': async (x) => {
    await done(x.call('placePlanOrder', plan()));
    return said(x.call('placePlanOrder', plan()));
  },
  'E13 40001 Already ordering': [forced('already-ordering'), e13({})],
  [`E13 40001 ${MODE}`]: async (x) => {
    await done(x.call('placeOrder', market()));
    return said(x.call('placePlanOrder', plan({ marginMode: 'ISOLATED' })));
  },
  'E13 40001 Open Size is too large': e13({ size: '50.001' }),
  'E13 40001 Open Size is too small': e13({ size: '0' }),
  'E13 40001 Open Size decimal precision is too high': e13({ size: '0.0101' }),
  'E13 40001 Order price is required': e13({ orderType: 'LIMIT', price: undefined }),
  'E13 40001 Order price decimal precision is too high': e13({ price: '61000.05' }),
  'E13 40001 Trigger price is required': e13({ triggerPrice: undefined }),
  'E13 40001 Trigger price decimal precision is too high': e13({ triggerPrice: '61000.05' }),
  'E13 40001 Insufficient balance': e13({ size: '10' }),
  'E13 40020 Take Profit price decimal precision is too high': e13({ presetTakeProfitPrice: '62000.05' }),
  'E13 40021 Take Profit execute price decimal precision is too high': e13({ presetTakeProfitExecutePrice: '62000.05' }),
  'E13 40022 Stop Loss price decimal precision is too high': e13({ presetStopLossPrice: '58000.05' }),
  'E13 40023 Stop Loss execute price decimal precision is too high': e13({ presetStopLossExecutePrice: '58000.05' }),
  [`E14 40001 ${SYMBOL}`]: e14({ symbol: 'XYZUSDT' }),
  'E14 40001 Order ID or client order ID is required': e14({ clientOid: undefined }),
  'E14 40001 New client order ID is required': e14({ newClientOid: undefined }),
  'E14 40001 New size, price, preset take profit price, or preset stop loss price is required': e14({ newPrice: undefined }),
  'E14 40001 Order not found': e14({ clientOid: 'another' }),
  'E14 40001 Invalid new Order price': e14({ newPrice: '0' }),
  'E14 40001 New Size is too large': e14({ newSize: '50.001' }),
  'E14 40001 New Size is too small': e14({ newSize: '0' }),
  'E14 40001 New Size decimal precision is too high': e14({ newSize: '0.0101' }),
  'E14 40001 New Take Profit price decimal precision is too high': e14({ newPresetTakeProfitPrice: '62000.05' }),
  'E14 40001 New Stop Loss price decimal precision is too high': e14({ newPresetStopLossPrice: '58000.05' }),
  'E14 40001 Insufficient balance': e14({ newSize: '10' }),
  'E14 40018 Order price decimal precision is too high': e14({ newPrice: '58000.05' }),
  'E15 40001 Order not found': async (x) => {
    const { body } = await x.call('cancelOrders', { orderIdList: [{ clientOid: 'nobody' }] });
    expect(body).toMatchObject({ code: '00000', data: { successList: [] } });
    const [failed] = body.data.failureList;
    expect(Object.keys(failed)).toEqual(['orderId', 'clientOid', 'errorMsg', 'errorCode']);
    return { code: failed.errorCode, msg: failed.errorMsg };
  },
  'E16 40001 Order not found': async (x) => {
    const { body } = await x.call('cancelPlanOrders', { symbol: 'BTCUSDT', orderIdList: [{ orderId: 'fu-plan-9', clientOid: 'nobody' }] });
    // Section 2.2 shows this failure without error fields. Being in failureList means "not found".
    expect(body.data).toEqual({ successList: [], failureList: [{ orderId: 'fu-plan-9', clientOid: 'nobody' }] });
    return { code: '40001', msg: 'Order not found' };
  },
  [`E20 40034 ${SYMBOL}`]: (x) => said(x.call('symbolPositions', { symbol: 'XYZUSDT' })),
  'E20 50010 Upstream response invalid': [forced('upstream-invalid'), (x) => said(x.call('symbolPositions', { symbol: 'BTCUSDT' }))],
};

const ROWS = ENDPOINT_LIST.flatMap((endpoint) => endpoint.errors.map((row) => `${endpoint.id} ${row.code} ${row.msg}`));

describe('the error table', () => {
  it('has 84 lines, three of them for several endpoints: 89 rows', () => {
    expect(ROWS).toHaveLength(89);
  });

  it('has no unreached rows', () => {
    expect(ROWS.filter((row) => REACH[row] === undefined)).toEqual([]);
    expect(Object.keys(REACH).filter((row) => !ROWS.includes(row))).toEqual([]);
  });

  it.each(Object.entries(REACH))('%s', async (row, reach) => {
    const [options, scenario] = typeof reach === 'function' ? [{}, reach] : reach;
    const exchange = await startExchange(options);
    try {
      const { code, msg } = await scenario(exchange);
      expect(row.endsWith(` ${code} ${msg}`), `was ${row}, got ${code} ${msg}`).toBe(true);
    } finally {
      await exchange.close();
    }
  });
});
