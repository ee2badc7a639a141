import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { failure, success, type Handler, type WireRequest } from '../../../src/contract/envelope.ts';
import { RateLimits } from '../../../src/edge/serve/request/request-limits.ts';
import { readJson } from '../../../src/edge/serve/request/json.ts';
import { ServeError } from '../../../src/edge/serve/listen.ts';
import { startServer, type RunningServer } from '../../../src/edge/serve/server.ts';
import type { ServerOptions } from '../../../src/edge/serve/server-options.ts';
import { ALICE, send, signedHeaders, type HttpReply } from '../../support/exchange/exchange-client.ts';

const NOW = 1_700_000_000_000;
const PLACE = ENDPOINTS.placeOrder.path;
const POSITIONS = ENDPOINTS.positions.path;
const BOOKS = ENDPOINTS.bookTickers.path;

let running: RunningServer | null = null;
let seen: WireRequest[] = [];

const recorder: Handler = (endpoint, request) => {
  if (endpoint.auth && request.caller === null) {
    return { httpStatus: 400, envelope: failure({ code: '40002', msg: 'Unauthorized' }, NOW) };
  }
  seen.push(request);
  return { httpStatus: 200, envelope: success({ path: endpoint.path }, NOW) };
};

async function serve(options: Partial<ServerOptions> = {}): Promise<string> {
  seen = [];
  running = await startServer({ handler: recorder, accounts: [ALICE], now: () => NOW, port: 0, ...options });
  return running.url;
}

afterEach(async () => {
  await running?.close();
  running = null;
});

function post(url: string, body: string | Buffer, extra: Record<string, string> = {}, target = PLACE): Promise<HttpReply> {
  const signed = signedHeaders(ALICE, String(NOW), 'POST', target, body.toString());
  return send(url, 'POST', target, body, { 'content-type': 'application/json', ...signed, ...extra });
}

function get(url: string, target: string): Promise<HttpReply> {
  return send(url, 'GET', target, '', signedHeaders(ALICE, String(NOW), 'GET', target, ''));
}

