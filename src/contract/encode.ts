/** A request as bytes-to-be: the query or the JSON body of an endpoint's parameters. Pure: the edges sign and send it. */
import { assert } from '../base/assert.ts';
import { isPlainDecimal } from './decimal-text.ts';
import { API_PREFIX, type Endpoint, type RequestOf } from './endpoints/endpoint.ts';
import { mountedPath } from './endpoints/endpoints.ts';
import type { Kind } from './endpoints/kinds.ts';

export interface EncodedRequest {
  /** Path and query. */
  readonly target: string;
  /** JSON, "" for a GET. */
  readonly body: string;
}

/** Parameters that are undefined are left out; the order is the caller's. `prefix`: where the API is mounted. */
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

/** Leaves nothing that `new URL()` would write in another way: what is signed is what is sent. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}

/** Written by hand at the top level so that an exact decimal becomes a JSON number digit by digit, never through a float. */
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
