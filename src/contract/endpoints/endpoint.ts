/** The declaration of an endpoint: everything that client, server, documents and tests need to know about it. */
import { assert } from '../../base/failure/assert.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import type { Cost } from './costs.ts';
import type { Fields, Kind, ReadOf, ReadRecord, SentOf, SentRecord } from './kinds.ts';
import type { Rule } from './rules.ts';

/** Start of every path. A server may mount the API under another prefix. */
export const API_PREFIX = '/api/v1';

/**
 * What a refusal proves about the request.
 * static: follows from the request and the instrument's rules, so that the same bytes were refused before and will be refused again.
 * stateful: depends on the account, so that it proves nothing about an earlier attempt with an unknown outcome.
 * duplicate: the client id was accepted before. busy: a request is in progress, ours or another. not-found: does not exist now.
 * auth: authentication failed. ambiguous: proves nothing.
 */
export type RefusalClass = 'static' | 'stateful' | 'duplicate' | 'busy' | 'not-found' | 'auth' | 'ambiguous';

/** One row of the error table. `entry`: the error is reported inside failureList, not at the top level. */
export interface ErrorRow {
  readonly code: string;
  readonly msg: string;
  readonly reason: Reason;
  readonly class: RefusalClass;
  readonly entry?: true;
}

export function errorRow(code: string, msg: string, reason: Reason, proves: RefusalClass): ErrorRow {
  return { code, msg, reason, class: proves };
}

/**
 * Whether a request may be sent again if its outcome is unknown.
 * safe: it only reads. target-state: it sets a state and does not add a change. client-id: the id in `field` makes it take effect at most
 * once, and the endpoints in `resolveBy` show its outcome. never: it can be neither repeated nor looked up.
 */
export interface Idempotency {
  readonly kind: 'safe' | 'target-state' | 'client-id' | 'never';
  readonly field?: string;
  readonly resolveBy?: readonly EndpointId[];
}

export type EndpointId = `E${number}`;

export interface Endpoint<Q extends Fields = Fields, D extends Kind = Kind> {
  readonly id: EndpointId;
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly method: 'GET' | 'POST';
  /** Starts with `prefix`. */
  readonly path: string;
  /** The part of the path under which the API is mounted. Default: API_PREFIX. */
  readonly prefix?: string;
  readonly auth: boolean;
  readonly request: Q;
  readonly rules: readonly Rule[];
  readonly response: D;
  readonly notes?: readonly string[];
  /** In the order of the venue's table. If several apply, the first is answered. */
  readonly errors: readonly ErrorRow[];
  /** True if a code alone identifies a row, because messages vary: the first row of a code gives its reason. Default false. */
  readonly isByCode?: boolean;
  readonly idempotency: Idempotency;
  readonly cost: Cost;
}

/** Declares an endpoint. @throws AssertionError if a rule or field refers to an error row that the endpoint does not have */
export function endpoint<const Q extends Fields, D extends Kind>(spec: Endpoint<Q, D>): Endpoint<Q, D> {
  const { prefix = API_PREFIX } = spec;
  assert(spec.path.startsWith(`${prefix}/`), `${spec.id}: the path begins with ${prefix}`);
  const messages = new Set(spec.errors.map((row) => row.msg));
  assert(messages.size === spec.errors.length, `${spec.id}: error messages are distinct`);
  for (const rule of spec.rules) assert(messages.has(rule.refusedWith), `${spec.id}: an error row has the message "${rule.refusedWith}"`);
  assertRowsOfFields(spec.id, spec.request, messages);
  return spec;
}

function assertRowsOfFields(id: string, fields: Fields, messages: ReadonlySet<string>): void {
  for (const [name, field] of Object.entries(fields)) {
    const message = field.refusedWith;
    assert(message === undefined || messages.has(message), `${id}.${name}: an error row has the message "${message}"`);
    if (field.kind.kind === 'list' && field.kind.item.kind === 'record') {
      assertRowsOfFields(id, field.kind.item.fields, messages);
    }
  }
}

/** The parameters as the client sends them. */
export type RequestOf<E extends Endpoint> = SentRecord<E['request']>;
/** The parameters as the server reads them, after validation: defaults filled in, aliases resolved. */
export type ParametersOf<E extends Endpoint> = ReadRecord<E['request']>;
/** The `data` of a success as the server sends it. */
export type ReplyOf<E extends Endpoint> = SentOf<E['response']>;
/** The `data` of a success as the client reads it. */
export type AnswerOf<E extends Endpoint> = ReadOf<E['response']>;
