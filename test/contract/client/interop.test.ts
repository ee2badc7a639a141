/**
 * Independent clients against the exchange as it is started. One is the npm package bitget-api, which signs the full path. The other is ten
 * lines that sign without /api/v1, for which the API is also mounted at the root.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINT_LIST, ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import { problemOfReply } from '../../../src/contract/schema.ts';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { openExchange, type RunningExchange } from '../../../src/run/exchange/exchange.ts';
import { installed } from '../../support/processes/installed.ts';
import { demoAccount, exchangeOptions } from '../../support/exchange/served-kit.ts';
import { untilTraded } from '../../support/exchange/until-traded.ts';

/** The used part of the package's interface. */
interface Client {
  get(path: string, params?: object): Promise<unknown>;
  getPrivate(path: string, params?: object): Promise<unknown>;
  postPrivate(path: string, params?: object): Promise<unknown>;
}
interface Package {
  readonly RestClientV2: new (options: object, network: object) => Client;
}

const independent = await installed<Package>('bitget-api');

const quiet = createLog({ level: 'silent', form: 'json' });

async function open(rootMount: boolean): Promise<RunningExchange> {
  const { switches } = exchangeOptions({});
  const exchange = await openExchange(exchangeOptions({ speed: 20, switches: { ...switches, rootMount } }), quiet);
  await untilTraded(exchange);
  return exchange;
}

describe.skipIf(independent === null)('npm bitget-api', () => {
  let exchange: RunningExchange;
  let client: Client;
  const asked = new Set<string>();
  const { key, secret, passphrase } = demoAccount(0);

  const clientOf = (apiSecret: string): Client =>
    new independent!.RestClientV2({ apiKey: key, apiSecret, apiPass: passphrase, baseUrl: exchange.url }, { proxy: false });

  /** One call by its generic methods. The `data` of the answer fits the contract. */
  async function ask(name: EndpointName, params: Record<string, unknown> = {}): Promise<any> {
    const endpoint = ENDPOINTS[name];
    const sent =
      endpoint.method === 'POST'
        ? client.postPrivate(endpoint.path, params)
        : endpoint.auth
          ? client.getPrivate(endpoint.path, params)
          : client.get(endpoint.path, params);
    const envelope: any = await sent.catch((refused: { body?: unknown }) => refused.body);
    expect(envelope).toMatchObject({ code: '00000', msg: 'success', requestTime: expect.any(Number) });
    expect(problemOfReply(endpoint, envelope.data, params)).toBeNull();
    asked.add(endpoint.id);
    return envelope.data;
  }

  beforeAll(async () => {
    exchange = await open(false);
    client = clientOf(secret);
  });
  afterAll(() => exchange.close());

  it('reads the market', async () => {
    expect(await ask('spotSymbols')).toEqual(expect.arrayContaining([expect.objectContaining({ symbol: 'BTCUSDT' })]));
    expect(await ask('coins', { coin: 'BTC' })).toMatchObject({ coin: 'BTC' });
    expect(await ask('tickers', { symbol: 'BTCUSDT' })).toMatchObject({ symbol: 'BTCUSDT' });
    expect(await ask('bookTickers')).toHaveLength(2);
    expect((await ask('trades', { symbol: 'BTCUSDT', limit: 5 })).length).toBeLessThanOrEqual(5);
  });

  it('trades futures from the first order to a flat account', async () => {
    const order = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.002', side: 'LONG', tradeSide: 'OPEN' };
    const rests = await ask('placeOrder', { ...order, orderType: 'LIMIT', price: '100.0', clientOid: 'interop-1' });
    const pending = await ask('pendingOrders', { symbol: 'BTCUSDT', limit: 100 });
    expect(pending.entrustedList).toMatchObject([{ orderId: rests.orderId, clientOid: 'interop-1', price: '100.00' }]);
    const changes = { newClientOid: 'interop-2', newSize: '0.003', newPrice: '101.0' };
    const moved = await ask('modifyOrder', { symbol: 'BTCUSDT', orderId: rests.orderId, ...changes });
    expect(moved.orderId).not.toBe(rests.orderId);
    const cancelled = await ask('cancelOrders', { orderIdList: [{ clientOid: 'interop-2' }] });
    expect(cancelled).toMatchObject({ successList: [{ orderId: moved.orderId }], failureList: [] });
    await ask('placeOrder', { ...order, orderType: 'MARKET', clientOid: 'interop-3' });
    expect(await ask('positions')).toMatchObject([{ symbol: 'BTCUSDT', holdSide: 'long', total: '0.002' }]);
    expect(await ask('symbolPositions', { symbol: 'BTCUSDT' })).toHaveLength(1);
    expect(Number((await ask('account', { symbol: 'BTCUSDT' })).available)).toBeLessThan(10_000);
    await ask('placeOrder', { ...order, tradeSide: 'CLOSE', orderType: 'MARKET', clientOid: 'interop-4' });
    expect(await ask('positions')).toEqual([]);
    const history = await ask('orderHistory', { symbol: 'BTCUSDT', limit: 100 });
    expect(history.entrustedList.map((x: any) => x.clientOid)).toEqual(['interop-4', 'interop-3', 'interop-2', 'interop-1']);
  });

  it('changes margin, and places and cancels a trigger order', async () => {
    expect(await ask('setMarginMode', { symbol: 'ETHUSDT', marginMode: 'ISOLATED' })).toMatchObject({ marginMode: 'ISOLATED' });
    const order = { symbol: 'ETHUSDT', marginMode: 'ISOLATED', size: '0.1', side: 'SHORT', tradeSide: 'OPEN', orderType: 'MARKET' };
    await ask('placeOrder', { ...order, clientOid: 'interop-5' });
    const [before] = await ask('positions');
    await ask('setMargin', { symbol: 'ETHUSDT', holdSide: 'SHORT', amount: 12.5 });
    const [after] = await ask('positions');
    expect(Number(after.marginSize) - Number(before.marginSize)).toBeCloseTo(12.5, 6);
    const terms = { symbol: 'ETHUSDT', marginMode: 'ISOLATED', size: '0.1', side: 'SHORT', tradeSide: 'CLOSE' };
    const trigger = { orderType: 'LIMIT', triggerPrice: '100.00', triggerPriceType: 'LAST', price: '100.00' };
    const plan = await ask('placePlanOrder', { ...terms, ...trigger, clientOid: 'interop-6' });
    const gone = await ask('cancelPlanOrders', { symbol: 'ETHUSDT', orderIdList: [{ orderId: plan.orderId }] });
    expect(gone.successList).toMatchObject([{ orderId: plan.orderId }]);
  });

  it('trades spot and reads withdrawals', async () => {
    const entry = { side: 'buy', orderType: 'limit', price: '100.00', size: '0.1' };
    const placed = await ask('placeSpotOrders', { symbol: 'BTCUSDT', batchMode: 'single', orderList: [entry] });
    expect(placed).toMatchObject({ successList: [{ orderId: expect.any(String) }], failureList: [] });
    const cancelled = await ask('cancelSpotOrders', { symbol: 'BTCUSDT', orderList: placed.successList });
    expect(cancelled).toEqual({ successList: placed.successList, failureList: [] });
    expect(await ask('withdrawals', { startTime: Date.now() - 1000, endTime: Date.now() })).toEqual([]);
  });

  it('signs a query as it is sent, including encoded characters', async () => {
    // Without the apostrophe, which this client signs as is but sends as %27.
    const found = await ask('orderHistory', { limit: 10, clientOid: 'a b/ü+*~(' });
    expect(found.entrustedList).toEqual([]);
  });

  it('has called every endpoint', () => {
    expect([...asked].toSorted()).toEqual(ENDPOINT_LIST.map((endpoint) => endpoint.id).toSorted());
  });

  it('reports a refusal as an error', async () => {
    const none = client.postPrivate(ENDPOINTS.placeOrder.path, { symbol: 'NONE' });
    await expect(none).rejects.toMatchObject({ code: 400, body: { code: '40001' } });
    const stranger = clientOf('another secret').getPrivate(ENDPOINTS.positions.path);
    await expect(stranger).rejects.toMatchObject({ code: 400, body: { code: '40002', msg: 'Unauthorized' } });
  });
});

