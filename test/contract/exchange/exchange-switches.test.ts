/** Every switch of the paper exchange with each of its values, over HTTP, on the exchange as the command line starts it. */
import { afterEach, describe, expect, it } from 'vitest';
import { leaves } from '../../../src/config/schema/settings-schema.ts';
import { ASSUMPTIONS } from '../../../src/contract/assumptions.ts';
import { SWITCH_DEFAULTS, SWITCH_LIST, SWITCHES, switchesOf, type SwitchName, type SwitchValues } from '../../../src/contract/switches.ts';
import { assumptionsPage } from '../../../src/contract/docs/interface-pages.ts';
import { send, signedHeaders } from '../../support/exchange/exchange-client.ts';
import { FIRST, SECOND, Served } from '../../support/exchange/switch-kit.ts';

type Walk<N extends SwitchName> = readonly (readonly [SwitchValues[N], (x: Served) => Promise<void>])[];
type Walks = { readonly [N in SwitchName]: Walk<N> };

const codeOf = async (reply: Promise<{ body: { code: string; msg: string } }>): Promise<string> => {
  const { body } = await reply;
  return body.code === '00000' ? body.code : `${body.code} ${body.msg}`;
};
const refused = (x: Served) => x.call('placeOrder', x.order({ symbol: 'XYZUSDT' }));
const idsOf = (records: readonly any[]): string[] => records.map((record) => record.clientOid);

/** Checks that a list shows a change exactly `lag` milliseconds later. */
async function shownAfter(x: Served, lag: number, act: () => Promise<unknown>, isShown: () => Promise<boolean>): Promise<void> {
  await act();
  if (lag > 0) {
    expect(await isShown()).toBe(false);
    x.pass(lag - 1);
    expect(await isShown()).toBe(false);
    x.pass(1);
  }
  expect(await isShown()).toBe(true);
}

const history = (lag: number) => async (x: Served) => {
  await x.rest('one');
  await shownAfter(
    x,
    lag,
    () => x.data('cancelOrders', { orderIdList: [{ clientOid: 'one' }] }),
    async () => idsOf(await x.listed('orderHistory')).includes('one'),
  );
  // The other lists do not lag.
  expect(await x.listed('pendingOrders')).toEqual([]);
};

const pending = (lag: number) => async (x: Served) => {
  await shownAfter(
    x,
    lag,
    () => x.rest('one'),
    async () => idsOf(await x.listed('pendingOrders')).includes('one'),
  );
  await x.data('cancelOrders', { orderIdList: [{ clientOid: 'one' }] });
  expect(idsOf(await x.listed('orderHistory'))).toEqual(['one']);
  // It is in both lists until the lagging one follows.
  expect(idsOf(await x.listed('pendingOrders'))).toEqual(lag > 0 ? ['one'] : []);
  x.pass(lag);
  expect(await x.listed('pendingOrders')).toEqual([]);
};

const positions = (lag: number) => async (x: Served) => {
  for (const name of ['positions', 'symbolPositions'] as const) {
    const side = name === 'positions' ? 'LONG' : 'SHORT';
    await shownAfter(
      x,
      lag,
      () => x.data('placeOrder', x.order({ orderType: 'MARKET', price: undefined, side })),
      async () =>
        (await x.data(name, name === 'positions' ? {} : { symbol: 'BTCUSDT' })).some((one: any) => one.holdSide === side.toLowerCase()),
    );
  }
  // A lagging position is the earlier position, including its mark price.
  const [before] = await x.data('positions');
  x.pass(lag);
  const [after] = await x.data('positions');
  expect([after.cTime, after.total]).toEqual([before.cTime, before.total]);
};

const skew = (window: number) => async (x: Served) => {
  const at = (offset: number) => codeOf(x.call('account', { symbol: 'BTCUSDT' }, { timestamp: String(x.time + offset) }));
  if (window === 0) {
    expect([await at(-86_400_000), await at(86_400_000)]).toEqual(['00000', '00000']);
    return;
  }
  expect([await at(-window), await at(window)]).toEqual(['00000', '00000']);
  expect([await at(-window - 1), await at(window + 1)]).toEqual(['40002 Unauthorized', '40002 Unauthorized']);
};

