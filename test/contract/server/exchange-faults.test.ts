/** Each fault as the caller sees it, and the venue's state after it. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ENDPOINT_LIST, ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { success, type Handler } from '../../../src/contract/envelope.ts';
import { readFaultPlan } from '../../../src/edge/serve/faults/fault-plan.ts';
import { Faults, type FaultNote } from '../../../src/edge/serve/faults/faults.ts';
import { startServer, type RunningServer } from '../../../src/edge/serve/server.ts';
import { eventually } from '../../support/eventually.ts';
import { ALICE, send, signedHeaders, type HttpReply } from '../../support/exchange/exchange-client.ts';

const NOW = 1_700_000_000_000;
const PLACE = ENDPOINTS.placeOrder.path;
const BOOKS = ENDPOINTS.bookTickers.path;

let running: RunningServer | null = null;
let acted: string[] = [];
/** Time when the venue acted, by the clock of this process. */
let actedAt: number[] = [];
let told: FaultNote[] = [];
let now = NOW;
afterEach(async () => {
  await running?.close(0);
  running = null;
});

const handler: Handler = (endpoint, request) => {
  acted.push(request.body === '' ? request.target : request.body);
  actedAt.push(performance.now());
  return { httpStatus: 200, envelope: success({ path: endpoint.path, asked: request.body || request.target, count: acted.length }, now) };
};

interface Harmed {
  readonly url: string;
  readonly faults: Faults;
}

async function serve(...rules: object[]): Promise<Harmed> {
  acted = [];
  actedAt = [];
  told = [];
  now = NOW;
  const faults = new Faults({ now: () => now, report: (note) => told.push(note) });
  faults.set(readFaultPlan({ seed: 5, rules }, 'plan'));
  running = await startServer({ handler, accounts: [ALICE], now: () => now, port: 0, faults });
  return { url: running.url, faults };
}

function post(url: string, body: string): Promise<HttpReply> {
  const signed = signedHeaders(ALICE, String(now), 'POST', PLACE, body);
  return send(url, 'POST', PLACE, body, { 'content-type': 'application/json', ...signed });
}

const get = (url: string, query = ''): Promise<HttpReply> => send(url, 'GET', `${BOOKS}${query}`, '', {});

/** Time that a connection stays open that nothing ends. */
const QUIET_MS = 100;

/**
 * Reads a bare socket until it ends, or has stayed open for a while after the fault was told and the text fits. Returns the text and how the
 * connection ended.
 */
