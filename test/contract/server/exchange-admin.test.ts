/** The admin interface of a running exchange: access, commands, and its entries in the ledger. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AssertionError } from '../../../src/base/failure/assert.ts';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { openExchange, untilMarketOpens, type RunningExchange } from '../../../src/run/exchange/exchange.ts';
import type { ExchangeOptions } from '../../../src/run/setup/options.ts';
import { OPERATOR_COMMANDS } from '../../../src/sim/api/operator-commands.ts';
import { exchangeOptions, signedSend } from '../../support/exchange/served-kit.ts';
import { limitOrder } from '../../support/exchange/exchange-kit.ts';

const quiet = createLog({ level: 'silent', form: 'json' });
const TOKEN = 'a-token-of-a-test';
let folder = '';
let running: RunningExchange | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'admin-'));
});
afterEach(async () => {
  await running?.close();
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: Partial<ExchangeOptions> = {}): Promise<RunningExchange> {
  const access = { port: 0, token: TOKEN, isGiven: true };
  running = await openExchange(exchangeOptions({ state: folder, admin: access, ...options }), quiet);
  await untilMarketOpens(running);
  return running;
}

interface Reply {
  readonly status: number;
  readonly body: any;
}

async function command(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, given?: unknown, headers: object = {}): Promise<Reply> {
  const { statusCode, body } = await request(`${running!.adminUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    ...(given === undefined ? {} : { body: typeof given === 'string' ? given : JSON.stringify(given) }),
  });
  return { status: statusCode, body: await body.json() };
}

const ORDER = limitOrder({ size: '0.002', price: '20000.0' });
const place = (clientOid: string): Promise<Record<string, unknown>> =>
  signedSend(running!.url, 0, 'POST', '/api/v1/future/order/place-order', { ...ORDER, clientOid });

describe('an exchange whose books are inconsistent', () => {
  it.each(['its memory', 'a ledger'])('stops, with its state in %s', async (where) => {
    const exchange = await open({ state: where === 'a ledger' ? folder : null });
    exchange.sim.place = () => {
      throw new AssertionError('the books are broken');
    };
    expect(await place('one')).toMatchObject({ code: '50000', msg: 'System error' });
    expect((await exchange.failed).message).toContain('the books are broken');
  });

  it('stops if an operator command broke them', async () => {
    const exchange = await open({ state: null });
    exchange.sim.deposit = () => {
      throw new AssertionError('the books are broken');
    };
    const given = { account: 'account-1', wallet: 'futures', coin: 'USDT', amount: '1' };
    expect((await command('POST', '/deposit', given)).status).toBe(500);
    expect((await exchange.failed).message).toBe('the books are broken');
  });
});

describe('access', () => {
  it.each<[string, object, number]>([
    ['no token', { authorization: '' }, 401],
    ['another token', { authorization: 'Bearer a-token-of-a-tesT' }, 401],
    ['a token in another form', { authorization: `Basic ${TOKEN}` }, 401],
    ['another host name, as in DNS rebinding', { host: 'evil.example:80' }, 403],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('is refused with %s', async (_name, headers, status) => {
    await open();
    const reply = await command('GET', '', undefined, headers);
    expect(reply.status).toBe(status);
    expect(reply.body.problems[0].what).toContain('expected');
    expect(JSON.stringify(reply.body)).not.toContain(TOKEN);
  });

  it('tells wrong tokens to wait after twenty of them, and never the right one', async () => {
    await open();
    const wrong = (k: number): Promise<{ status: number }> => command('GET', '', undefined, { authorization: `Bearer wrong-${k}` });
    for (let k = 0; k < 20; k++) expect((await wrong(k)).status).toBe(401);
    expect((await wrong(20)).status).toBe(429);
    expect((await command('GET', '')).status).toBe(200);
  });

  it('is possible at the address of the exchange for its own page alone, and nowhere without being enabled', async () => {
    const { url } = await open();
    for (const site of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }]) {
      const answer = await request(`${url}/admin`, { headers: { authorization: `Bearer ${TOKEN}`, ...site } });
      expect([answer.statusCode, await answer.body.text()]).toEqual([403, expect.stringContaining('the page of this exchange')]);
    }
    await running!.close();
    expect((await open({ admin: undefined })).adminUrl).toBeNull();
  });
});

describe('commands', () => {
  it('lists its routes', async () => {
    await open();
    const { body } = await command('GET', '');
    for (const name of Object.keys(OPERATOR_COMMANDS)) expect(body).toHaveProperty([`POST /admin/${name}`, 'doc']);
    expect(body['PUT /admin/faults'].faults).toHaveProperty(['late', 'ms']);
  });

  it('refuses unknown input with an explanation', async () => {
    await open();
    expect(await command('POST', '/spikes', {})).toMatchObject({
      status: 404,
      body: { problems: [{ hint: 'did you mean "POST /admin/spike"?' }] },
    });
    expect(await command('POST', '/spike', { symbol: 'BTCUSDT', precent: 1 })).toMatchObject({ status: 400 });
    expect(await command('POST', '/spike', '{"symbol":"A","symbol":"B"}')).toMatchObject({
      status: 400,
      body: { problems: [{ what: 'Duplicate key symbol' }] },
    });
    expect((await command('PUT', '/faults', { rules: [{ fault: 'drip' }] })).body.code).toBe('fault-plan');
    expect((await command('PUT', '/faults', { rules: [{ fault: 'drip' }] })).body.problems[0].hint).toBe('did you mean "drop"?');
    expect(await command('POST', '/spike', 'x'.repeat(300_000))).toMatchObject({ status: 413 });
    expect(await command('GET', '/ledger?from=3')).toMatchObject({ status: 400 });
    expect(await command('GET', '/ledger?limit=0')).toMatchObject({ status: 400 });
    expect(await command('GET', '/ledger?kinds=fills')).toMatchObject({ status: 400 });
    expect(readLedger(folder).commands).toEqual([]);
  });

  it('executes commands, explains refusals, and the ledger has both', async () => {
    await open();
    await place('mine');
    const call = { account: 'account-1', endpoint: 'E12', params: { ...ORDER, clientOid: 'human' } };
    expect((await command('POST', '/call', call)).body).toMatchObject({ done: true, code: '00000' });
    expect(await command('POST', '/cancel', { orderId: 'fu-1' })).toEqual({ status: 200, body: { done: true } });
    expect(await command('POST', '/cancel', { orderId: 'fu-1' })).toEqual({ status: 409, body: { refused: 'order-not-found' } });
    const { commands, orders } = readLedger(folder);
    expect(commands.map(({ name, result }) => [name, result['done'] ?? result['refused']])).toEqual([
      ['call', true],
      ['cancel', true],
      ['cancel', 'order-not-found'],
    ]);
    expect(orders.map(({ order, request: by, endedBy }) => [order['clientOid'], by?.body.includes('mine') ?? null, endedBy])).toEqual([
      ['mine', true, commands[1]!.request],
      ['human', null, 0],
    ]);
  });

  it('sets faults at run time, counts them, and removes them', async () => {
    await open();
    expect((await command('PUT', '/faults', { rules: [{ fault: 'status', endpoints: ['E12'], status: 503 }] })).status).toBe(200);
    expect(await place('a')).toMatchObject({ code: '50010' });
    expect((await command('GET', '/faults')).body.rules).toEqual([{ fault: 'status', phase: 'after', seen: 1, struck: 1 }]);
    expect((await command('DELETE', '/faults')).body.rules[0].struck).toBe(1);
    expect(await place('a')).toMatchObject({ code: '40011' });
    const { faults, requests } = readLedger(folder);
    expect(faults).toMatchObject([{ fault: 'status', phase: 'after', rule: 1, endpoint: 'E12', account: 'account-1', asked: '' }]);
    expect(requests.find(({ request: no }) => no === faults[0]!.request)?.body).toContain('"clientOid":"a"');
  });

  it('identifies a request that never reached the venue by its bytes', async () => {
    await open({ faults: { plan: { rules: [{ fault: 'status', phase: 'before', endpoints: 'writes' }] }, file: 'plan' } });
    await place('lost');
    const { faults, requests } = readLedger(folder);
    expect(requests).toEqual([]);
    expect(faults).toMatchObject([{ request: 0, asked: JSON.stringify({ ...ORDER, clientOid: 'lost' }) }]);
  });

  it('returns the ledger page by page, complete or only some kinds', async () => {
    await open();
    for (let k = 0; k < 30; k++) await place(`p-${k}`);
    const seen: { n: number; kind: string }[] = [];
    let from = 0;
    for (let isEnd = false; !isEnd;) {
      const { body } = await command('GET', `/ledger?from=${from}&limit=7`);
      expect(body.lines.length).toBeLessThanOrEqual(7);
      seen.push(...body.lines);
      ({ next: from, isEnd } = body);
    }
    expect(seen.map(({ n }) => n)).toEqual(seen.map((_, k) => k + 1));
    expect(seen.filter(({ kind }) => kind === 'order')).toHaveLength(30);
    const requests = (await command('GET', '/ledger?kinds=request,fault')).body.lines;
    expect(requests).toHaveLength(30);
    expect((await command('GET', `/ledger?from=${from}`)).body).toEqual({ next: from, isEnd: true, missing: 0, lines: [] });
  });

  it('reports that there is no ledger', async () => {
    await open({ state: null });
    expect((await command('GET', '/ledger')).body.problems[0]).toMatchObject({ hint: 'start it with --state FOLDER' });
    expect((await command('POST', '/freeze', { symbol: 'BTCUSDT' })).status).toBe(200);
  });
});