const status = (expected: number) => async (x: Served) => {
  const reply = await refused(x);
  expect([reply.status, reply.body.code]).toEqual([expected, '40001']);
  expect((await x.call('positions', {}, { as: null })).status).toBe(expected);
};

const mount = (isAtRoot: boolean) => async (x: Served) => {
  const { url } = x.running;
  expect((await send(url, 'GET', '/api/v1/future/market/book-ticker', '', {})).status).toBe(200);
  const atRoot = await send(url, 'GET', '/future/market/book-ticker', '', {});
  expect([atRoot.status, atRoot.body.code]).toEqual(isAtRoot ? [200, '00000'] : [404, '40404']);
};

const rates = (isLimited: boolean) => async (x: Served) => {
  const ask = async (): Promise<number> => (await x.call('pendingOrders', { limit: 1 })).status;
  // The limits of the configuration: five requests of this bucket per second.
  for (let k = 0; k < 5; k++) expect(await ask()).toBe(200);
  const sixth = await x.call('pendingOrders', { limit: 1 });
  expect(sixth.status).toBe(isLimited ? 429 : 200);
  if (!isLimited) return;
  expect([sixth.headers['retry-after'], sixth.body.code]).toEqual(['1', '42900']);
  // Another account and another bucket have their own limits.
  expect((await x.call('pendingOrders', { limit: 1 }, { as: SECOND })).status).toBe(200);
  expect((await x.call('positions')).status).toBe(200);
  x.pass(200);
  expect([await ask(), await ask()]).toEqual([200, 429]);
};

const scope = (again: string) => async (x: Served) => {
  const place = () => codeOf(x.call('placeOrder', x.order({ clientOid: 'one' })));
  expect([await place(), await place()]).toEqual(['00000', '40011 Custom ID already exists']);
  await x.data('cancelOrders', { orderIdList: [{ clientOid: 'one' }] });
  expect(await place()).toBe(again);
};

const pages = (most: number) => async (x: Served) => {
  for (let k = 0; k <= most; k++) await x.rest(`c-${k}`);
  const page = await x.data('pendingOrders', { limit: 1_000 });
  expect(idsOf(page.entrustedList)).toHaveLength(most);
  const rest = await x.data('pendingOrders', { limit: 1_000, idLessThan: page.endId });
  expect(idsOf(rest.entrustedList)).toEqual(['c-0']);
  for (const { orderId } of [...page.entrustedList, ...rest.entrustedList]) await x.data('cancelOrders', { orderIdList: [{ orderId }] });
  expect(await x.listed('orderHistory', { limit: 1_000 })).toHaveLength(most);
  expect(await x.listed('orderHistory', { limit: 1 })).toHaveLength(1);
};

const plans = (areListed: boolean) => async (x: Served) => {
  const { orderId } = await x.data('placePlanOrder', {
    symbol: 'BTCUSDT',
    marginMode: 'CROSS',
    size: '0.001',
    side: 'LONG',
    triggerPrice: '20000.0',
    triggerPriceType: 'LAST',
    price: '20000.0',
    clientOid: 'plan',
  });
  await x.rest('order');
  expect(idsOf(await x.listed('pendingOrders'))).toEqual(areListed ? ['order', 'plan'] : ['order']);
  expect(await x.listed('pendingOrders', { orderId })).toHaveLength(areListed ? 1 : 0);
  if (areListed)
    expect((await x.listed('pendingOrders', { orderId }))[0]).toMatchObject({ orderId, status: 'NEW', size: '0.001', orderType: 'LIMIT' });
  await x.data('cancelPlanOrders', { symbol: 'BTCUSDT', orderIdList: [{ clientOid: 'plan' }] });
  expect(idsOf(await x.listed('pendingOrders'))).toEqual(['order']);
  expect(await x.listed('orderHistory')).toEqual([]);
};

