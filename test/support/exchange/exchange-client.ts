/** A signing HTTP client for tests of the exchange, independent of our own client. */
import assert from 'node:assert/strict';
import { request } from 'undici';
import { findRow } from '../../../src/contract/classify.ts';
import { SUCCESS_CODE } from '../../../src/contract/envelope.ts';
import { GENERAL_REFUSALS } from '../../../src/contract/endpoints/general-refusals.ts';
import type { Endpoint } from '../../../src/contract/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import { sign, signatureKey } from '../../../src/edge/signature.ts';

export interface TestAccount {
  readonly name: string;
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

export const ALICE: TestAccount = { name: 'alice', key: 'key-alice', secret: 'secret-alice', passphrase: 'pass-alice' };
export const BOB: TestAccount = { name: 'bob', key: 'key-bob', secret: 'secret-bob', passphrase: 'pass-bob' };

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: { code: string; msg: string; requestTime: number; data: any };
}

export interface CallOptions {
  readonly as?: TestAccount | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The exact body or query instead of the parameters. */
  readonly raw?: string;
  readonly timestamp?: string;
}

/** Calls an endpoint of the exchange at `url`, signed as ALICE by default. */
export async function callOver(
  url: string,
  time: number,
  name: EndpointName,
  params: Readonly<Record<string, unknown>>,
  { as = ALICE, headers = {}, raw, timestamp = String(time) }: CallOptions = {},
): Promise<HttpReply> {
  const endpoint: Endpoint = ENDPOINTS[name];
  const query = new URLSearchParams(Object.entries(params).map(([key, value]): [string, string] => [key, String(value)])).toString();
  const text = raw ?? (endpoint.method === 'GET' ? query : JSON.stringify(params));
  const target = endpoint.method === 'GET' && text !== '' ? `${endpoint.path}?${text}` : endpoint.path;
  const body = endpoint.method === 'GET' ? '' : text;
  const isSigned = endpoint.auth && as !== null;
  const reply = await send(url, endpoint.method, target, body, {
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
    ...(isSigned ? signedHeaders(as, timestamp, endpoint.method, target, body) : {}),
    ...headers,
  });
  assertListed(endpoint, reply.body);
  return reply;
}

/** Every refusal stands in the table of its endpoint or in the general one. */
function assertListed(endpoint: Endpoint, { code, msg }: { readonly code?: string; readonly msg?: string }): void {
  if (code === undefined || msg === undefined || code === SUCCESS_CODE) return;
  assert.ok(
    findRow(endpoint, code, msg) !== undefined || isGeneral(code, msg),
    `${endpoint.id} sends ${code} ${msg}, which no table lists`,
  );
}

/** True if a server may send this code and message without a row of the endpoint's table. */
function isGeneral(code: string, msg: string): boolean {
  return Object.values(GENERAL_REFUSALS).some((row) => {
    const [before = '', after] = row.msg.split('{}');
    if (row.code !== code) return false;
    return after === undefined
      ? msg === before
      : msg.startsWith(before) && msg.endsWith(after) && msg.length > before.length + after.length;
  });
}

export function signedHeaders(
  account: TestAccount,
  timestamp: string,
  method: string,
  target: string,
  body: string,
): Record<string, string> {
  return {
    'access-key': account.key,
    'access-passphrase': account.passphrase,
    'access-timestamp': timestamp,
    'access-sign': sign(signatureKey(account.secret), timestamp, method, target, body),
  };
}

export async function send(
  url: string,
  method: string,
  target: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const response = await request(`${url}${target}`, {
    method: method as 'GET',
    headers: { ...headers },
    ...(body.length === 0 ? {} : { body }),
  });
  const text = await response.body.text();
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return { status: response.statusCode, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}
