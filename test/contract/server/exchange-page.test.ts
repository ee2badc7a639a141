/** The exchange's web page and its data: access, content policy, and what is shown or never shown. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { ENDPOINT_LIST } from '../../../src/contract/endpoints/endpoints.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import type { InstrumentSpec } from '../../../src/domain/instrument.ts';
import { BUY } from '../../../src/domain/codes.ts';
import { DAY_MS } from '../../../src/base/time/time-spans.ts';
import { BUCKET_MS } from '../../../src/sim/state/market/stats.ts';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { createPage } from '../../../src/edge/page/page.ts';
import { announcement } from '../../../src/run/exchange/announcement.ts';
import { openExchange, untilMarketOpens, type RunningExchange } from '../../../src/run/exchange/exchange.ts';
import { liveView, ROWS } from '../../../src/run/exchange/views/live-view.ts';
import { RecentFills } from '../../../src/run/exchange/views/recent-fills.ts';
import { RequestCounters } from '../../../src/run/exchange/views/request-counters.ts';
import type { ExchangeOptions } from '../../../src/run/setup/options.ts';
import { START, startExchange } from '../../support/exchange/exchange-kit.ts';
import { exchangeOptions, signedSend } from '../../support/exchange/served-kit.ts';

const quiet = createLog({ level: 'silent', form: 'json' });
let running: RunningExchange | null = null;
afterEach(async () => {
  await running?.close();
  running = null;
});

async function open(options: Partial<ExchangeOptions> = {}): Promise<string> {
  running = await openExchange(exchangeOptions(options), quiet);
  await untilMarketOpens(running);
  return running.url;
}

interface Live {
  readonly symbols: { total: number; rows: { symbol: string; product: string; bid: string; ask: string; orders: number }[] };
  readonly accounts: { total: number; rows: { account: string; key: string; equity: string; orders: number }[] };
  readonly positions: { total: number; rows: Record<string, string>[] };
  readonly orders: { total: number; rows: Record<string, string>[] };
  readonly fills: { total: number; rows: Record<string, unknown>[] };
  readonly requests: { asked: number; refused: number; rows: { id: string; asked: number; refused: number; lastRefusal: string }[] };
  readonly [fact: string]: unknown;
}

async function live(url: string, query = ''): Promise<Live> {
  const { body, headers, statusCode } = await request(`${url}/live.json${query}`);
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/json', 'no-store']);
  return (await body.json()) as Live;
}

const ORDER = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.002', side: 'LONG', tradeSide: 'OPEN' };
const place = (url: string, more: object, account = 0): Promise<Record<string, unknown>> =>
  signedSend(url, account, 'POST', '/api/v1/future/order/place-order', { ...ORDER, ...more });

describe('the data of accounts on the page', () => {
  it('the reason of each refused request, with its content', async () => {
    const url = await open();
    await place(url, { orderType: 'MARKET', size: '0.00001' });
    await signedSend(url, 0, 'POST', '/api/v1/future/order/batch-cancel-orders', { orderIdList: [{ clientOid: 'none' }] });
    await request(`${url}/api/v1/nothing`);
    const { refusals } = (await live(url)) as unknown as { refusals: { total: number; rows: Record<string, string>[] } };
    expect(refusals.total).toBe(3);
    expect(refusals.rows.map((row) => [row['endpoint'], row['code'], row['msg']])).toEqual([
      ['', '40404', 'Request path does not exist'],
      ['E15', '40001', 'Order not found'],
      ['E12', '40016', 'Open Size decimal precision is too high'],
    ]);
    expect(refusals.rows[2]).toMatchObject({ key: 'demo-key' });
    expect(refusals.rows[2]!['asked']).toContain('"size":"0.00001"');
    expect(refusals.rows[1]!['asked']).toContain('"clientOid":"none"');
  });

  it('ids of orders, bracket and liquidation price of positions, coins, and the size taken from the book', async () => {
    const url = await open();
    const bid = Number((await live(url)).symbols.rows[0]!.bid);
    const presetStopLossPrice = (bid * 0.95).toFixed(1);
    expect(await place(url, { orderType: 'MARKET', presetStopLossPrice, size: '0.5' })).toMatchObject({ code: '00000' });
    expect(await place(url, { orderType: 'LIMIT', price: '20000.0', clientOid: 'mine' })).toMatchObject({ code: '00000' });
    // A different query, because an answer younger than 200 ms is repeated.
    const view = (await live(url, '?find=BTC')) as unknown as Record<
      'orders' | 'positions' | 'spot' | 'symbols',
      { rows: Record<string, any>[] }
    >;
    expect(view.orders.rows.find((row) => row['clientOid'] === 'mine')?.['orderId']).toMatch(/^fu-\d+$/);
    const [position] = view.positions.rows;
    expect(Number(position!['exits'][0].stopLoss)).toBe(Number(presetStopLossPrice));
    expect(position).toHaveProperty('liquidation');
    expect(Number(position!['liquidation'])).toBeLessThan(bid);
    expect(view.spot.rows).toContainEqual({ account: 'account-1', coin: 'USDT', free: '10000', locked: '0' });
  });
});

describe('the page', () => {
  it('is one document, and its policy allows only its own script and style', async () => {
    const url = await open();
    const { body, headers } = await request(`${url}/?find=btc`);
    const html = await body.text();
    const policy = String(headers['content-security-policy']);
    const inside = (name: string): string => new RegExp(`<${name}>([\\s\\S]*)</${name}>`).exec(html)?.[1] ?? '';
    for (const [name, rule] of [
      ['script', 'script-src'],
      ['style', 'style-src'],
    ] as const) {
      expect(inside(name).length).toBeGreaterThan(1000);
      const hash = createHash('sha256').update(inside(name)).digest('base64');
      expect(policy).toContain(`${rule} 'sha256-${hash}'`);
      expect(html.match(new RegExp(`<${name}[ >]`, 'g'))).toHaveLength(1);
    }
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
  });

  it('loads nothing else, has no inline code or style, and writes only text', async () => {
    const url = await open();
    const html = await (await request(url)).body.text();
    expect(html).not.toMatch(/(?:src|href|url\()\s*=?\s*["']?(?:https?:)?\/\//);
    expect(html).not.toMatch(/<[^>]*\s(?:on\w+|style)\s*=/);
    expect(html).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function|cssText/);
    for (const id of ['facts', 'symbols', 'accounts', 'positions', 'orders', 'fills', 'requests']) expect(html).toContain(`id="${id}"`);
  });
});

describe('the description of the interface', () => {
  it('names its own exchange as the server', async () => {
    const url = await open();
    const { body, headers } = await request(`${url}/openapi.json`);
    const document = (await body.json()) as { servers: { url: string }[]; paths: object };
    expect(headers['content-type']).toBe('application/json');
    const paths = Object.keys(document.paths);
    expect(paths).toHaveLength(20);
    const ticker = new URL(`${document.servers[0]!.url}api/v1/future/market/book-ticker`, `${url}/openapi.json`);
    expect(paths).toContain(ticker.pathname);
    expect((await request(ticker)).statusCode).toBe(200);
  });
});

describe('the text printed at start', () => {
  it('starts with the address alone and names market, accounts, ledger and page', async () => {
    const options = exchangeOptions({});
    const url = await open();
    const lines = announcement(options, running!).split('\n');
    expect(lines[0]).toBe(`listening on ${url}`);
    const said = lines.map((line) => line.replace(/ {2,}/g, ' | '));
    expect(said).toContain('market | a synthetic market, seed 1, at 1× real time');
    expect(said).toContain('futures | BTCUSDT ETHUSDT');
    expect(said).toContain('account | key=demo-key-2 secret=demo-secret-2 passphrase=demo-pass-2 | (10000 USDT, 1 BTC)');
    expect(said).toContain(`page | ${url}/`);
    const asked = lines.at(-1)!.match(/'(http[^']+)'/)![1]!;
    expect((await request(asked)).statusCode).toBe(200);
  });

  it('stays short with a thousand symbols and accounts', async () => {
    const [first] = defaultConfig().instruments;
    const instruments = Array.from({ length: 1000 }, (_, k): InstrumentSpec => ({ ...first!, symbol: `S${k}USDT`, baseCoin: `S${k}` }));
    const options = exchangeOptions({ config: { ...defaultConfig(), instruments } }, 1000);
    await open({ ...options, accounts: options.accounts.slice(0, 1) });
    const text = announcement(options, running!);
    expect(text).toContain('S9USDT and 990 more');
    expect(text).toContain('1000 accounts in all: key=demo-key-1000');
    expect(text.split('\n').length).toBeLessThan(16);
    expect(announcement({ ...options, page: 'nobody' }, running!)).not.toContain('page');
  });
});

describe('access to the page', () => {
  const page = (viewers: 'here' | 'everyone' | 'nobody'): ReturnType<typeof createPage> =>
    createPage({
      viewers,
      live: () => '{}',
      market: () => 'null',
      library: () => ({ script: 'charts', styles: [] }),
      choices: {},
      admin: () => ({ status: 200, text: '{}' }),
    });
  const from = (host: string | undefined, remoteAddress: string | undefined, path = '/'): Parameters<ReturnType<typeof createPage>>[0] => ({
    method: 'GET',
    path,
    query: new URLSearchParams(),
    authorization: '',
    site: '',
    body: Buffer.alloc(0),
    host,
    remoteAddress,
  });

  it.each([
    ['127.0.0.1:8420', '127.0.0.1', 200],
    ['localhost:8420', '::1', 200],
    ['[::1]:8420', '::ffff:127.0.0.1', 200],
    ['LOCALHOST', '127.0.0.1', 200],
    ['evil.example:8420', '127.0.0.1', 403],
    ['127.0.0.1.evil.example', '127.0.0.1', 403],
    ['localhost.evil.example', '127.0.0.1', 403],
    ['127.0.0.1:8420', '192.168.1.7', 403],
    ['127.0.0.1:8420', '::ffff:10.0.0.1', 403],
    [undefined, '127.0.0.1', 403],
    ['127.0.0.1', undefined, 403],
  ])('%s from %s: %i', (host, address, status) => {
    for (const path of ['/', '/live.json']) {
      expect(page('here')(from(host, address, path))?.status).toBe(status);
      expect(page('everyone')(from(host, address, path))?.status).toBe(200);
      expect(page('nobody')(from(host, address, path))).toBeNull();
    }
  });

  it('is refused for a foreign host name that resolves to this machine, if exchange.page is here', async () => {
    const url = await open();
    const { statusCode, body } = await request(`${url}/live.json`, { headers: { host: 'rebound.example' } });
    expect([statusCode, await body.text()]).toEqual([403, expect.not.stringContaining('demo')]);
  });
});

describe('one market, and commands of the page', () => {
  const TOKEN = 'token-of-the-test';
  const command = async (
    url: string,
    [method, path]: readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string],
    given: object | null,
    headers: Record<string, string> = {},
  ): Promise<[status: number, text: string]> => {
    const own = { authorization: `Bearer ${TOKEN}`, 'sec-fetch-site': 'same-origin', ...headers };
    const { statusCode, body } = await request(`${url}/admin/${path}`, {
      method,
      headers: own,
      ...(given === null ? {} : { body: JSON.stringify(given) }),
    });
    return [statusCode, await body.text()];
  };
  const BY_HAND = {
    account: 'account-1',
    endpoint: 'E12',
    params: { ...ORDER, orderType: 'LIMIT', price: '100.0' },
  };

  it('shows candles by the minute, the quote and what rests here; and null for a market that has none', async () => {
    const url = await open();
    await place(url, { orderType: 'LIMIT', price: '100.0' });
    await place(url, { orderType: 'LIMIT', price: '100.0', size: '0.003' });
    const { body } = await request(`${url}/market.json?symbol=BTCUSDT`);
    const market = (await body.json()) as { bars: (number | string)[][]; bids: Record<string, string>[]; asks: Record<string, string>[] };
    expect(market.bids.at(-1)).toEqual({ price: '100.00', market: '', own: '0.005' });
    expect([Number(market.bids[0]!['market']) > 0, market.asks]).toEqual([
      true,
      [{ price: expect.any(String), market: expect.any(String), own: '' }],
    ]);
    for (const [time, first, high, low, close] of market.bars) {
      expect([Number(time) % 60_000, Number(low) <= Number(first), Number(close) <= Number(high)]).toEqual([0, true, true]);
    }
    for (const symbol of ['NEVERUSDT', '', '__proto__']) {
      expect(await (await request(`${url}/market.json?symbol=${symbol}`)).body.json()).toBeNull();
    }
  });

  it('places an order by hand and sets faults with the admin token', async () => {
    const url = await open({ admin: { port: 0, token: TOKEN, isGiven: true } });
    const [status, text] = await command(url, ['POST', 'call'], BY_HAND);
    expect([status, JSON.parse(text).code]).toEqual([200, '00000']);
    expect((await live(url)).orders.rows).toMatchObject([{ account: 'account-1', price: '100.00' }]);
    expect((await command(url, ['PUT', 'faults'], { rules: [{ fault: 'status', status: 503, endpoints: ['E7'] }] }))[0]).toBe(200);
    // Another question than before, whose answer is not kept.
    expect((await live(url, '?find=B'))['faults']).toMatchObject({ rules: 1, kinds: ['status'] });
    expect((await command(url, ['DELETE', 'faults'], null))[0]).toBe(200);
    expect((await live(url, '?find=BT'))['faults']).toBeNull();
  });

  it.each([
    ['no token', { authorization: '' }, 401],
    ['a wrong token', { authorization: 'Bearer guess' }, 401],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another port of this machine', { 'sec-fetch-site': 'same-site' }, 403],
    ['a program', { 'sec-fetch-site': '' }, 403],
    ['a name that was made to point here', { host: 'rebound.example' }, 403],
  ])('refuses %s', async (_who, headers, status) => {
    const url = await open({ admin: { port: 0, token: TOKEN, isGiven: true }, page: 'everyone' });
    expect((await command(url, ['POST', 'call'], BY_HAND, headers))[0]).toBe(status);
    expect((await live(url)).orders.total).toBe(0);
  });

  it('says how to start an exchange that has no admin interface, and serves none without a page', async () => {
    expect(await command(await open(), ['POST', 'call'], BY_HAND)).toEqual([404, expect.stringContaining('--admin-port')]);
    await running!.close();
    const hidden = await open({ admin: { port: 0, token: TOKEN, isGiven: true }, page: 'nobody' });
    expect((await command(hidden, ['POST', 'call'], BY_HAND))[0]).toBe(404);
  });

  it('tells whoever guesses tokens to wait', async () => {
    const url = await open({ admin: { port: 0, token: TOKEN, isGiven: true } });
    const guesses = [];
    for (let k = 0; k < 21; k++) guesses.push((await command(url, ['POST', 'call'], BY_HAND, { authorization: `Bearer ${k}` }))[0]);
    expect(guesses).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
    expect((await command(url, ['GET', 'requests'], null))[0]).toBe(200);
  });
});

describe('the data of the page', () => {
  it('contains markets, accounts, orders, fills, positions and requests, and no secret', async () => {
    const url = await open({ state: null });
    const resting = await place(url, { orderType: 'LIMIT', price: '100.0', clientOid: 'rests', presetStopLossPrice: '90.0' });
    await place(url, { orderType: 'MARKET', clientOid: 'fills' }, 1);
    await place(url, { orderType: 'MARKET', size: '0', clientOid: 'never' });
    const view = await live(url);
    expect(view).toMatchObject({ market: 'a synthetic market, seed 1', speed: 1, ledger: null, place: null, faults: null, find: '' });
    expect(view.symbols.total).toBe(view.symbols.rows.length);
    const market = view.symbols.rows[0]!;
    expect([market.symbol, market.product, market.orders]).toEqual(['BTCUSDT', 'futures', 1]);
    expect(Number(market.bid)).toBeLessThan(Number(market.ask));
    expect(view.accounts.rows.map((row) => [row.account, row.key, row.orders])).toEqual([
      ['account-1', 'demo-key', 1],
      ['account-2', 'demo-key-2', 0],
    ]);
    expect(view.orders).toMatchObject({
      total: 1,
      rows: [
        {
          account: 'account-1',
          orderId: (resting['data'] as { orderId: string }).orderId,
          clientOid: 'rests',
          price: '100.00',
          stopLoss: '90.00',
        },
      ],
    });
    expect(view.fills.rows[0]).toMatchObject({ account: 'account-2', symbol: 'BTCUSDT', side: 'LONG', effect: 'OPEN', liquidity: 'taker' });
    expect(view.positions).toMatchObject({ total: 1, rows: [{ account: 'account-2', side: 'LONG', size: '0.002', marginMode: 'CROSS' }] });
    expect(view.requests).toMatchObject({ asked: 3, refused: 1 });
    expect(view.requests.rows.map((row) => row.id)).toEqual(ENDPOINT_LIST.map((endpoint) => endpoint.id));
    expect(view.requests.rows[11]).toMatchObject({ id: 'E12', asked: 3, refused: 1, lastRefusal: expect.stringMatching(/^4\d{4} \S/) });
    expect(JSON.stringify(view)).not.toMatch(/demo-secret|demo-pass/);
  });

  it('counts all fills of the ledger, also from earlier processes', async () => {
    const state = mkdtempSync(join(tmpdir(), 'tickwright-page-'));
    try {
      // Each order takes the smallest size from another side of a book. Taken size returns only when that side changes.
      const sides = [{ side: 'LONG' }, { side: 'SHORT' }, { symbol: 'ETHUSDT' }];
      for (const [k, where] of sides.entries()) {
        const so = k + 1;
        const url = await open({ state });
        const order = { orderType: 'MARKET', clientOid: `fill-${so}`, size: so === 3 ? '0.01' : '0.001', ...where };
        expect(await place(url, order)).toMatchObject({ code: '00000' });
        const { fills } = await live(url);
        expect([fills.total, fills.rows[0]?.['fill']]).toEqual([so, so]);
        await running?.close();
      }
    } finally {
      rmSync(state, { recursive: true });
    }
  });

  it('contains hostile names as JSON strings that a reader decodes unchanged', async () => {
    const hostile = '</script><img src=x onerror=alert(1)>';
    const specs: readonly InstrumentSpec[] = [{ ...defaultConfig().instruments[0]!, symbol: hostile }];
    const url = await open({ config: { ...defaultConfig(), instruments: specs } });
    const view = await live(url, `?find=${encodeURIComponent('</SCRIPT>')}`);
    expect(view.symbols.rows.map((row) => row.symbol)).toEqual([hostile]);
    const html = await (await request(`${url}/?find=${encodeURIComponent(hostile)}`)).body.text();
    expect(html).not.toContain('onerror');
  });

  it('contains a client id exactly as it was sent', async () => {
    const url = await open();
    const clientOid = '<b onclick=x>&"\u202e';
    expect(await place(url, { orderType: 'LIMIT', price: '100.0', clientOid })).toMatchObject({ code: '00000' });
    expect((await live(url)).orders.rows[0]).toMatchObject({ clientOid });
  });

  it('contains the faults of a plan and how often they occurred', async () => {
    const plan = {
      rules: [
        { fault: 'status', status: 503, endpoints: ['E7'] },
        { fault: 'empty', endpoints: ['E7'], probability: 0 },
      ],
    };
    const url = await open({ faults: { plan, file: 'plan.yaml' } });
    expect((await live(url))['faults']).toEqual({ rules: 2, kinds: ['status', 'empty'], struck: 0 });
    expect((await request(`${url}/api/v1/future/market/book-ticker`)).statusCode).toBe(503);
    expect((await live(url, '?find=x'))['faults']).toEqual({ rules: 2, kinds: ['status', 'empty'], struck: 1 });
  });

  it('finds symbols by part of their name, in any case, and sorts them', async () => {
    const url = await open();
    await place(url, { symbol: 'ETHUSDT', size: '0.01', orderType: 'LIMIT', price: '100.00', clientOid: 'eth' });
    const found = await live(url, '?find=eth');
    expect(found.symbols.rows.map((row) => `${row.product} ${row.symbol}`)).toEqual(['futures ETHUSDT', 'spot ETHUSDT']);
    expect((await live(url, '?find=btc')).orders).toEqual({ total: 0, rows: [] });
    expect((await live(url, '?sort=orders')).symbols.rows[0]?.symbol).toBe('ETHUSDT');
    expect((await live(url, '?sort=symbol')).symbols.rows.map((row) => row.symbol)).toEqual(['BTCUSDT', 'BTCUSDT', 'ETHUSDT', 'ETHUSDT']);
    expect((await live(url, '?sort=nonsense&find=none')).symbols).toEqual({ total: 0, rows: [] });
  });

  it('says which time the change of a market covers: a day only if its first trade is a day old', async () => {
    const { sim, instruments, close } = await startExchange({ withoutMarket: true });
    const facts = { startedAt: START, market: '', speed: 1, fillModel: 'touch', ledger: null, resumed: false };
    const now = (): number => START;
    const counted = { requests: new RequestCounters(now), fills: new RecentFills(ROWS, null) };
    const none = { place: () => null, upstream: () => null, faults: () => [], idsOf: () => ({ orderId: '', clientOid: '' }) };
    const sources = { sim, instruments, keys: [], facts, now, ...counted, ...none };
    const covered = (): number | null | undefined => liveView(sources, { find: 'BTC', sort: 'listed' }).symbols.rows[0]?.coveredMs;
    expect(covered()).toBe(null);
    for (const [age, expected] of [
      [0, 0],
      [600_000, 600_000],
      [DAY_MS - BUCKET_MS - 1, DAY_MS - BUCKET_MS - 1],
      [DAY_MS - BUCKET_MS, DAY_MS],
      [DAY_MS, DAY_MS],
      [DAY_MS + BUCKET_MS - 1, DAY_MS],
    ] as const) {
      for (const { index, symbol } of instruments) {
        if (symbol === 'BTCUSDT') sim.trade(index, 600_000, 1, BUY, START + age, age + 1);
      }
      expect([age, covered()]).toEqual([age, expected]);
    }
    await close();
  });

  it('stays small and fast with 1,000 symbols and 20 accounts', async () => {
    const [first] = defaultConfig().instruments;
    const specs = Array.from({ length: 1000 }, (_, k): InstrumentSpec => ({ ...first!, symbol: `S${k}USDT`, baseCoin: `S${k}` }));
    await open({ config: { ...defaultConfig(), instruments: specs }, accounts: exchangeOptions({}, 20).accounts });
    const { sim, url } = running!;
    const view = await live(url, '?sort=volume');
    expect([view.symbols.total, view.symbols.rows.length]).toEqual([1000, ROWS]);
    expect([view.accounts.total, view.accounts.rows.length]).toEqual([20, 20]);
    expect(sim.equity(0)).toBeGreaterThan(0);
    const sizes: number[] = [];
    const times: number[] = [];
    for (const sort of ['listed', 'symbol', 'change', 'volume', 'orders', 'listed', 'volume']) {
      const started = performance.now();
      sizes.push(JSON.stringify(await live(url, `?sort=${sort}`)).length);
      times.push(performance.now() - started);
    }
    console.info(`live.json of 1,000 symbols: ${times.map((time) => time.toFixed(1)).join(', ')} ms`);
    expect(Math.min(...times)).toBeLessThan(500);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
  });
});
