/**
 * Samples of every endpoint for tests and documents: a valid request and reply, all invalid variants of the request, and every error row.
 */
import { isRecord } from '../../base/fields.ts';
import { never } from '../../base/failure/assert.ts';
import type { Endpoint, ErrorRow } from '../endpoints/endpoint.ts';
import { ENDPOINT_LIST } from '../endpoints/endpoints.ts';
import type { Fields, Kind } from '../endpoints/kinds.ts';
import type { RawRequest } from '../endpoints/rules.ts';

/** Consistent sample values by field name. */
const VALUES: Readonly<Record<string, unknown>> = {
  symbol: 'BTCUSDT',
  coin: 'BTC',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  marginCoin: 'USDT',
  chain: 'BTC',
  orderId: 'fu-123456789',
  clientOid: 'tick-1-a',
  newClientOid: 'tick-1-b',
  size: '0.5',
  newSize: '0.4',
  price: '40000.00',
  newPrice: '40100.00',
  triggerPrice: '39000.00',
  presetTakeProfitPrice: '42000.00',
  presetTakeProfitExecutePrice: '42000.00',
  presetStopLossPrice: '38000.00',
  presetStopLossExecutePrice: '37990.00',
  newPresetTakeProfitPrice: '42500.00',
  newPresetStopLossPrice: '38500.00',
  presetTakeProfitType: 'LIMIT',
  presetStopLossType: 'LIMIT',
  amount: 10.5,
  status: 'NEW',
  force: 'POST_ONLY',
  tradeId: '987654321',
  endId: 'fu-123456789',
  startTime: 1_700_000_000_000,
  endTime: 1_700_000_060_000,
};
/** Sample values for names with different meanings. */
const VALUES_BY_ENDPOINT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  E1: { orderId: '1234567890' },
  E2: { orderId: '1234567890' },
  E3: { status: 'online' },
  E5: { status: 'completed', orderId: '555', idLessThan: '600', type: 'withdraw', dest: 'on_chain' },
};

/** Optional fields that samples leave out, because they exclude others or narrow the answer. */
const LEFT_OUT: ReadonlySet<string> = new Set(['idLessThan']);

/** Returns a valid request in wire form: strings in a query, JSON values in a body. */
export function sampleRequest(endpoint: Endpoint): RawRequest {
  const raw = sampleFields(endpoint, endpoint.request, 'request');
  if (endpoint.method === 'POST') return raw;
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]));
}

/** Returns valid `data` for the success of `sampleRequest`. */
export function sampleReply(endpoint: Endpoint): unknown {
  return sampleValue(endpoint, '', endpoint.response, 'reply');
}

type Purpose = 'request' | 'reply';

function sampleFields(endpoint: Endpoint, fields: Fields, purpose: Purpose): RawRequest {
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.presence === 'tolerated' || (field.presence === 'optional' && LEFT_OUT.has(name))) continue;
    result[name] = sampleValue(endpoint, name, field.kind, purpose);
  }
  return result;
}

function sampleValue(endpoint: Endpoint, name: string, kind: Kind, purpose: Purpose): unknown {
  const known = VALUES_BY_ENDPOINT[endpoint.id]?.[name] ?? VALUES[name];
  switch (kind.kind) {
    case 'record':
      return sampleFields(endpoint, kind.fields, purpose);
    case 'list':
      return [sampleValue(endpoint, name, kind.item, purpose)];
    case 'oneOrMany':
      return sampleValue(endpoint, name, kind.item, purpose);
    case 'word':
      return typeof known === 'string' && kind.words.includes(known) ? known : kind.words[0];
    case 'openWord':
      return known ?? kind.words[0];
    case 'text':
    case 'id':
      return known ?? `sample-${name}`;
    case 'decimal':
    case 'decimalOrEmpty':
      return known ?? '1.25';
    case 'decimalNumber':
      return known ?? 1.25;
    case 'millis':
      return known ?? 1_700_000_000_000;
    case 'millisText':
      return typeof known === 'string' || typeof known === 'number' ? String(known) : '1700000000000';
    case 'count':
      return known ?? Math.min(kind.max, 100);
    case 'digits':
      return known ?? '1000';
    case 'boolText':
      return 'true';
    case 'nothing':
      return null;
    default:
      return never(kind, 'kind');
  }
}

/** An invalid variant of a valid request. */
export interface Violation {
  /** What is invalid, for the name of a test. */
  readonly name: string;
  readonly raw: RawRequest;
  /** Message of the required error row, or null if any refusal is accepted. */
  readonly refusedWith: string | null;
}

/** Returns one violation per missing required field, per malformed field value and per rule. */
export function violations(endpoint: Endpoint): readonly Violation[] {
  const valid = sampleRequest(endpoint);
  const ofRules = endpoint.rules.map((rule) => ({
    name: rule.says,
    raw: rule.violate(valid),
    refusedWith: rule.refusedWith,
  }));
  return [...violationsOfFields(endpoint.request, valid, ''), ...ofRules];
}

function violationsOfFields(fields: Fields, valid: RawRequest, place: string): Violation[] {
  const found: Violation[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const refusedWith = field.refusedWith ?? null;
    if (field.presence === 'required') {
      const { [name]: _left, ...raw } = valid;
      found.push({ name: `${place}${name} is missing`, raw, refusedWith });
    }
    for (const bad of MALFORMED[field.kind.kind] ?? []) {
      found.push({ name: `${place}${name} is ${JSON.stringify(bad)}`, raw: { ...valid, [name]: bad }, refusedWith });
    }
    if (field.kind.kind === 'list' && field.kind.item.kind === 'record') {
      const item = (valid[name] as readonly unknown[])[0];
      if (!isRecord(item)) continue;
      for (const inner of violationsOfFields(field.kind.item.fields, item, `${name}[0].`)) {
        found.push({ ...inner, raw: { ...valid, [name]: [inner.raw] } });
      }
    }
  }
  return found;
}

/** Values that are malformed for a field type, both in a body and in a query. */
const MALFORMED: Readonly<Partial<Record<Kind['kind'], readonly unknown[]>>> = {
  text: [7, true, {}, ['x']],
  id: [7, {}],
  decimal: ['abc', '1e5', '1.', '.5', '+1', '-1', ' 1', '0x10', 1.5],
  decimalNumber: ['10.5', 'abc', true],
  millis: ['soon', '1.5', '-1'],
  millisText: ['soon', '1.5', '-1'],
  count: ['many', '1.5', '0', '-1'],
  digits: ['many', '-1'],
  word: ['FOO', 3],
  list: ['x', {}],
};

/** An error row of an endpoint, with a name for tests: `E12 40011 Custom ID already exists`. */
export interface ErrorCase {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly row: ErrorRow;
}

/** Every row of the error tables, for each of its endpoints. */
export function errorCases(): readonly ErrorCase[] {
  return ENDPOINT_LIST.flatMap((endpoint) =>
    endpoint.errors.map((row) => ({ name: `${endpoint.id} ${row.code} ${row.msg}`, endpoint, row })),
  );
}