const modify = (leftOver: string[], ended: string[]) => async (x: Served) => {
  await x.rest('one');
  const change = (extra: object) => codeOf(x.call('modifyOrder', { symbol: 'BTCUSDT', clientOid: 'one', newClientOid: 'two', ...extra }));
  // Checks that depend on the request alone refuse before the cancel.
  expect(await change({ newPrice: '20000.05' })).toMatch(/^40018 /);
  expect(idsOf(await x.listed('pendingOrders'))).toEqual(['one']);
  expect(await change({ newSize: '400' })).toBe('40001 Insufficient balance');
  expect(idsOf(await x.listed('pendingOrders'))).toEqual(leftOver);
  const over = await x.listed('orderHistory');
  expect(over.map((one) => `${one.clientOid} ${one.status}`)).toEqual(ended);
  await x.rest('three');
  expect(await codeOf(x.call('modifyOrder', { symbol: 'BTCUSDT', clientOid: 'three', newClientOid: 'four', newSize: '0.002' }))).toBe(
    '00000',
  );
  expect(idsOf(await x.listed('pendingOrders'))).toEqual(['four', ...leftOver]);
};

const word = (taken: readonly string[]) => async (x: Served) => {
  for (const marginMode of ['CROSS', 'CROSSED', 'ISOLATED', 'BOTH']) {
    const isTaken = marginMode === 'ISOLATED' || taken.includes(marginMode);
    expect(await codeOf(x.call('setMarginMode', { symbol: 'ETHUSDT', marginMode }))).toBe(
      isTaken ? '00000' : '40001 marginMode mode is not supported',
    );
    if (marginMode === 'ISOLATED') continue;
    expect(await codeOf(x.call('placeOrder', x.order({ marginMode })))).toBe(isTaken ? '00000' : '40001 marginMode is invalid');
  }
  for (const { marginMode } of await x.listed('pendingOrders')) expect(marginMode).toBe('CROSS');
};

