import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeRequest } from '../../../src/contract/encode-params.ts';
import type { Endpoint, RequestOf } from '../../../src/contract/endpoints/endpoint.ts';
import { ENDPOINT_LIST, ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { sampleRequest } from '../../../src/contract/docs/samples.ts';
import { validate } from '../../../src/contract/validate.ts';
import type { DecimalString } from '../../../src/domain/amounts/units.ts';

const dec = (text: string): DecimalString => text as DecimalString;

/** Parses an encoded request as a server does. */
function received(endpoint: Endpoint, { target, body }: { readonly target: string; readonly body: string }): unknown {
  if (endpoint.method === 'POST') return JSON.parse(body);
  return Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? ''));
}

describe('an encoded request', () => {
  it.each(ENDPOINT_LIST)('of $id is read by the server as it was meant', (endpoint) => {
    const said = validate(endpoint, sampleRequest(endpoint));
    if (!said.ok) throw new Error(said.row.msg);
    const heard = validate(endpoint, received(endpoint, encodeRequest(endpoint, said.value as RequestOf<Endpoint>)));
    expect(heard).toEqual(said);
  });

  it('keeps the given order and form', () => {
    expect(
      encodeRequest(ENDPOINTS.placeOrder, {
        symbol: 'BTCUSDT',
        marginMode: 'CROSS',
        size: dec('0.5'),
        side: 'LONG',
        tradeSide: 'OPEN',
        orderType: 'LIMIT',
        price: dec('40000.00'),
        force: undefined,
        clientOid: 'my-order-001',
      }),
    ).toEqual({
      target: '/api/v1/future/order/place-order',
      body:
        '{"symbol":"BTCUSDT","marginMode":"CROSS","size":"0.5","side":"LONG","tradeSide":"OPEN",' +
        '"orderType":"LIMIT","price":"40000.00","clientOid":"my-order-001"}',
    });
    expect(encodeRequest(ENDPOINTS.pendingOrders, { symbol: 'BTCUSDT', limit: 100 }, '')).toEqual({
      target: '/future/order/orders-pending?symbol=BTCUSDT&limit=100',
      body: '',
    });
    expect(encodeRequest(ENDPOINTS.positions, {}).target).toBe('/api/v1/future/position/all-position');
  });

  it('has the amount of a margin change (E11) digit by digit', () => {
    const body = (amount: string): string =>
      encodeRequest(ENDPOINTS.setMargin, { symbol: 'X', holdSide: 'LONG', amount: dec(amount) }).body;
    expect(body('12345678901234567890.123456789')).toBe('{"symbol":"X","holdSide":"LONG","amount":12345678901234567890.123456789}');
    expect(body('-0.0000001')).toContain('"amount":-0.0000001}');
    expect(JSON.parse(body('007.50'))).toMatchObject({ amount: 7.5 });
    expect(() => body('1e5')).toThrow(/plain decimal/);
    expect(() => body('1,"x":2')).toThrow(/plain decimal/);
  });

  it('has a target that a URL parser does not change', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (clientOid) => {
        const { target } = encodeRequest(ENDPOINTS.orderHistory, { limit: 100, clientOid });
        const url = new URL(target, 'http://127.0.0.1');
        expect(url.pathname + url.search).toBe(target);
        expect(url.searchParams.get('clientOid')).toBe(clientOid.toWellFormed());
      }),
      { numRuns: 2_000 },
    );
  });
});

/** A compile-time test: each of these lines must be an error. */
export function refusedByTheCompiler(): void {
  // @ts-expect-error a plain string is not a decimal
  encodeRequest(ENDPOINTS.setMargin, { symbol: 'X', holdSide: 'LONG', amount: '1' });
  // @ts-expect-error a word outside the set
  encodeRequest(ENDPOINTS.setMarginMode, { symbol: 'X', marginMode: 'HEDGED' });
  // @ts-expect-error a required parameter is missing
  encodeRequest(ENDPOINTS.account, {});
}