function raw(url: string, has = /^/): Promise<{ text: string; end: 'open' | 'end' | 'reset' }> {
  const { hostname, port } = new URL(url);
  const body = '{"a":1}';
  const headers = Object.entries(signedHeaders(ALICE, String(now), 'POST', PLACE, body)).map(([k, v]) => `${k}: ${v}\r\n`);
  const head = `POST ${PLACE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(`${head}${headers.join('')}\r\n${body}`));
    const finish = (end: 'open' | 'end' | 'reset'): void => {
      clearInterval(timer);
      socket.destroy();
      resolve({ text, end });
    };
    let quietMs = 0;
    const timer = setInterval(() => {
      if (told.length > 0 && has.test(text)) quietMs += 10;
      if (quietMs > QUIET_MS) finish('open');
    }, 10);
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('end', () => finish('end'));
    socket.on('error', () => finish('reset'));
  });
}

describe('a request that meets a fault', () => {
  it.each<[string, object, { acted: number; end: string; has: RegExp }]>([
    ['is dropped before', { fault: 'drop', phase: 'before' }, { acted: 0, end: 'open', has: /^$/ }],
    ['is dropped after', { fault: 'drop' }, { acted: 1, end: 'open', has: /^$/ }],
    ['is reset before', { fault: 'reset', phase: 'before' }, { acted: 0, end: 'reset', has: /^$/ }],
    ['is reset after', { fault: 'reset', phase: 'after' }, { acted: 1, end: 'reset', has: /^$/ }],
    [
      'is reset mid body',
      { fault: 'reset', phase: 'answer', share: 0.5 },
      { acted: 1, end: 'reset', has: /^$|content-length: \d+\r\n\r\n\{"code".*[^}]$/ },
    ],
    [
      'has an answer shorter than declared',
      { fault: 'truncate' },
      { acted: 1, end: 'end', has: /content-length: \d+\r\n\r\n\{"code"[^]*[^}]$/ },
    ],
    [
      'has an answer without its last chunk',
      { fault: 'truncate', how: 'chunked', share: 1 },
      { acted: 1, end: 'end', has: /chunked\r\n\r\n[0-9a-f]+\r\n\{"code"[^]*\r\n$/ },
    ],
    [
      'has an answer that only the connection ends',
      { fault: 'truncate', how: 'close' },
      { acted: 1, end: 'end', has: /connection: close\r\n\r\n\{"code"[^]*[^}]$/ },
    ],
    [
      'is rate-limited',
      { fault: 'status', status: 429, retryAfter: 'soon' },
      { acted: 1, end: 'open', has: /^HTTP\/1\.1 429[^]*retry-after: soon[^]*"42900"/i },
    ],
    ['is answered by a gateway', { fault: 'status', phase: 'before' }, { acted: 0, end: 'open', has: /^HTTP\/1\.1 502[^]*"50010"/ }],
    [
      'gets a page',
      { fault: 'html', status: 503 },
      { acted: 1, end: 'open', has: /^HTTP\/1\.1 503[^]*text\/html[^]*<h1>503 Service Unavailable/ },
    ],
    [
      'gets nothing',
      { fault: 'empty', phase: 'before' },
      { acted: 0, end: 'open', has: /^HTTP\/1\.1 200[^]*content-length: 0\r\n[^]*\r\n\r\n$/ },
    ],
  ])('%s', async (_name, rule, expected) => {
    const { url } = await serve(rule);
    const { text, end } = await raw(url, expected.has);
    expect(acted).toHaveLength(expected.acted);
    expect(end).toBe(expected.end);
    expect(text).toMatch(expected.has);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ hasActed: expected.acted === 1, endpoint: 'E12', caller: ALICE.key, asked: '{"a":1}', rule: 1 });
  });

  it('is refused with any row of its error table, and nothing is executed', async () => {
    const { url } = await serve({ fault: 'refuse', endpoints: ['E12'], msg: 'Already ordering', skip: 1, count: 1 });
    expect((await post(url, '{"a":1}')).body.code).toBe('00000');
    const refused = await post(url, '{"a":2}');
    expect([refused.status, refused.body]).toEqual([400, { code: '40012', msg: 'Already ordering', requestTime: now, data: null }]);
    expect((await post(url, '{"a":3}')).body.code).toBe('00000');
    expect(acted).toEqual(['{"a":1}', '{"a":3}']);
    expect(told).toMatchObject([{ fault: 'refuse', phase: 'before', hasActed: false, asked: '{"a":2}' }]);
  });

  it.each(ENDPOINT_LIST.filter(({ errors }) => errors.length > 0).map((endpoint) => [endpoint.id, endpoint] as const))(
    'of %s can be refused with each row of its table',
    async (id, endpoint) => {
      const rules = endpoint.errors.map(({ msg }) => ({ fault: 'refuse', endpoints: [id], msg, count: 1 }));
      const { url } = await serve(...rules);
      const { method, path } = endpoint;
      for (const { code, msg } of endpoint.errors) {
        const body = method === 'POST' ? '{}' : '';
        const type = body === '' ? {} : { 'content-type': 'application/json' };
        const reply = await send(url, method, path, body, { ...signedHeaders(ALICE, String(now), method, path, body), ...type });
        expect([reply.body.code, reply.body.msg]).toEqual([code, msg]);
      }
    },
  );

  it('is answered late, before or after the venue acts', async () => {
    const after = await serve({ fault: 'delay', ms: 80 });
    expect((await post(after.url, '{"a":1}')).status).toBe(200);
    expect(performance.now() - actedAt[0]!).toBeGreaterThan(75);
    await running?.close(0);
    const before = await serve({ fault: 'delay', phase: 'before', ms: 80 });
    const started = performance.now();
    expect((await post(before.url, '{"a":1}')).body.data.count).toBe(1);
    expect(actedAt[0]! - started).toBeGreaterThan(75);
  });

  it('is executed late, after its caller disconnected', async () => {
    const { url } = await serve({ fault: 'late', ms: 1_000 });
    const started = performance.now();
    expect(await raw(url)).toEqual({ text: '', end: 'open' });
    await eventually(() => expect(acted).toEqual(['{"a":1}']));
    expect(actedAt[0]! - started).toBeGreaterThan(990);
  });

  it('is not executed after the exchange is closed', async () => {
    const { url } = await serve({ fault: 'late', ms: 2_000 });
    await raw(url);
    await running?.close(0);
    await sleep(2_200);
    expect(acted).toEqual([]);
  });

  it('is delivered twice, at once or later, and answered by either delivery', async () => {
    const first = await serve({ fault: 'duplicate' });
    expect((await post(first.url, '{"a":1}')).body.data.count).toBe(1);
    expect(acted).toEqual(['{"a":1}', '{"a":1}']);
    await running?.close(0);
    const second = await serve({ fault: 'duplicate', answer: 'second', ms: 30 });
    expect((await post(second.url, '{"a":1}')).body.data.count).toBe(2);
  });

  it('gets invalid JSON or wrong types, and never a success', async () => {
    for (const fault of ['malformed', 'wrong-types']) {
      const { url } = await serve({ fault, phase: 'before', endpoints: ['E7'] });
      for (let k = 0; k < 40; k++) {
        const { hostname, port } = new URL(url);
        const reply = await fetch(`http://${hostname}:${port}${BOOKS}`);
        const text = await reply.text();
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          value = undefined;
        }
        if (fault === 'malformed') expect(value, text).toBeUndefined();
        else expect((value as { code?: unknown } | null)?.code, text).not.toBe('00000');
      }
      expect(acted).toEqual([]);
      await running?.close(0);
    }
  });

  it('gets a huge body at the speed of reading, and the server does not buffer it', async () => {
    const { url } = await serve({ fault: 'huge', bytes: 200 << 20, endpoints: ['E7'], count: 1 });
    const before = process.memoryUsage().rss;
    const reply = await fetch(url + BOOKS);
    const reader = reply.body!.getReader();
    let bytes = 0;
    while (bytes < 2 << 20) bytes += (await reader.read()).value?.length ?? Infinity;
    await sleep(50);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
    await reader.cancel();
    expect((await get(url)).status).toBe(200);
  });

  it('gets an old answer with the current time', async () => {
    const { url } = await serve({ fault: 'stale', ms: 1_000, skip: 2 });
    await get(url);
    now = NOW + 900;
    await get(url);
    now = NOW + 1_100;
    expect((await get(url)).body).toMatchObject({ data: { count: 1 }, requestTime: NOW + 1_100 });
    now = NOW + 2_000;
    expect((await get(url)).body.data.count).toBe(2);
    expect((await get(url, '?symbol=OTHER')).body.data.count).toBe(5);
    expect(told).toHaveLength(2);
    expect(told[0]).toMatchObject({ fault: 'stale', asked: BOOKS, caller: null });
  });

  it('is overtaken by a later one', async () => {
    const { url } = await serve({ fault: 'reorder', every: 2, endpoints: ['E7'] });
    const order: number[] = [];
    const ask = async (): Promise<void> => void order.push((await get(url)).body.data.count);
    await ask();
    const second = ask();
    await eventually(() => expect(acted).toHaveLength(2));
    await ask();
    await second;
    expect(order).toEqual([1, 3, 2]);
  });

  it('gets the answer to another one', async () => {
    const { url } = await serve({ fault: 'mixup', endpoints: ['E12'] });
    expect((await post(url, '{"a":1}')).body.data.asked).toBe('{"a":1}');
    expect((await post(url, '{"a":2}')).body.data.asked).toBe('{"a":1}');
    expect(told).toHaveLength(1);
  });

  it('gets a wrong time', async () => {
    const { url } = await serve({ fault: 'skew', ms: -3_600_000 });
    expect((await get(url)).body.requestTime).toBe(NOW - 3_600_000);
  });
});

