/** The exchange answers everything with an envelope, executes nothing invalid, and stays consistent. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINT_LIST, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import type { Endpoint } from '../../../src/contract/endpoints/endpoint.ts';
import { sampleRequest, violations } from '../../../src/contract/docs/samples.ts';
import { ALICE, send, signedHeaders } from '../../support/exchange/exchange-client.ts';
import { limitOrder, startExchange, type TestExchange } from '../../support/exchange/exchange-kit.ts';

let x: TestExchange;
beforeAll(async () => {
  x = await startExchange();
});
afterAll(() => x.close());

/** A query contains only strings, so other values cannot be sent. */
function canBeSent(endpoint: Endpoint, raw: object): boolean {
  return endpoint.method === 'POST' || Object.values(raw).every((value) => typeof value === 'string');
}

describe('every invalid request of the contract', () => {
  const cases = ENDPOINT_LIST.flatMap((endpoint) =>
    violations(endpoint)
      .filter(({ raw }) => canBeSent(endpoint, raw))
      .map((violation) => [`${endpoint.id}: ${violation.name}`, endpoint, violation] as const),
  );

  it.each(cases)('%s', async (_name, endpoint, { raw, refusedWith }) => {
    const { status, body } = await x.call(endpoint.name as EndpointName, raw);
    expect([status, body.data]).toEqual([400, null]);
    if (refusedWith === null) expect(body.code).toMatch(/^4\d{4}$/);
    else expect(body.msg).toBe(refusedWith);
    expect(x.sim.pending(0, -1)).toEqual([]);
  });
});

describe('arbitrary input', () => {
  const endpoints = fc.constantFrom(...ENDPOINT_LIST);
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      '',
      '0',
      '-0',
      '00.10',
      '1e9',
      'NaN',
      'Infinity',
      '٣',
      '0.1'.repeat(9),
      '9'.repeat(300),
      'fu-1',
      'constructor',
      '\u0000',
    ),
  );

  it('in any field gets an envelope and leaves the books consistent', () => {
    const property = fc.property(endpoints, fc.array(fc.tuple(fc.nat(20), odd), { maxLength: 4 }), (endpoint, changes) => {
      const params: Record<string, unknown> = { ...sampleRequest(endpoint) };
      const names = Object.keys(params);
      for (const [place, value] of changes) if (names.length > 0) params[names[place % names.length] as string] = value;
      const request = { method: endpoint.method, target: '', body: '', params, header: () => undefined, caller: ALICE.key };
      const { httpStatus, envelope } = x.venueApi.handler(endpoint, request);
      expect(envelope.code).toMatch(/^(00000|[45]\d{4})$/);
      expect(httpStatus).toBe(envelope.code === '00000' ? 200 : 400);
    });
    fc.assert(property, { numRuns: 3_000, seed: 20_260_101 });
    x.sim.audit();
  });

  it('as parameters gets an envelope', () => {
    const property = fc.property(endpoints, fc.jsonValue(), (endpoint, params) => {
      const request = { method: endpoint.method, target: '', body: '', params, header: () => undefined, caller: ALICE.key };
      expect(x.venueApi.handler(endpoint, request).envelope.msg).not.toBe('');
    });
    fc.assert(property, { numRuns: 1_000, seed: 20_260_102 });
  });

  it('as bytes of a body or a query gets an envelope', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc.json().map((text) => Buffer.from(text)),
    );
    const property = fc.asyncProperty(endpoints, bytes, async (endpoint, body) => {
      const isGet = endpoint.method === 'GET';
      const target = isGet ? `${endpoint.path}?${encodeURI(body.toString('latin1')).replaceAll('#', '%23')}` : endpoint.path;
      const text = isGet ? Buffer.alloc(0) : body;
      const signed = signedHeaders(ALICE, String(x.time), endpoint.method, target, text.toString('utf8'));
      const headers = { 'content-type': 'application/json', ...signed };
      const reply = await send(x.url, endpoint.method, target, text, headers);
      expect(reply.body.code).toMatch(/^(00000|[45]\d{4})$/);
      expect(reply.status).not.toBe(500);
    });
    await fc.assert(property, { numRuns: 400, seed: 20_260_103 });
    x.sim.audit();
  });
});

describe('many at once', () => {
  it('idle connections do not block others', async () => {
    const { connect } = await import('node:net');
    const { hostname, port } = new URL(x.url);
    const sockets = Array.from({ length: 1_000 }, () => connect(Number(port), hostname));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect((await x.call('bookTickers', { symbol: 'BTCUSDT' })).status).toBe(200);
    expect(
      sockets.filter((socket) => socket.destroyed || socket.readableEnded),
      'none had to end for it',
    ).toEqual([]);
    for (const socket of sockets) socket.destroy();
  });

  it('orders sent at the same time are each executed once', async () => {
    const place = (k: number) => x.call('placeOrder', limitOrder({ size: '0.001', price: '50000.0', clientOid: `same-${k % 50}` }));
    const replies = await Promise.all(Array.from({ length: 200 }, (_, k) => place(k)));
    expect(replies.filter((reply) => reply.body.code === '00000')).toHaveLength(50);
    expect(replies.filter((reply) => reply.body.code === '40011')).toHaveLength(150);
  });
});