/** Sends raw bytes and returns the answer until the server closes the connection. */
function rawExchange(url: string, bytes: string, endAfterMs = 0): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (endAfterMs === 0 && text.includes('\r\n\r\n')) socket.end();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('the exchange server', () => {
  it('passes method, target, body, parameters and the verified caller to the handler', async () => {
    const url = await serve();
    const body = '{"symbol":"BTCUSDT","n":1}';
    await post(url, body);
    await get(url, `${POSITIONS}?a=1&b=x%20y+z`);
    expect(seen.map(({ method, target, body: text, params, caller }) => ({ method, target, text, params, caller }))).toEqual([
      { method: 'POST', target: PLACE, text: body, params: { symbol: 'BTCUSDT', n: 1 }, caller: ALICE.key },
      { method: 'GET', target: `${POSITIONS}?a=1&b=x%20y+z`, text: '', params: { a: '1', b: 'x y z' }, caller: ALICE.key },
    ]);
  });

  it('verifies the signature over the target as sent, never over a rewritten one', async () => {
    const url = await serve();
    const target = `${POSITIONS}?b=2&a=%7e'`;
    const { hostname, port } = new URL(url);
    const headers = Object.entries(signedHeaders(ALICE, String(NOW), 'GET', target, '')).map(([k, v]) => `${k}: ${v}\r\n`);
    const text = await rawExchange(
      url,
      `GET ${target} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: close\r\n${headers.join('')}\r\n`,
    );
    expect(text).toContain('HTTP/1.1 200');
    expect(seen[0]?.target).toBe(target);
  });

  it.each<[string, Record<string, string>]>([
    ['a wrong signature', { 'access-sign': 'AAAA' }],
    ['an unknown key', { 'access-key': 'nobody' }],
    ['a wrong passphrase', { 'access-passphrase': 'wrong' }],
    ['an empty passphrase', { 'access-passphrase': '' }],
    ['a timestamp that was not signed', { 'access-timestamp': String(NOW + 1) }],
    ['a timestamp that is not a number', { 'access-timestamp': `${NOW}.0` }],
  ])('passes no caller for %s', async (_name, wrong) => {
    const url = await serve();
    const reply = await post(url, '{}', wrong);
    expect([reply.status, reply.body.code, reply.body.msg]).toEqual([400, '40002', 'Unauthorized']);
    expect(seen).toHaveLength(0);
  });

  it('accepts a timestamp at the edge of the window and none beyond it', async () => {
    const url = await serve({ clockSkewMs: 5_000 });
    const at = (time: number): Promise<HttpReply> =>
      send(url, 'GET', POSITIONS, '', signedHeaders(ALICE, String(time), 'GET', POSITIONS, ''));
    expect((await at(NOW - 5_000)).status).toBe(200);
    expect((await at(NOW + 5_000)).status).toBe(200);
    expect((await at(NOW - 5_001)).body.code).toBe('40002');
    expect((await at(NOW + 5_001)).body.code).toBe('40002');
  });

  it('answers Unauthorized to an unknown caller, and reads none of its body', async () => {
    const url = await serve();
    const reply = await send(url, 'POST', PLACE, '{"a":1,"a":2}', { 'content-type': 'text/plain' });
    expect(reply.body).toMatchObject({ code: '40002', msg: 'Unauthorized' });
  });

  it('answers an unknown path with 404 and an unknown method with 405, in an envelope', async () => {
    const url = await serve();
    const path = await send(url, 'GET', '/api/v1/nothing', '', {});
    expect([path.status, path.body.code, path.body.msg, path.body.data, path.body.requestTime]).toEqual([
      404,
      '40404',
      'Request path does not exist',
      null,
      NOW,
    ]);
    const method = await send(url, 'DELETE', PLACE, '', {});
    expect([method.status, method.headers['allow'], method.body.msg]).toEqual([405, 'POST', 'Request method is not supported']);
    expect((await send(url, 'POST', BOOKS, '{}', {})).headers['allow']).toBe('GET');
    expect((await send(url, 'GET', '/api/v1/future/order/place-order/', '', {})).status).toBe(404);
  });

  it('serves the root besides the prefix only if configured', async () => {
    const url = await serve();
    expect((await send(url, 'GET', '/future/market/book-ticker', '', {})).status).toBe(404);
    await running?.close();
    const both = await serve({ mountAtRoot: true });
    expect((await send(both, 'GET', '/future/market/book-ticker', '', {})).status).toBe(200);
    expect((await send(both, 'GET', BOOKS, '', {})).status).toBe(200);
    expect((await get(both, '/future/position/all-position')).status).toBe(200);
  });

  it('leaves data out of an error if configured', async () => {
    const url = await serve({ errorData: 'absent' });
    expect(Object.keys((await send(url, 'GET', '/x', '', {})).body)).toEqual(['code', 'msg', 'requestTime']);
    expect(Object.keys((await send(url, 'GET', POSITIONS, '', {})).body)).toEqual(['code', 'msg', 'requestTime']);
    expect(Object.keys((await send(url, 'GET', BOOKS, '', {})).body)).toEqual(['code', 'msg', 'requestTime', 'data']);
  });

  it.each<[string, string | Buffer, Record<string, string>, number, string]>([
    ['another content type', '{}', { 'content-type': 'text/plain' }, 415, 'Content type must be application/json'],
    ['another charset', '{}', { 'content-type': 'application/json; charset=utf-16' }, 415, 'Content type must be application/json'],
    ['a compressed body', '{}', { 'content-encoding': 'gzip' }, 415, 'Content encoding is not supported'],
    ['a byte order mark', '\ufeff{}', {}, 400, 'Malformed JSON'],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'Content type must be application/json'],
    ['malformed JSON', '{"a":', {}, 400, 'Malformed JSON'],
    ['text after JSON', '{} {}', {}, 400, 'Malformed JSON'],
    ['a string that does not end', '{"a', {}, 400, 'Malformed JSON'],
    ['an invalid escape in a key', '{"\\x":1}', {}, 400, 'Malformed JSON'],
    ['a duplicate key', '{"size":"1","size":"2"}', {}, 400, 'Duplicate key size'],
    ['a duplicate key in another spelling', '{"size":"1","s\\u0069ze":"2"}', {}, 400, 'Duplicate key size'],
    ['a duplicate key in a nested object', '{"l":[{"a":1,"a":1}]}', {}, 400, 'Duplicate key a'],
    ['__proto__', '{"__proto__":{"a":1}}', {}, 400, 'Forbidden key __proto__'],
    ['__proto__ in another spelling', '{"\\u005f_proto__":{"a":1}}', {}, 400, 'Forbidden key __proto__'],
    ['deep nesting', '['.repeat(60_000), {}, 400, 'JSON nested deeper than 16'],
  ])('refuses %s', async (_name, body, headers, status, msg) => {
    const url = await serve();
    const reply = await post(url, body, headers);
    expect([reply.status, reply.body.code, reply.body.msg]).toEqual([status, '40001', msg]);
    expect(seen).toHaveLength(0);
  });

  it('accepts equal keys in different objects, a charset, and no body', async () => {
    const url = await serve();
    expect((await post(url, '{"l":[{"a":1},{"a":1}],"a":"{\\"a\\":1,\\"a\\":2}"}')).status).toBe(200);
    expect((await post(url, '{}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
    expect((await post(url, '{}', { 'content-type': 'application/json;version=1; charset="UTF8"' })).status).toBe(200);
    expect((await post(url, '')).status).toBe(200);
    expect(seen[3]?.params).toEqual({});
  });

  it('refuses a body that is not UTF-8, and a duplicate parameter', async () => {
    const url = await serve();
    const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
    expect((await send(url, 'POST', PLACE, bytes, { 'content-type': 'application/json' })).body.msg).toBe('Request body is not UTF-8');
    expect((await get(url, `${POSITIONS}?a=1&a=2`)).body.msg).toBe('Duplicate or forbidden parameter a');
    expect((await get(url, `${POSITIONS}?__proto__=2`)).status).toBe(400);
  });

  it('refuses a large body without reading it, by length or while it arrives', async () => {
    const url = await serve({ bodyLimit: 1_000 });
    expect((await post(url, `{"a":"${'x'.repeat(992)}"}`)).status).toBe(200);
    const declared = await rawExchange(url, `POST ${PLACE} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n`);
    expect(declared).toContain('HTTP/1.1 413');
    expect(declared).toContain('Request body is too large');
    const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`;
    const chunked = await rawExchange(url, `POST ${PLACE} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`);
    expect(chunked).toContain('HTTP/1.1 413');
  });

  it('answers bytes that are not HTTP with an envelope and closes the connection', async () => {
    const url = await serve();
    const text = await rawExchange(url, 'HELLO\r\n\r\n', 1);
    expect(text).toContain('HTTP/1.1 400');
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ code: '40001', msg: 'Malformed HTTP request' });
    const large = await rawExchange(url, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 1);
    expect(large).toContain('HTTP/1.1 431');
    expect(JSON.parse(large.slice(large.indexOf('{')))).toMatchObject({ code: '40001', msg: 'Request headers are too large', data: null });
  });

  it('answers a missing Host and a CONNECT with an envelope', async () => {
    const url = await serve();
    const hostless = await rawExchange(url, `GET ${BOOKS} HTTP/1.1\r\nconnection: close\r\n\r\n`);
    expect(hostless).toContain('HTTP/1.1 400');
    expect(JSON.parse(hostless.slice(hostless.indexOf('{')))).toMatchObject({ code: '40001', msg: 'Host header is required' });
    const tunnel = await rawExchange(url, 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n');
    expect(tunnel).toContain('HTTP/1.1 405');
    expect(JSON.parse(tunnel.slice(tunnel.indexOf('{')))).toMatchObject({ code: '40001', msg: 'Request method is not supported' });
  });

  it('answers HEAD like a method that is not supported, without a body', async () => {
    const text = await rawExchange(await serve(), `HEAD ${BOOKS} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 405 .*\r\n[^]*allow: GET[^]*\r\n\r\n$/);
  });

  it('closes the connection that is silent longest when too many are open', async () => {
    const url = await serve({ maxConnections: 20 });
    const { port } = new URL(url);
    const closed: number[] = [];
    const silent = Array.from({ length: 30 }, (_, k) =>
      connect(Number(port), '127.0.0.1')
        .on('close', () => closed.push(k))
        .on('error', () => undefined),
    );
    for (let k = 0; k < 5; k++) expect((await send(url, 'GET', BOOKS, '', {})).status).toBe(200);
    expect(closed.length).toBeGreaterThanOrEqual(11);
    expect(Math.max(...closed)).toBeLessThan(20);
    for (const socket of silent) socket.destroy();
  });

  it('disconnects slow callers, and serves the others meanwhile', async () => {
    const url = await serve({ requestTimeoutMs: 100 });
    const half = rawExchange(url, `POST ${PLACE} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{`, 1);
    const silent = rawExchange(url, `GET ${BOOKS} HTTP/1.1\r\nhost:`, 1);
    expect((await send(url, 'GET', BOOKS, '', {})).status).toBe(200);
    expect(await half).toContain('HTTP/1.1 408');
    expect(await silent).toContain('Request was not sent in time');
  });

  it('takes a connection that sends nothing for no request', async () => {
    const refused: unknown[] = [];
    const url = await serve({ requestTimeoutMs: 100, onRefused: (one) => refused.push(one) });
    expect(await rawExchange(url, '', 1)).toBe('');
    expect(refused).toEqual([]);
  });

  it('answers an error of the handler with System error and reports it', async () => {
    const told: unknown[] = [];
    const url = await serve({
      handler: () => {
        throw new Error('broken');
      },
      onError: (error) => told.push(error),
    });
    const reply = await send(url, 'GET', BOOKS, '', {});
    expect([reply.status, reply.body.code, reply.body.msg]).toEqual([500, '50000', 'System error']);
    expect(String(told[0])).toBe('Error: broken');
  });

  it('limits each caller and bucket, and says when to try again', async () => {
    const url = await serve({ limits: { position: { perSecond: 0.5, burst: 2 } } });
    expect((await get(url, POSITIONS)).status).toBe(200);
    expect((await get(url, POSITIONS)).status).toBe(200);
    const third = await get(url, POSITIONS);
    expect([third.status, third.headers['retry-after'], third.body.code]).toEqual([429, '2', '42900']);
    expect((await post(url, '{}')).status).toBe(200);
    expect((await send(url, 'GET', POSITIONS, '', {})).body.code).toBe('40002');
  });

  it('keeps a connection for many requests', async () => {
    const url = await serve();
    const one = `GET ${BOOKS} HTTP/1.1\r\nhost: x\r\n\r\n`;
    const last = `GET ${BOOKS} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
    const text = await rawExchange(url, one + one + last, 1);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  it('answers some pipelined requests, refuses one more, and ignores the others', async () => {
    const url = await serve();
    const text = await rawExchange(url, `GET ${BOOKS} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(500), 1);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(32);
    expect(text.match(/HTTP\/1\.1 429/g)).toHaveLength(1);
    expect(seen).toHaveLength(32);
  });

  it('serves the OpenAPI document, created once, and a page', async () => {
    let made = 0;
    const hello = { status: 200, type: 'text/html; charset=utf-8', text: '<p>hello</p>', headers: { 'x-frame-options': 'DENY' } };
    const url = await serve({
      openapi: () => ({ openapi: '3.1.0', made: ++made }),
      page: ({ method, path, query }) => (method === 'GET' && path === '/' && query.get('find') === 'a b' ? hello : null),
    });
    await send(url, 'GET', '/openapi.json', '', {});
    expect((await send(url, 'GET', '/openapi.json', '', {})).body).toEqual({ openapi: '3.1.0', made: 1 });
    const page = await send(url, 'GET', '/?find=a%20b', '', {});
    expect([page.headers['content-type'], page.text]).toEqual(['text/html; charset=utf-8', '<p>hello</p>']);
    expect(page.headers['x-frame-options']).toBe('DENY');
    expect((await send(url, 'GET', '/', '', {})).status).toBe(404);
    expect((await send(url, 'POST', '/?find=a%20b', '', {})).status).toBe(404);
    await running?.close();
    const bare = await serve();
    expect((await send(bare, 'GET', '/openapi.json', '', {})).status).toBe(404);
  });

  it('names the port that is in use', async () => {
    await serve();
    const port = running?.port ?? 0;
    const second = startServer({ handler: recorder, accounts: [], now: () => NOW, port });
    await expect(second).rejects.toThrow(ServeError);
    await expect(second).rejects.toMatchObject({ code: 'port-in-use' });
  });

  it('finishes a request in progress before it closes, and closes idle connections', async () => {
    const url = await serve();
    const { hostname, port } = new URL(url);
    const idle = connect(Number(port), hostname);
    const busy = connect(Number(port), hostname);
    const body = '{"a":1}';
    const headers = Object.entries(signedHeaders(ALICE, String(NOW), 'POST', PLACE, body)).map(([k, v]) => `${k}: ${v}\r\n`);
    let text = '';
    busy.on('data', (chunk) => (text += chunk.toString()));
    const ended = new Promise((resolve) => busy.on('close', resolve));
    const head = `POST ${PLACE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    await new Promise<void>((resolve) => busy.write(`${head}${headers.join('')}\r\n{"a"`, () => setTimeout(resolve, 50)));
    const closed = running?.close(5_000);
    busy.write(':1}');
    await Promise.all([closed, ended]);
    expect(text).toContain('HTTP/1.1 200');
    expect(text).toContain('connection: close');
    idle.destroy();
    busy.destroy();
    await expect(send(url, 'GET', BOOKS, '', {})).rejects.toThrow();
  });
});

describe('parts of the server', () => {
  it('refills a bucket over time and never beyond its burst', () => {
    const limits = new RateLimits({ order: { perSecond: 10, burst: 3 } });
    const take = (now: number): number => limits.take('a', 'order', 1, now);
    expect([take(0), take(0), take(0), take(0)]).toEqual([0, 0, 0, 100]);
    expect(take(99)).toBe(1);
    expect(take(100)).toBe(0);
    expect([take(60_000), take(60_000), take(60_000), take(60_000)]).toEqual([0, 0, 0, 100]);
    expect(limits.take('b', 'order', 1, 60_000)).toBe(0);
    expect(limits.take('a', 'position', 1, 60_000)).toBe(0);
  });

  it('accepts JSON nested up to the limit', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    expect(readJson(nested(16))).toEqual({ ok: true, value: JSON.parse(nested(16)) as unknown });
    expect(readJson(nested(17))).toMatchObject({ ok: false, refusal: { status: 400, code: '40001', msg: 'JSON nested deeper than 16' } });
    expect(readJson(`"${'['.repeat(17)}"`)).toEqual({ ok: true, value: '['.repeat(17) });
  });
});