describe('a client that signs without /api/v1', () => {
  let exchange: RunningExchange;
  beforeAll(async () => {
    exchange = await open(true);
  });
  afterAll(() => exchange.close());

  /** The whole client. `signed` is the path that it signs. */
  async function call(method: string, path: string, json?: object, signed = path): Promise<any> {
    const { key, secret, passphrase } = demoAccount(0);
    const body = json === undefined ? '' : JSON.stringify(json);
    const time = String(Date.now());
    const sign = createHmac('sha256', secret)
      .update(time + method + signed + body)
      .digest('base64');
    const headers = { 'ACCESS-KEY': key, 'ACCESS-PASSPHRASE': passphrase, 'ACCESS-TIMESTAMP': time, 'ACCESS-SIGN': sign };
    const type = { 'content-type': 'application/json' };
    const response = await fetch(exchange.url + path, { method, headers: { ...headers, ...type }, ...(body === '' ? {} : { body }) });
    return response.json();
  }

  it('trades where the API is mounted at the root', async () => {
    const order = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.002', side: 'LONG', tradeSide: 'OPEN', orderType: 'MARKET' };
    expect(await call('GET', '/spot/market/symbols?symbol=BTCUSDT')).toMatchObject({ code: '00000' });
    expect(await call('POST', '/future/order/place-order', { ...order, clientOid: 'root-1' })).toMatchObject({ code: '00000' });
    expect(await call('GET', '/future/position/all-position')).toMatchObject({ code: '00000', data: [{ total: '0.002' }] });
    expect(await call('GET', '/future/order/orders-history?limit=10&symbol=BTCUSDT')).toMatchObject({
      data: { entrustedList: [{ clientOid: 'root-1' }] },
    });
  });

  it('is recognised by the requested path, under either mount', async () => {
    const full = '/api/v1/future/position/all-position';
    const bare = '/future/position/all-position';
    expect(await call('GET', full)).toMatchObject({ code: '00000' });
    for (const [path, signed] of [
      [bare, full],
      [full, bare],
    ] as const) {
      expect(await call('GET', path, undefined, signed)).toMatchObject({ code: '40002', msg: 'Unauthorized' });
    }
  });

  it('finds nothing at the root unless the exchange serves it there', async () => {
    const plain = await open(false);
    try {
      expect((await fetch(`${plain.url}/spot/market/symbols`)).status).toBe(404);
      expect((await fetch(`${plain.url}/api/v1/spot/market/symbols`)).status).toBe(200);
    } finally {
      await plain.close();
    }
  });
});
