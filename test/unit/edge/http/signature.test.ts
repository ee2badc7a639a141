import { describe, expect, it } from 'vitest';
import { sameSecret, sign, signatureKey } from '../../../../src/edge/signature.ts';

const place =
  '{"symbol":"BTCUSDT","marginMode":"CROSS","size":"0.5","side":"LONG","tradeSide":"OPEN","orderType":"LIMIT","price":"40000.00","clientOid":"my-order-001"}';
const spot = '{"symbol":"BTCUSDT","batchMode":"single","orderList":[{"side":"buy","orderType":"limit","price":"90000.00","size":"0.001"}]}';

describe('the request signature', () => {
  const key = signatureKey('test-secret');
  const vectors: readonly (readonly [method: string, target: string, body: string, signature: string])[] = [
    ['GET', '/api/v1/future/position/all-position', '', 'NAkCSUT437zUBzESatO3HONb04uHvdEXhusqKjQtFVI='],
    ['GET', '/api/v1/future/order/orders-pending?symbol=BTCUSDT&limit=100', '', 'gbqhfxGWWnkC+2MoLrOYvPYQ/MxQDBcDSMCbblH8h6w='],
    ['GET', '/api/v1/future/order/orders-pending?limit=100&symbol=BTCUSDT', '', '0TYJLadp/UhEq+LybnBRUCqfRPlbbpIP4ucoakExq8I='],
    ['POST', '/api/v1/future/order/place-order', place, 'GyImeXbQAYVyhQZAGPLFUHZbGwyjjQ/075r+SnmTe3A='],
    ['POST', '/api/v1/spot/trade/batch-orders', spot, 'wj0YLlD3YiUXWFyWxtnaXPENEdnoQYtknExhoKl+ZYM='],
    [
      'GET',
      '/api/v1/future/order/orders-history?limit=10&clientOid=a+b%2F%C3%BC%2B*%7E%27%28',
      '',
      'K6IvCgAV+WC5cezqu3MBUz1bTOjVOBT2DB17ipp0xBU=',
    ],
  ];

  it.each(vectors)('of %s %s is the expected one', (method, target, body, signature) => {
    expect(sign(key, '1659076670000', method, target, body)).toBe(signature);
  });

  it('covers the bytes of a body, whether given as text or buffer', () => {
    const body = '{"symbol":"ü"}';
    expect(sign(key, '1', 'POST', '/x', Buffer.from(body))).toBe(sign(key, '1', 'POST', '/x', body));
  });

  it('depends on timestamp, method, target, body and secret [security 3]', () => {
    const one = sign(key, '1', 'POST', '/a', '{}');
    const others = [
      sign(key, '2', 'POST', '/a', '{}'),
      sign(key, '1', 'GET', '/a', '{}'),
      sign(key, '1', 'POST', '/b', '{}'),
      sign(key, '1', 'POST', '/a', '{ }'),
      sign(signatureKey('other'), '1', 'POST', '/a', '{}'),
    ];
    expect(new Set([one, ...others]).size).toBe(6);
  });

  it('compares secrets by all bytes', () => {
    expect(sameSecret('abc', 'abc')).toBe(true);
    expect(sameSecret('abd', 'abc')).toBe(false);
    expect(sameSecret('abcd', 'abc')).toBe(false);
    expect(sameSecret('', 'abc')).toBe(false);
  });
});
