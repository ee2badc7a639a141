import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import type { Endpoint } from '../../../src/contract/endpoints/endpoint.ts';
import { ENDPOINT_LIST, ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { parseBaseUrl } from '../../../src/edge/http/base-url.ts';
import { VenueClient, type CallLane, type ClientOptions, type RatePause } from '../../../src/edge/http/call.ts';
import { HttpTransport } from '../../../src/edge/http/transport.ts';
import { sign, signatureKey } from '../../../src/edge/signature.ts';
import type { DecimalString } from '../../../src/domain/amounts/units.ts';
import { VenueClock } from '../../../src/edge/time/venue-clock.ts';
import { LiveClock } from '../../../src/edge/time/live-clock.ts';
import { refusal, startScriptedVenue, type Asked, type Script, type ScriptedVenue } from '../../support/exchange/scripted-venue.ts';
import { order, position } from '../../support/exchange/wire-records.ts';

const ticker = {
  symbol: 'BTCUSDT',
  priceChange: '1',
  priceChangePercent: '1',
  weightedAvgPrice: '1',
  lastPrice: '1',
  lastQty: '1',
  openPrice: '1',
  highPrice: '1',
  lowPrice: '1',
  volume: '1',
  quoteVolume: '1',
  openTime: 1,
  closeTime: 2,
  firstId: 1,
  lastId: 2,
  count: 2,
};
const quote = { symbol: 'BTCUSDT', bidPrice: '1', bidQty: '1', askPrice: '2', askQty: '1', ts: 3 };
const pair = {
  symbol: 'BTCUSDT',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  minTradeAmount: '0.0001',
  maxTradeAmount: '100',
  takerFeeRate: '0.001',
  makerFeeRate: '0.001',
  pricePrecision: '2',
  quantityPrecision: '6',
  quotePrecision: '8',
  status: 'online',
  minTradeUSDT: '5',
};
const coin = { coinId: '1', coin: 'BTC', transfer: 'true', chains: [] };
const batch = { successList: [{ orderId: '1', clientOid: 'a' }], failureList: [] };
const account = {
  marginCoin: 'USDT',
  locked: '0',
  available: '1',
  crossMaxAvailable: '1',
  isolatedMaxAvailable: '1',
  maxTransferOut: '1',
  accountEquity: '1',
  longLever: '10',
  shortLever: '10',
  marginMode: 'cross',
  unrealizedPL: '0',
  coupon: '0',
};

/** By endpoint: parameters, the resulting target or body, and the data in the answer. */
const CASES: Readonly<Record<string, readonly [params: object, query: string, body: string, data: unknown]>> = {
  E1: [
    { symbol: 'BTCUSDT', batchMode: 'single', orderList: [{ side: 'buy', orderType: 'limit', price: '1.0', size: '2' }] },
    '',
    '{"symbol":"BTCUSDT","batchMode":"single","orderList":[{"side":"buy","orderType":"limit","price":"1.0","size":"2"}]}',
    { successList: [{ orderId: '1' }], failureList: [] },
  ],
  E2: [
    { symbol: 'BTCUSDT', orderList: [{ orderId: '1' }] },
    '',
    '{"symbol":"BTCUSDT","orderList":[{"orderId":"1"}]}',
    { successList: [{ orderId: '1' }], failureList: [] },
  ],
  E3: [{}, '', '', [pair]],
  E4: [{ coin: 'BTC' }, '?coin=BTC', '', coin],
  E5: [{ startTime: '1', endTime: '2' }, '?startTime=1&endTime=2', '', []],
  E6: [{ symbol: 'BTCUSDT' }, '?symbol=BTCUSDT', '', ticker],
  E7: [{}, '', '', [quote]],
  E8: [{ symbol: 'BTCUSDT', limit: 5, idLessThan: '90071992547409931' }, '?symbol=BTCUSDT&limit=5&idLessThan=90071992547409931', '', []],
  E9: [{ symbol: 'BTCUSDT' }, '?symbol=BTCUSDT', '', account],
  E10: [
    { symbol: 'BTCUSDT', marginMode: 'CROSSED' },
    '',
    '{"symbol":"BTCUSDT","marginMode":"CROSSED"}',
    { symbol: 'BTCUSDT', marginCoin: 'USDT', longLeverage: '1', shortLeverage: '1', marginMode: 'CROSS' },
  ],
  E11: [
    { symbol: 'BTCUSDT', holdSide: 'LONG', amount: '-0.0000001' },
    '',
    '{"symbol":"BTCUSDT","holdSide":"LONG","amount":-0.0000001}',
    null,
  ],
  E12: [
    { symbol: 'BTCUSDT', price: undefined, clientOid: 'a' },
    '',
    '{"symbol":"BTCUSDT","clientOid":"a"}',
    { orderId: 'fu-1', clientOid: 'a' },
  ],
  E13: [{ symbol: 'BTCUSDT', clientOid: 'a' }, '', '{"symbol":"BTCUSDT","clientOid":"a"}', { orderId: 'fu-plan-1', clientOid: 'a' }],
  E14: [
    { symbol: 'BTCUSDT', newClientOid: 'a', orderId: 'fu-1' },
    '',
    '{"symbol":"BTCUSDT","newClientOid":"a","orderId":"fu-1"}',
    { orderId: 'fu-2', clientOid: 'a' },
  ],
  E15: [{ orderIdList: [{ clientOid: 'a' }] }, '', '{"orderIdList":[{"clientOid":"a"}]}', batch],
  E16: [{ symbol: 'BTCUSDT', orderIdList: [{ clientOid: 'a' }] }, '', '{"symbol":"BTCUSDT","orderIdList":[{"clientOid":"a"}]}', batch],
  E17: [{ limit: 100, clientOid: "a b'&ü" }, '?limit=100&clientOid=a%20b%27%26%C3%BC', '', { entrustedList: [order], endId: 'fu-1' }],
  E18: [{ limit: 100 }, '?limit=100', '', { entrustedList: null, endId: '' }],
  E19: [{}, '', '', [position]],
  E20: [{ symbol: 'BTCUSDT' }, '?symbol=BTCUSDT', '', []],
};

const credentials = { key: new Secret('test-key'), secret: new Secret('test-secret'), passphrase: new Secret('test-pass') };
let venue: ScriptedVenue;
let script: Script;
let transport: HttpTransport;
const clock = new LiveClock();

beforeAll(async () => {
  venue = await startScriptedVenue((asked, response) => script(asked, response));
  transport = new HttpTransport({ base: parseBaseUrl(venue.url), clock, timeoutMs: 2_000 });
});
afterAll(async () => {
  await transport.close();
  await venue.close();
});

function client(options: Partial<ClientOptions> = {}): VenueClient {
  return new VenueClient({ transport, clock, credentials, ...options });
}

async function ask(
  endpoint: Endpoint,
  params: object,
  by: VenueClient,
): Promise<{ called: Awaited<ReturnType<VenueClient['call']>>; asked: Asked }> {
  const called = await by.call(endpoint, params);
  return { called, asked: venue.asked.at(-1) as Asked };
}

/** Checks the signature as a server does: over the raw target and body. */
function isSigned({ method, target, body, headers }: Asked, signedTarget = target): boolean {
  const expected = sign(signatureKey('test-secret'), String(headers['access-timestamp']), method, signedTarget, body);
  return headers['access-sign'] === expected && headers['access-key'] === 'test-key' && headers['access-passphrase'] === 'test-pass';
}

describe('the client calls', () => {
  it.each(ENDPOINT_LIST.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s with the right target, body, headers and answer',
    async (id, endpoint) => {
      const [params, query, body, data] = CASES[id] as (typeof CASES)[string];
      script = () => ({ data });
      const { called, asked } = await ask(endpoint, params, client());
      expect(called).toMatchObject({ status: 'accepted', row: 'C7' });
      expect(asked.method).toBe(endpoint.method);
      expect(asked.target).toBe(endpoint.path + query);
      expect(asked.body).toBe(body);
      expect(asked.headers['content-type']).toBe(body === '' ? undefined : 'application/json');
      if (endpoint.auth) expect(isSigned(asked)).toBe(true);
      else expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-'))).toEqual([]);
    },
  );

  it.each(ENDPOINT_LIST.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s and reads the same refusal with status 200 and with 400',
    async (id, endpoint) => {
      const [params] = CASES[id] as (typeof CASES)[string];
      const row = endpoint.errors.find((candidate) => candidate.entry !== true && candidate.class !== 'ambiguous');
      for (const status of [200, 400]) {
        script = () => ({ status, body: refusal(row?.code ?? '48888', row?.msg ?? 'no idea') });
        const { called } = await ask(endpoint, params, client());
        if (row === undefined) expect(called).toMatchObject({ status: 'unknown', row: 'C12' });
        else expect(called).toMatchObject({ status: 'rejected', rejection: { code: row.code, message: row.msg, reason: row.reason } });
      }
    },
  );

  it('signs paths without the prefix if the venue expects that', async () => {
    script = () => ({ data: [] });
    const { asked } = await ask(ENDPOINTS.positions, {}, client({ signedPrefix: '' }));
    expect(asked.target).toBe('/api/v1/future/position/all-position');
    expect(isSigned(asked, '/future/position/all-position')).toBe(true);
    expect(isSigned(asked)).toBe(false);
  });

  it('sends nothing private without credentials', async () => {
    const before = venue.asked.length;
    const called = await client({ credentials: null }).call(ENDPOINTS.positions, {});
    expect(called).toMatchObject({ status: 'unsent', row: 'C1', cause: 'no-credentials' });
    expect(venue.asked.length).toBe(before);
    script = () => ({ data: [quote] });
    expect(await client({ credentials: null }).call(ENDPOINTS.bookTickers, {})).toMatchObject({ status: 'accepted' });
  });

  it('reports bucket and end of a rate-limit pause, and doubles it until a success', async () => {
    const pauses: [bucket: string, ms: number][] = [];
    const by = client({ onRateLimit: ({ bucket, until }) => pauses.push([bucket, until - clock.now()]) });
    const atDate = (): string => new Date(Date.now() + 5_000).toUTCString();
    const replies: [retryAfter: (() => string) | null, ms: number][] = [
      [() => '3', 3_000],
      [atDate, 4_500],
      [() => '999999999', 60_000],
      [() => 'soon', 8_000],
      [null, 16_000],
      [() => '0', 250],
    ];
    for (const [retryAfter, expected] of replies) {
      script = () => ({ status: 429, headers: retryAfter === null ? {} : { 'retry-after': retryAfter() }, body: '' });
      expect((await ask(ENDPOINTS.positions, {}, by)).called).toMatchObject({ row: 'C9' });
      const [bucket, ms] = pauses.at(-1) ?? ['', 0];
      expect(bucket).toBe('position');
      expect(Math.abs(ms - expected)).toBeLessThanOrEqual(800);
    }
    script = () => ({ data: [] });
    await ask(ENDPOINTS.positions, {}, by);
    script = () => ({ status: 429, body: '' });
    await ask(ENDPOINTS.positions, {}, by);
    expect(pauses.at(-1)?.[1]).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ['an envelope', JSON.stringify({ code: '40300', msg: 'The address is banned', requestTime: 1, data: null })],
    ['a page', '<html>Forbidden</html>'],
  ])('pauses public reads while the address is banned, with %s [outcomes C10]', async (_how, body) => {
    const pauses: [bucket: string, seconds: number][] = [];
    const by = client({ onRateLimit: ({ bucket, until }) => pauses.push([bucket, Math.round((until - clock.now()) / 1_000)]) });
    script = () => ({ status: 403, body });
    for (let k = 0; k < 8; k++) await ask(ENDPOINTS.bookTickers, {}, by);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => ['public', seconds]));
    // A signed read that is refused says something of the key: the engine lets single probes leave.
    await ask(ENDPOINTS.positions, {}, by);
    expect(pauses).toHaveLength(8);
    script = () => ({ data: [quote] });
    await ask(ENDPOINTS.bookTickers, {}, by);
    script = () => ({ status: 403, body });
    await ask(ENDPOINTS.bookTickers, {}, by);
    expect(pauses.at(-1)).toEqual(['public', 1]);
  });

  it('sends no open within Retry-After; a refused open delays no close or cancel [outcomes C9]', async () => {
    const pauses: (RatePause & { readonly ms: number })[] = [];
    const by = client({ onRateLimit: (pause) => pauses.push({ ...pause, ms: pause.until - clock.now() }) });
    script = () => ({ status: 429, headers: { 'retry-after': '60' }, body: '' });
    const at = (): number => venue.asked.length;
    const given = {
      symbol: 'BTCUSDT',
      marginMode: 'CROSS',
      size: '1' as DecimalString,
      side: 'LONG',
      tradeSide: 'OPEN',
      orderType: 'MARKET',
      clientOid: 'a',
    } as const;
    const place = (lane?: CallLane): Promise<unknown> => by.call(ENDPOINTS.placeOrder, given, { lane });
    expect(await place()).toMatchObject({ status: 'unknown', row: 'C9', cause: 'rate-limited' });
    const before = at();
    expect(await place()).toMatchObject({ status: 'unsent', row: 'C1', cause: 'rate-limited' });
    expect(at()).toBe(before);
    expect(await place('close')).toMatchObject({ row: 'C9' });
    expect(await by.call(ENDPOINTS.cancelOrders, { orderIdList: [{ clientOid: 'a' }] }, { lane: 'cancel' })).toMatchObject({ row: 'C9' });
    expect(at()).toBe(before + 2);
    expect(pauses.map(({ bucket, lane }) => `${bucket} ${lane}`)).toEqual(['order open', 'order close', 'order cancel']);
    const [open, close, cancel] = pauses.map(({ ms }) => ms);
    expect(open).toBeGreaterThan(50_000);
    // A cancel or a close is tried again soon, whatever the header asks, and later after each refusal; within 2 s at most.
    expect(Math.max(close!, cancel!)).toBeLessThanOrEqual(150);
    const cancelPauses: number[] = [];
    for (let k = 0; k < 5; k++) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, pauses.at(-1)!.until - clock.now()) + 5));
      // Three refusals at once count as one.
      await Promise.all([1, 2, 3].map(() => by.call(ENDPOINTS.cancelOrders, { orderIdList: [{ clientOid: 'a' }] }, { lane: 'cancel' })));
      cancelPauses.push(Math.round(pauses.at(-1)!.ms / 100));
    }
    expect(cancelPauses.map((hundreds) => hundreds > 0 && hundreds <= 20)).toEqual([true, true, true, true, true]);
    expect(cancelPauses.at(-1)).toBeGreaterThan(cancelPauses[0]!);
    expect(pauses).toHaveLength(8);
  });

  it('hands cancels and closes, and nothing else, to the transport as exits', async () => {
    script = () => ({ data: [] });
    const given: (boolean | undefined)[] = [];
    const send: HttpTransport['send'] = (request) => {
      given.push(request.isExit);
      return transport.send(request);
    };
    const by = client({ transport: { send, close: () => transport.close() } });
    for (const lane of ['read', 'open', 'close', 'cancel'] as const) await by.call(ENDPOINTS.positions, {}, { lane });
    expect(given).toEqual([false, false, true, true]);
  });

  it('counts requests, outcomes, rows and latencies', async () => {
    const by = client();
    script = () => ({ data: [quote] });
    for (let i = 0; i < 5; i++) await ask(ENDPOINTS.bookTickers, {}, by);
    script = (_asked, response) => {
      response.destroy();
      return null;
    };
    await ask(ENDPOINTS.cancelOrders, CASES['E15']?.[0] ?? {}, by);
    const counts = by.gauges.counts();
    expect(counts).toMatchObject({ requests: 6, unknown: 1, rateLimited: 0, rows: { C7: 5, C3: 1 } });
    expect(counts.endpoints.E7).toMatchObject({ requests: 5, accepted: 5 });
  });

  it('estimates the venue clock from public answers', async () => {
    const ahead = await startScriptedVenue(() => ({ data: [quote] }), 7_200_000);
    const far = new HttpTransport({ base: parseBaseUrl(ahead.url), clock });
    const venueClock = new VenueClock(clock);
    const skewed = client({ transport: far, venueClock });
    // An answer that took longer than a second does not count: on a busy machine more than five are needed.
    for (let asked = 0; venueClock.offset === null && asked < 50; asked++) await skewed.call(ENDPOINTS.bookTickers, {});
    expect(Math.abs((venueClock.offset ?? 0) - 7_200_000)).toBeLessThan(500);
    await far.close();
    await ahead.close();
  });

  it('never follows a redirect, so that no header reaches another server [N11]', async () => {
    const other = await startScriptedVenue(() => ({ data: [] }));
    script = (asked) => ({ status: 302, headers: { location: other.url + asked.target }, body: '' });
    expect((await ask(ENDPOINTS.positions, {}, client())).called).toMatchObject({ status: 'unknown', cause: 'redirect' });
    expect(other.asked).toHaveLength(0);
    await other.close();
  });
});