const marketBuy = (size: string, isQuote: boolean) => async (x: Served) => {
  await x.call('bookTickers');
  const spot = x.running.instruments.find((one) => one.product === 'spot' && one.symbol === 'BTCUSDT')!;
  const { ask } = x.running.sim.bookTicker(spot.index)!;
  const { successList } = await x.data('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [{ side: 'buy', orderType: 'market', size }] });
  const order = x.running.sim.order(Number(successList[0].orderId))!;
  // A tick of the spot grid is 0.01, a lot 0.000001.
  expect(order.size).toBe(isQuote ? Math.floor((Number(size) * 1e8) / ask) : Number(size) * 1e6);
  const sell = await x.data('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [{ side: 'sell', orderType: 'market', size: '0.001' }] });
  expect(x.running.sim.order(Number(sell.successList[0].orderId))?.size).toBe(1_000);
  // Less than the coin's grid, or zero.
  const few = await x.data('placeSpotOrders', {
    symbol: 'BTCUSDT',
    orderList: [
      { side: 'buy', orderType: 'market', size: '0.000000001' },
      { side: 'buy', orderType: 'market', size: '0' },
    ],
  });
  expect(few.failureList.map((one: any) => one.errorCode)).toEqual(['40016', '40015']);
};

const brackets = (by: 'last' | 'mark') => async (x: Served) => {
  const { bidPrice } = await x.data('bookTickers', { symbol: 'BTCUSDT' });
  const presetStopLossPrice = (Number(bidPrice) * 0.9).toFixed(1);
  await x.data('placeOrder', x.order({ orderType: 'MARKET', price: undefined, presetStopLossPrice }));
  expect(await x.data('positions')).toHaveLength(1);
  // A single trade far below changes the last price, but not the mark price, which follows the book.
  const btc = x.running.instruments.find((one) => one.product === 'futures' && one.symbol === 'BTCUSDT')!;
  const { bid, time } = x.running.sim.bookTicker(btc.index)!;
  x.running.sim.trade(btc.index, Math.floor(bid / 2), 1, 1, time, 1e9);
  x.pass(2_000);
  expect(await x.data('positions')).toHaveLength(by === 'last' ? 0 : 1);
};

const crossing = (isOn: boolean) => async (x: Served) => {
  const { askPrice } = await x.data('bookTickers', { symbol: 'BTCUSDT' });
  await x.rest('sell', { side: 'SHORT', price: askPrice });
  await x.data('placeOrder', x.order({ price: askPrice }), { as: SECOND });
  const [bought] = await x.data('positions', {}, { as: SECOND });
  expect(bought).toMatchObject({ holdSide: 'long', total: '0.001' });
  const sold = await x.data('positions');
  expect(sold.map((one: any) => [one.holdSide, one.total, Number(one.openPriceAvg)])).toEqual(
    isOn ? [['short', '0.001', Number(askPrice)]] : [],
  );
};

/** A stop-loss whose size is locked by a resting close: it closes the available size and stays, or cancels the close. */
const blocked = (how: 'stay' | 'replace') => async (x: Served) => {
  const { bidPrice } = await x.data('bookTickers', { symbol: 'BTCUSDT' });
  const bid = Number(bidPrice);
  const open = { orderType: 'MARKET', price: undefined, size: '0.003', presetStopLossPrice: (bid * 0.95).toFixed(1) };
  await x.data('placeOrder', x.order(open));
  const close = { tradeSide: 'CLOSE', price: (bid * 1.2).toFixed(1), size: '0.002', clientOid: 'close' };
  await x.data('placeOrder', x.order(close));
  const btc = x.running.instruments.find((one) => one.product === 'futures' && one.symbol === 'BTCUSDT')!;
  const { sim } = x.running;
  const drop = (): void => {
    const { time } = sim.bookTicker(btc.index)!;
    const low = Math.floor(sim.bookTicker(btc.index)!.bid * 0.9);
    sim.quote(btc.index, low, 100, low + 1, 100, time);
    sim.trade(btc.index, low, 1, 1, time, 1e9);
  };
  drop();
  const total = async (): Promise<string> => (await x.data('positions'))[0]?.total ?? '0';
  const isResting = (await x.listed('pendingOrders')).some((one) => one.clientOid === 'close');
  expect([await total(), isResting]).toEqual(how === 'stay' ? ['0.002', true] : ['0', false]);
  if (how === 'replace') return;
  // The stop-loss is still there for the size that the close locked.
  await x.data('cancelOrders', { orderIdList: [{ clientOid: 'close' }] });
  drop();
  expect(await total()).toBe('0');
};

const bracketSide = (isChecked: boolean) => async (x: Served) => {
  const { bidPrice, askPrice } = await x.data('bookTickers', { symbol: 'BTCUSDT' });
  const at = (share: number): string => (Number(bidPrice) * share).toFixed(1);
  const expected = isChecked ? '40001 Price invalid' : '00000';
  const market = { orderType: 'MARKET', price: undefined };
  expect(await codeOf(x.call('placeOrder', x.order({ ...market, presetStopLossPrice: at(1.1) })))).toBe(expected);
  expect(await codeOf(x.call('placeOrder', x.order({ ...market, presetStopLossPrice: askPrice })))).toBe(expected);
  expect(await codeOf(x.call('placeOrder', x.order({ ...market, presetTakeProfitPrice: at(0.9) })))).toBe(expected);
  expect(await codeOf(x.call('placeOrder', x.order({ ...market, side: 'SHORT', presetStopLossPrice: at(0.9) })))).toBe(expected);
  expect(await codeOf(x.call('placeOrder', x.order({ presetStopLossPrice: '20000.1' })))).toBe(expected);
  expect(await codeOf(x.call('placeOrder', x.order({ presetStopLossPrice: '19999.9', presetTakeProfitPrice: '20000.1' })))).toBe('00000');
  const plan = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.001', side: 'LONG', triggerPrice: at(1.1), triggerPriceType: 'LAST' };
  expect(await codeOf(x.call('placePlanOrder', { ...plan, presetStopLossPrice: at(1.2) }))).toBe(expected);
  expect(await codeOf(x.call('placePlanOrder', { ...plan, presetStopLossPrice: at(1.05) }))).toBe('00000');
};

/** Two orders of the symbol, one of them a trigger order; a third is refused, and a close and orders of other symbols are not. */
const openOrders = (most: number) => async (x: Served) => {
  const { askPrice } = await x.data('bookTickers', { symbol: 'BTCUSDT' });
  const above = (Number(askPrice) * 1.2).toFixed(1);
  const plan = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.001', side: 'LONG', triggerPrice: above, triggerPriceType: 'LAST' };
  await x.data('placeOrder', x.order({ orderType: 'MARKET', price: undefined, size: '0.002', clientOid: 'held' }));
  await x.data('placeOrder', x.order({ clientOid: 'first' }));
  await x.data('placePlanOrder', { ...plan, clientOid: 'second' });
  const large = 'Open Size is too large';
  const isFull = most > 0;
  expect(await codeOf(x.call('placeOrder', x.order({ clientOid: 'third' })))).toBe(isFull ? `40014 ${large}` : '00000');
  expect(await codeOf(x.call('placePlanOrder', plan))).toBe(isFull ? `40001 ${large}` : '00000');
  expect(await codeOf(x.call('placeOrder', x.order({ tradeSide: 'CLOSE', price: above, clientOid: 'close' })))).toBe('00000');
  const ids = (await x.listed('pendingOrders')).map((one) => one.clientOid);
  expect(new Set(ids)).toEqual(new Set(isFull ? ['close', 'first'] : ['close', 'first', 'third']));
  // A place that becomes free can be used.
  await x.data('cancelOrders', { orderIdList: [{ clientOid: 'close' }, { clientOid: 'first' }] });
  expect(await codeOf(x.call('placeOrder', x.order({ clientOid: 'fourth' })))).toBe('00000');
  // The spot market of the symbol has a count of its own.
  const orderList = Array.from({ length: 3 }, () => ({ side: 'buy', orderType: 'limit', price: '20000', size: '0.001' }));
  const { successList, failureList } = await x.data('placeSpotOrders', { symbol: 'BTCUSDT', orderList });
  expect(successList).toHaveLength(isFull ? 2 : 3);
  expect(failureList).toEqual(isFull ? [{ errorMsg: large, errorCode: '40014' }] : []);
};

const planFailures = (isExplained: boolean) => async (x: Served) => {
  const { failureList } = await x.data('cancelPlanOrders', { symbol: 'BTCUSDT', orderIdList: [{ clientOid: 'none' }] });
  const reason = isExplained ? { errorCode: '40001', errorMsg: 'Order not found' } : {};
  expect(failureList).toEqual([{ orderId: '', clientOid: 'none', ...reason }]);
};

const spotWords = (isUpperTaken: boolean) => async (x: Served) => {
  const place = (side: string, orderType: string): Promise<string> =>
    codeOf(x.call('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [{ side, orderType, price: '20000', size: '0.001' }] }));
  expect(await place('buy', 'limit')).toBe('00000');
  const refusal = '40001 Missing required parameters (side, orderType, size)';
  expect([await place('BUY', 'limit'), await place('buy', 'LIMIT')]).toEqual(isUpperTaken ? ['00000', '00000'] : [refusal, refusal]);
  expect(await place('Buy', 'limit')).toBe(refusal);
};

const signedPath = (taken: readonly ('bare' | 'full')[]) => async (x: Served) => {
  const path = '/future/position/all-position';
  for (const form of ['full', 'bare'] as const) {
    const headers = signedHeaders(FIRST, String(x.time), 'GET', form === 'full' ? `/api/v1${path}` : path, '');
    const { body } = await send(x.running.url, 'GET', `/api/v1${path}`, '', headers);
    expect([form, body.code]).toEqual([form, taken.includes(form) ? '00000' : '40002']);
  }
};

const WALKS: Walks = {
  blockedExits: [
    ['stay', blocked('stay')],
    ['replace', blocked('replace')],
  ],
  bracketSide: [
    ['checked', bracketSide(true)],
    ['any', bracketSide(false)],
  ],
  openOrders: [
    [0, openOrders(0)],
    [2, openOrders(2)],
  ],
  planFailures: [
    ['bare', planFailures(false)],
    ['explained', planFailures(true)],
  ],
  signedPath: [
    ['full', signedPath(['full'])],
    ['either', signedPath(['full', 'bare'])],
    ['bare', signedPath(['bare'])],
  ],
  spotWords: [
    ['both', spotWords(true)],
    ['lower', spotWords(false)],
  ],
  errorStatus: [
    [400, status(400)],
    [200, status(200)],
  ],
  errorData: [
    ['null', async (x) => expect(Object.keys((await refused(x)).body)).toEqual(['code', 'msg', 'requestTime', 'data'])],
    ['absent', async (x) => expect(Object.keys((await refused(x)).body)).toEqual(['code', 'msg', 'requestTime'])],
  ],
  rootMount: [
    [false, mount(false)],
    [true, mount(true)],
  ],
  skewWindow: [
    [30_000, skew(30_000)],
    [5_000, skew(5_000)],
    [0, skew(0)],
  ],
  rateLimits: [
    ['off', rates(false)],
    ['config', rates(true)],
  ],
  clientOidScope: [
    ['forever', scope('40011 Custom ID already exists')],
    ['open', scope('00000')],
  ],
  lagHistory: [
    [0, history(0)],
    [1_500, history(1_500)],
  ],
  lagPending: [
    [0, pending(0)],
    [700, pending(700)],
  ],
  lagPositions: [
    [0, positions(0)],
    [300, positions(300)],
  ],
  pageLimit: [
    [100, pages(100)],
    [2, pages(2)],
  ],
  plansInPending: [
    [false, plans(false)],
    [true, plans(true)],
  ],
  modify: [
    ['atomic', modify(['one'], [])],
    ['cancel-first', modify([], ['one CANCELED'])],
  ],
  marginModeWord: [
    ['both', word(['CROSS', 'CROSSED'])],
    ['CROSS', word(['CROSS'])],
    ['CROSSED', word(['CROSSED'])],
  ],
  marketBuySize: [
    ['base', marketBuy('0.002', false)],
    ['quote', marketBuy('250', true)],
  ],
  bracketsBy: [
    ['last', brackets('last')],
    ['mark', brackets('mark')],
  ],
  crossing: [
    [false, crossing(false)],
    [true, crossing(true)],
  ],
};

let exchange: Served | null = null;
afterEach(async () => {
  await exchange?.close();
  exchange = null;
});

describe('every switch, with every value', () => {
  for (const { name, ...one } of SWITCH_LIST) {
    it(`${name} is tested with all its values, including the default`, () => {
      const walked: readonly unknown[] = WALKS[name].map(([value]) => value);
      expect(walked).toContain(one.fallback);
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked.length).toBeGreaterThan(1);
      if (one.kind === 'choice') expect(new Set(walked)).toEqual(new Set(one.choices));
    });
    it.each(WALKS[name] as Walk<SwitchName>)(`${name} %s`, async (value, walk) => {
      exchange = await Served.open({ [name]: value });
      await walk(exchange);
    });
  }

  it('works with all others off their defaults', async () => {
    const others = Object.fromEntries(
      SWITCH_LIST.map(({ name }) => [name, WALKS[name].find(([value]) => value !== SWITCHES[name].fallback)![0]]),
    );
    exchange = await Served.open({ ...others, rateLimits: 'off' });
    await exchange.data('placeOrder', exchange.order({ marginMode: 'CROSS' }));
    exchange.pass(2_000);
    expect(await exchange.listed('pendingOrders')).toHaveLength(1);
  });
});

describe('the register of assumptions and the switches', () => {
  it('refer to each other', () => {
    const known = new Set(ASSUMPTIONS.map((one) => one.id));
    for (const { name, assumption } of SWITCH_LIST) expect(known, name).toContain(assumption);
    const named = ASSUMPTIONS.flatMap((one) => switchesOf(one)).filter((text) => text.startsWith('exchange --'));
    expect(named).toHaveLength(SWITCH_LIST.length);
    for (const { name } of SWITCH_LIST) expect([...leaves().keys()]).toContain(`exchange.${name}`);
  });

  it('refer only to existing configuration keys', () => {
    const sections = [...leaves().keys()].flatMap((key) => [key, key.split('.')[0]!]);
    for (const { id, keys = [] } of ASSUMPTIONS) for (const key of keys) expect(sections, `${id} names ${key}`).toContain(key);
  });

  it('appear with their defaults on the page of assumptions', () => {
    const page = assumptionsPage();
    for (const { name, doc, assumption } of SWITCH_LIST) {
      const line = page.split('\n').find((text) => text.includes(`\`exchange.${name}\``)) ?? '';
      expect(line).toContain(doc);
      expect(line).toContain(assumption);
      expect(page.split('\n').find((text) => text.startsWith(`| ${assumption} |`))).toContain('exchange --');
    }
    expect(Object.keys(SWITCH_DEFAULTS)).toEqual(Object.keys(SWITCHES));
  });
});
