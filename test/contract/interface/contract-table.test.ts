import { describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/contract/assumption.ts';
import { ASSUMPTIONS } from '../../../src/contract/assumptions.ts';
import type { Endpoint } from '../../../src/contract/endpoints/endpoint.ts';
import {
  ENDPOINT_LIST,
  ENDPOINTS,
  endpointById,
  generalRefusal,
  mountedPath,
  row,
  UNAUTHORIZED,
} from '../../../src/contract/endpoints/endpoints.ts';
import type { Fields, Kind } from '../../../src/contract/endpoints/kinds.ts';
import { INTERFACE } from '../../../src/venue/interface/dialect.ts';
import { Routes } from '../../../src/venue/routes.ts';
import { ERROR_ROWS, LISTED, RECORDS } from './interface-table.ts';

const routes = new Routes(INTERFACE);

const words = (text: string): string[] =>
  text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');

/** The JSON type of a field type in the interface. */
function jsonType({ kind }: Kind): string {
  if (kind === 'list') return 'array';
  return kind === 'millis' || kind === 'count' || kind === 'decimalNumber' ? 'number' : 'string';
}

function shown(fields: Fields, typed: boolean): string[] {
  return Object.entries(fields)
    .filter(([, field]) => field.presence !== 'tolerated')
    .map(([name, field]) => `${name}${field.presence === 'required' ? '' : '?'}${typed ? `:${jsonType(field.kind)}` : ''}`);
}

function itemFields(fields: Fields): Fields | undefined {
  for (const { kind } of Object.values(fields)) {
    if (kind.kind === 'list' && kind.item.kind === 'record') return kind.item.fields;
  }
  return undefined;
}

function recordOf(kind: Kind): Fields {
  if (kind.kind === 'list' || kind.kind === 'oneOrMany') return recordOf(kind.item);
  if (kind.kind !== 'record') throw new Error(`a record was expected, found ${kind.kind}`);
  return kind.fields;
}

describe('the 20 endpoints', () => {
  it('are E1 to E20, in order, each with its own name and route', () => {
    expect(ENDPOINT_LIST.map((e) => e.id)).toEqual(Array.from({ length: 20 }, (_, i) => `E${i + 1}`));
    for (const [name, endpoint] of Object.entries(ENDPOINTS)) expect(endpoint.name).toBe(name);
    expect(new Set(ENDPOINT_LIST.map((e) => `${e.method} ${e.path}`)).size).toBe(20);
  });

  it.each(LISTED)('$id has the listed method, path and access', ({ id, method, path, auth }) => {
    const endpoint = endpointById(id as Endpoint['id']);
    expect([endpoint.method, endpoint.path, endpoint.auth]).toEqual([method, path, auth]);
    expect(routes.find(method, path)).toBe(endpoint);
    expect(routes.find(method === 'GET' ? 'POST' : 'GET', path)).toBeUndefined();
  });

  it.each(LISTED)('$id takes the listed parameters', ({ id, method, request, items }) => {
    const endpoint = endpointById(id as Endpoint['id']);
    const typed = method === 'POST'; // Query values are text, whatever type the document gives.
    const plain = (text: string): string[] => words(text).map((word) => (typed ? word : word.replace(/:.*/, '')));
    expect(shown(endpoint.request, typed)).toEqual(plain(request));
    const entries = itemFields(endpoint.request);
    expect(entries === undefined ? [] : shown(entries, typed)).toEqual(plain(items ?? ''));
  });

  it.each([
    ['E3', '2.3'],
    ['E4', '2.4'],
    ['E5', '2.5'],
    ['E6', '2.6'],
    ['E7', '2.7'],
    ['E8', '2.8'],
    ['E9', '2.11'],
    ['E10', '2.12'],
    ['E19', '2.10'],
    ['E20', '2.10'],
  ] as const)('%s answers with the record of %s', (id, section) => {
    expect(shown(recordOf(endpointById(id).response), true)).toEqual(words(RECORDS[section] ?? ''));
  });

  it('E4 lists chains, E17 and E18 wrap order records', () => {
    expect(shown(itemFields(recordOf(ENDPOINTS.coins.response)) ?? {}, true)).toEqual(words(RECORDS['2.4 chain'] ?? ''));
    for (const { response } of [ENDPOINTS.orderHistory, ENDPOINTS.pendingOrders]) {
      expect(shown(recordOf(response), true)).toEqual(['entrustedList:array', 'endId:string']);
      expect(shown(itemFields(recordOf(response)) ?? {}, true)).toEqual(words(RECORDS['2.9'] ?? ''));
    }
  });

  it.each([
    ['E1', ['orderId:string'], ['errorMsg:string', 'errorCode:string']],
    ['E2', ['orderId:string'], ['orderId:string', 'errorMsg:string', 'errorCode:string']],
    ['E15', ['orderId:string', 'clientOid:string'], ['orderId:string', 'clientOid:string', 'errorMsg:string', 'errorCode:string']],
    ['E16', ['orderId:string', 'clientOid:string'], ['orderId:string', 'clientOid:string']],
  ] as const)('%s answers with its own batch entries', (id, success, failure) => {
    const fields = recordOf(endpointById(id).response);
    expect(Object.keys(fields)).toEqual(['successList', 'failureList']);
    expect(shown(recordOf(fields['successList']?.kind as Kind), true)).toEqual(success);
    expect(shown(recordOf(fields['failureList']?.kind as Kind), true)).toEqual(failure);
  });

  it('are found under another prefix, also an empty one, and nowhere else', () => {
    const { placeOrder } = ENDPOINTS;
    expect(mountedPath(placeOrder, '')).toBe('/future/order/place-order');
    expect(mountedPath(placeOrder, '/x')).toBe('/x/future/order/place-order');
    expect(routes.findBare('POST', '/future/order/place-order')).toBe(placeOrder);
    expect(routes.find('POST', '/future/order/place-order')).toBeUndefined();
    expect(routes.find('POST', '/api/v1/future/order/place-order/')).toBeUndefined();
  });

  it('state for every write whether it may be repeated, and how', () => {
    const kinds = Object.fromEntries(ENDPOINT_LIST.map((e) => [e.id, e.idempotency.kind]));
    expect(kinds).toEqual({
      ...Object.fromEntries([3, 4, 5, 6, 7, 8, 9, 17, 18, 19, 20].map((n) => [`E${n}`, 'safe'])),
      ...Object.fromEntries([1, 11].map((n) => [`E${n}`, 'never'])),
      ...Object.fromEntries([2, 10, 15, 16].map((n) => [`E${n}`, 'target-state'])),
      ...Object.fromEntries([12, 13, 14].map((n) => [`E${n}`, 'client-id'])),
    });
    for (const endpoint of ENDPOINT_LIST) {
      if (endpoint.method === 'GET') expect(endpoint.idempotency.kind).toBe('safe');
      if (endpoint.idempotency.kind !== 'client-id') continue;
      expect(endpoint.request).toHaveProperty(endpoint.idempotency.field ?? '');
    }
  });
});

describe('the error table', () => {
  const expected = ERROR_ROWS.flatMap(([ids, code, msg]) => ids.split(' ').map((id) => `${id} ${code} ${msg}`));

  it('has 84 rows, which are 89 pairs of endpoint and row', () => {
    expect(ERROR_ROWS).toHaveLength(84);
    expect(expected).toHaveLength(89);
    expect(new Set(expected).size).toBe(89);
  });

  it.each(ENDPOINT_LIST)('$id has exactly its rows, with the same words and order', ({ id, errors }) => {
    const mine = errors.map((r) => `${id} ${r.code} ${r.msg}`);
    expect(mine).toEqual(expected.filter((line) => line.startsWith(`${id} `)));
  });

  it('marks only the rows of E15 and E16 as reported inside failureList', () => {
    expect(ENDPOINT_LIST.filter((e) => e.errors.some((r) => r.entry)).map((e) => e.id)).toEqual(['E15', 'E16']);
  });

  it('gives the endpoint’s row for a reason', () => {
    expect(row('placeOrder', 'unknown-instrument').code).toBe('40001');
    expect(row('placePlanOrder', 'unknown-instrument').code).toBe('40034');
    expect(row('placeOrder', 'would-take')).toMatchObject({ code: '40024', msg: 'Price is not the last price' });
    expect(row('cancelOrders', 'order-not-found')).toMatchObject({ code: '40001', msg: 'Order not found' });
  });

  it('gives a general refusal if the endpoint has no row for the reason', () => {
    expect(row('pendingOrders', 'unauthorized')).toBe(UNAUTHORIZED);
    expect(row('modifyOrder', 'would-take')).toEqual({ ...generalRefusal('otherReason', 'would take'), reason: 'would-take' });
  });
});

describe('the register of assumptions', () => {
  /** Everything that the interface lists as "not shown", with the assumptions about it. */
  const NOT_SHOWN: readonly (readonly [string, readonly string[]])[] = [
    ['value sets of status, force and preset types', ['A07', 'A08', 'A09']],
    ['fields of a spot order record', ['A10']],
    ['transitions between order statuses', ['A11']],
    ['transitions between withdrawal statuses', ['A12']],
    ['transitions of symbol trading status', ['A13']],
    ['signature computation', ['A01', 'A02']],
    ['accepted clock skew and permission scopes', ['A06', 'A14']],
    ['events, notifications and streaming', ['A15']],
    ['error codes of E19', ['A16']],
    ['HTTP status codes of errors', ['A03']],
    ['body shape of an error', ['A04']],
    ['rate limits', ['A05']],
    ['default and maximum of limit of E5, E17 and E18', ['A17']],
    ['maximum number of entries in orderIdList', ['A18']],
    ['policy for new versions', ['A20']],
  ];

  it('has an entry for each of the fifteen points that the interface does not show', () => {
    expect(NOT_SHOWN).toHaveLength(15);
    const named = NOT_SHOWN.flatMap(([, ids]) => ids);
    for (const id of named) expect(ASSUMPTIONS.find((a) => a.id === id)?.says, id).toMatch(/does not show/);
    expect(ASSUMPTIONS.filter((a) => a.says.includes('does not show')).map((a) => a.id)).toEqual([...named].sort());
  });

  it('numbers its entries without gaps and assigns each to an area', () => {
    expect(ASSUMPTIONS.map((a) => a.id)).toEqual(ASSUMPTIONS.map((_, i) => `A${String(i + 1).padStart(2, '0')}`));
    expect(new Set(ASSUMPTIONS.map((a) => a.area))).toEqual(new Set(AREAS));
  });
});
