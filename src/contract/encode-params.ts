/** Encodes an endpoint's parameters as a query or a JSON body. Pure: the callers sign and send the result. */
import { assert } from '../base/failure/assert.ts';
import { isPlainDecimal } from './decimal-text.ts';
import { API_PREFIX, type Endpoint, type RequestOf } from './endpoints/endpoint.ts';
import { mountedPath } from './endpoints/endpoints.ts';
import type { Kind } from './endpoints/kinds.ts';

export interface EncodedRequest {
  /** Path and query. */
  readonly target: string;
  /** JSON; "" for a GET. */
  readonly body: string;
}

/** Leaves out undefined parameters and keeps the caller's order. `prefix`: the path under which the API is mounted. */
export function encodeRequest<E extends Endpoint>(endpoint: E, parameters: RequestOf<E>, prefix: string = API_PREFIX): EncodedRequest {
  const path = mountedPath(endpoint, prefix);
  if (endpoint.method === 'GET') {
    const query = encodeQuery(parameters);
    return { target: query === '' ? path : `${path}?${query}`, body: '' };
  }
  return { target: path, body: encodeBody(endpoint, parameters) };
}

function encodeQuery(parameters: object): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeText(String(value))}`)
    .join('&');
}

/** Encodes every character that `new URL()` would change, so that the signed text is the sent text. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}

/** Writes the top level by hand, so that an exact decimal becomes a JSON number without passing through a float. */
function encodeBody(endpoint: Endpoint, parameters: object): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    parts.push(`${JSON.stringify(name)}:${encodeValue(endpoint.request[name]?.kind, value, `${endpoint.name}.${name}`)}`);
  }
  return `{${parts.join(',')}}`;
}

function encodeValue(kind: Kind | undefined, value: unknown, where: string): string {
  if (kind?.kind !== 'decimalNumber') return JSON.stringify(value);
  assert(typeof value === 'string' && isPlainDecimal(value), `${where} is a plain decimal string`);
  return value.replace(/^(-?)0+(?=\d)/, '$1');
}
