/**
 * What one attempt proves. One function decides, from the first fact that holds; the rows C1 to C12 are its cases. Nothing but
 * a complete, valid envelope of this endpoint is ever `accepted` or `rejected`.
 */
import type { AnswerOf, Endpoint, RefusalClass, RequestOf } from '../../contract/endpoints/endpoint.ts';
import { classify, findRow } from '../../contract/classify.ts';
import { UNAUTHORIZED } from '../../contract/endpoints/endpoints.ts';
import type { Envelope } from '../../contract/envelope.ts';
import { readAnswer, readEnvelope } from '../../contract/read.ts';
import type { Rejection } from '../../domain/outcome.ts';
import { parseStrict } from '../strict-json.ts';
import type { WireFailure, WireReply } from './transport.ts';

/** Which case decided; see the table in `decide`. */
export type Row = 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6' | 'C7' | 'C8' | 'C9' | 'C10' | 'C11' | 'C12';

export interface Accepted<T> {
  readonly status: 'accepted';
  readonly row: 'C7';
  readonly value: T;
  /** Records of public data left out because they could not be read. */
  readonly malformed: number;
  /** The venue's clock, 0 when it did not say. */
  readonly requestTime: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface Rejected {
  readonly status: 'rejected';
  readonly row: 'C10' | 'C11';
  readonly rejection: Rejection;
  /** What the refusal proves of an earlier attempt with the same bytes. */
  readonly proves: RefusalClass;
}

/** Proven never to have left. */
export interface Unsent {
  readonly status: 'unsent';
  readonly row: 'C1' | 'C2';
  readonly cause: string;
  readonly detail: string;
}

/** May have happened. */
export interface Unknown {
  readonly status: 'unknown';
  readonly row: Row;
  readonly cause: string;
  /** For the log: what was found, never a whole body. */
  readonly detail: string;
}

export type Called<T> = Accepted<T> | Rejected | Unsent | Unknown;

/** Failures of the transport in which a reply came, but not one that can be read. */
const UNREADABLE: ReadonlySet<string> = new Set(['too-large', 'encoded', 'not-utf8', 'redirect']);

/** Decides about an attempt of `endpoint` with `params`, from what the transport brought. */
export function decide<E extends Endpoint>(endpoint: E, params: RequestOf<E>, result: WireReply | WireFailure): Called<AnswerOf<E>> {
  if (!result.ok) return decideFailure(result);
  const { status } = result;
  const isWrite = endpoint.method === 'POST';
  const parsed = isWrite ? parseStrict(result.body) : parseLoose(result.body);
  if ('error' in parsed) return unreadable('C4', status, parsed.error, startOf(result.body));
  const envelope = readEnvelope(parsed.value);
  if (!envelope.ok) return unreadable('C5', status, 'bad-envelope', envelope.problem);
  return decideEnvelope({ endpoint, params, result, isWrite }, envelope.value);
}

interface Attempt<E extends Endpoint> {
  readonly endpoint: E;
  readonly params: RequestOf<E>;
  readonly result: WireReply;
  readonly isWrite: boolean;
}

function decideEnvelope<E extends Endpoint>(attempt: Attempt<E>, envelope: Envelope): Called<AnswerOf<E>> {
  const { endpoint, result } = attempt;
  const { code, msg } = envelope;
  const detail = `status ${result.status} code ${code.slice(0, 20)} ${msg.slice(0, 120)}`;
  const said = classify(endpoint, code, msg, result.status);
  switch (said.class) {
    case 'ok':
      return decideSuccess(attempt, envelope);
    case 'rate':
      return unknown('C9', 'rate-limited', detail);
    case 'ambiguous': {
      const isServerFault = result.status >= 500 || said.reason !== undefined || findRow(endpoint, code, msg) !== undefined;
      if (isServerFault || FAULT_CODES.has(code)) return unknown('C8', 'venue-fault', detail);
      return decideUnlisted(endpoint.auth && code === UNAUTHORIZED.code ? 401 : result.status, msg, detail);
    }
    default: {
      const reason = said.reason;
      if (reason === undefined) return unknown('C12', 'unknown-code', detail);
      const row = said.class === 'auth' ? 'C10' : 'C11';
      return { status: 'rejected', row, rejection: { reason, code, message: msg }, proves: said.class };
    }
  }
}

/** Codes of a fault behind the gateway, on whichever endpoint. */
const FAULT_CODES: ReadonlySet<string> = new Set(['50000', '50010']);

/** A code or message that no table has. `status` 401 also stands for the code that says the same. */
function decideUnlisted<T>(status: number, msg: string, detail: string): Called<T> {
  if (status === 401 || status === 403) return unknown('C10', 'unauthorized', detail);
  if (/too many requests|rate limit/i.test(msg)) return unknown('C9', 'rate-limited', detail);
  return unknown('C12', 'unknown-code', detail);
}

function decideSuccess<E extends Endpoint>(attempt: Attempt<E>, envelope: Envelope): Called<AnswerOf<E>> {
  const { endpoint, params, result, isWrite } = attempt;
  const { data, requestTime } = envelope;
  const { sentAt, receivedAt } = result;
  const answer = readAnswer(endpoint, data);
  if (!answer.ok) {
    const some = endpoint.auth ? null : readWhatCan(endpoint, data);
    if (some === null) return unknown('C5', 'bad-data', answer.problem);
    return { status: 'accepted', row: 'C7', ...some, requestTime, sentAt, receivedAt };
  }
  if (isWrite && !echoes(endpoint, params, answer.value)) {
    return unknown('C6', 'response-mixup', 'the answer names another client order id than was sent');
  }
  return { status: 'accepted', row: 'C7', value: answer.value, malformed: 0, requestTime, sentAt, receivedAt };
}

/**
 * The records of public data that can be read, where some cannot: one symbol's broken row must not blind the bot for all
 * others. Orders and positions are never read in part. Null when nothing can be read.
 */
function readWhatCan<E extends Endpoint>(endpoint: E, data: unknown): { value: AnswerOf<E>; malformed: number } | null {
  if (!Array.isArray(data)) return null;
  const kept: unknown[] = [];
  for (const item of data) {
    const one = readAnswer(endpoint, [item]);
    if (one.ok) kept.push((one.value as readonly unknown[])[0]);
  }
  return kept.length === 0 ? null : { value: kept as AnswerOf<E>, malformed: data.length - kept.length };
}

/** Whether the answer is about what was asked: an endpoint with a client id echoes it. */
function echoes(endpoint: Endpoint, params: object, value: unknown): boolean {
  const field = endpoint.idempotency.field;
  if (endpoint.idempotency.kind !== 'client-id' || field === undefined) return true;
  const sent = (params as Record<string, unknown>)[field];
  return sent === undefined || (value as { clientOid?: unknown } | null)?.clientOid === sent;
}

function decideFailure<T>({ phase, cause, detail }: WireFailure): Called<T> {
  if (phase === 'before-send') return { status: 'unsent', row: 'C2', cause, detail };
  return unknown(UNREADABLE.has(cause) ? 'C4' : 'C3', cause, detail);
}

/** A reply that says nothing but its status: for a write it is silence all the same. */
function unreadable<T>(row: Row, status: number, cause: string, detail: string): Called<T> {
  if (status === 429) return unknown('C9', 'rate-limited', detail);
  if (status === 401 || status === 403) return unknown('C10', 'unauthorized', detail);
  if (status >= 500) return unknown('C8', 'venue-fault', `status ${status} ${detail}`);
  return unknown(row, cause, detail);
}

function unknown(row: Row, cause: string, detail: string): Unknown {
  return { status: 'unknown', row, cause, detail };
}

/** Reads of market data are large and harmless: their shape is what the readers check. */
function parseLoose(text: string): { value: unknown } | { error: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { error: 'not-json' };
  }
}

function startOf(body: string): string {
  return body.length === 0 ? 'empty body' : JSON.stringify(body.slice(0, 60));
}