describe('the plan', () => {
  it('applies to every n-th request, after some, and up to a maximum', async () => {
    const { url, faults } = await serve({ fault: 'skew', ms: 1, every: 3, skip: 2, count: 2, endpoints: ['E7'] });
    const times: number[] = [];
    for (let k = 0; k < 14; k++) times.push((await get(url)).body.requestTime - NOW);
    expect(times).toEqual([0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    expect(faults.counts()).toEqual([{ fault: 'skew', phase: 'answer', seen: 14, struck: 2 }]);
  });

  it('gives the same faults for the same seed and order of requests', async () => {
    const rules = [
      { fault: 'skew', ms: 1, probability: 0.3 },
      { fault: 'status', status: 500, probability: 0.3 },
    ];
    const runs: string[] = [];
    for (let run = 0; run < 2; run++) {
      const { url } = await serve(...rules);
      const seen: string[] = [];
      for (let k = 0; k < 40; k++) {
        const { status, body } = await get(url);
        seen.push(`${status} ${body.requestTime - NOW}`);
      }
      runs.push(seen.join());
      await running?.close(0);
    }
    expect(runs[0]).toBe(runs[1]);
    expect(new Set(runs[0]!.split(','))).toEqual(new Set(['200 0', '200 1', '500 0']));
  });

  it('applies the first matching rule per phase, and one rule per phase', async () => {
    const { url } = await serve(
      { fault: 'delay', phase: 'before', ms: 1 },
      { fault: 'late', ms: 1 },
      { fault: 'skew', ms: 7 },
      { fault: 'empty', phase: 'before', endpoints: ['E8'] },
    );
    expect((await get(url)).body.requestTime).toBe(NOW + 7);
    expect(told.map(({ rule, phase }) => [rule, phase])).toEqual([
      [1, 'before'],
      [3, 'answer'],
    ]);
  });

  it('can be removed, and then no faults occur', async () => {
    const { url, faults } = await serve({ fault: 'status' });
    expect((await get(url)).status).toBe(502);
    faults.set(null);
    expect(faults.isOn).toBe(false);
    expect((await get(url)).status).toBe(200);
  });
});
