/**
 * Decides what one attempt proves. `decide` checks the facts in order; its cases are the rows C1 to C12 of the outcome table. Only a
 * complete, valid envelope of this endpoint gives `accepted` or `rejected`.
 */
import type { AnswerOf, Endpoint, RequestOf } from '../../contract/endpoints/endpoint.ts';
import { classify, findRow } from '../../contract/classify.ts';
import { UNAUTHORIZED } from '../../contract/endpoints/endpoints.ts';
import type { Envelope } from '../../contract/envelope.ts';
import { readAnswer, readEnvelope } from '../../contract/read-answer.ts';
import type { Called, Row, Unknown } from '../../venue/called.ts';
import { parseStrict } from '../strict-json.ts';
import type { WireFailure, WireReply } from './transport.ts';
import { firstWords, isPage, saysMaintenance } from './words.ts';

/** Causes of failures in which an answer arrived that cannot be read. */
const UNREADABLE: ReadonlySet<string> = new Set(['too-large', 'encoded', 'not-utf8', 'redirect']);

/** Replaces secrets in a text of the venue. */
export type Scrub = (text: string) => string;
const asItIs: Scrub = (text) => text;

/** Classifies the result of an attempt to call `endpoint` with `params`. */
export function decide<E extends Endpoint>(
  endpoint: E,
  params: RequestOf<E>,
  result: WireReply | WireFailure,
  scrub = asItIs,
): Called<AnswerOf<E>> {
  if (!result.ok) return decideFailure(result);
  const isWrite = endpoint.method === 'POST';
  const parsed = isWrite ? parseStrict(result.body) : parseLoose(result.body);
  if ('error' in parsed) return unreadable('C4', result, isPage(result.body) ? 'gateway-page' : parsed.error, scrub);
  const envelope = readEnvelope(parsed.value);
  if (!envelope.ok) return unreadable('C5', result, 'bad-envelope', scrub, envelope.problem);
  return decideEnvelope({ endpoint, params, result, isWrite, scrub }, envelope.value);
}

interface Attempt<E extends Endpoint> {
  readonly endpoint: E;
  readonly params: RequestOf<E>;
  readonly result: WireReply;
  readonly isWrite: boolean;
  readonly scrub: Scrub;
}

function decideEnvelope<E extends Endpoint>(attempt: Attempt<E>, envelope: Envelope): Called<AnswerOf<E>> {
  const { endpoint, result, scrub } = attempt;
  const { code, msg } = envelope;
  const detail = `status ${result.status} code ${firstWords(code.slice(0, 20), scrub)} ${msg === '' ? '' : firstWords(msg, scrub)}`;
  const said = classify(endpoint, code, msg, result.status);
  switch (said.class) {
    case 'ok':
      return decideSuccess(attempt, envelope);
    case 'rate':
      return unknown('C9', 'rate-limited', detail);
    case 'ambiguous': {
      const isServerFault = result.status >= 500 || said.reason !== undefined || findRow(endpoint, code, msg) !== undefined;
      if (isServerFault || FAULT_CODES.has(code)) return unknown('C8', faultOf(result.status, msg), detail);
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

/** Codes for a fault behind the venue's gateway, on every endpoint. */
const FAULT_CODES: ReadonlySet<string> = new Set(['50000', '50010']);

/** Classifies a code or message that is in no table. `status` 401 is also passed for the code that means the same. */
function decideUnlisted<T>(status: number, msg: string, detail: string): Called<T> {
  if (status === 401 || status === 403) return unknown('C10', refusalOf(status), detail);
  if (/too many requests|rate limit/i.test(msg)) return unknown('C9', 'rate-limited', detail);
  return unknown('C12', 'unknown-code', detail);
}

function decideSuccess<E extends Endpoint>(attempt: Attempt<E>, envelope: Envelope): Called<AnswerOf<E>> {
  const { endpoint, params, result, isWrite } = attempt;
  const { data, requestTime } = envelope;
  const { sentAt, receivedAt } = result;
  const answer = readAnswer(endpoint, data);
  if (!answer.ok) {
    const some = endpoint.auth ? null : readableRecords(endpoint, data);
    if (some === null) return unknown('C5', 'bad-data', answer.problem);
    return { status: 'accepted', row: 'C7', ...some, requestTime, sentAt, receivedAt };
  }
  if (isWrite && !echoes(endpoint, params, answer.value)) {
    return unknown('C6', 'response-mixup', 'expected the client order id that was sent, found another one in the answer');
  }
  return { status: 'accepted', row: 'C7', value: answer.value, malformed: 0, requestTime, sentAt, receivedAt };
}

/**
 * Returns the readable records of a public answer with some unreadable ones, so that one symbol's broken record does not hide all others.
 * Answers about orders and positions are never read in part. Null if no record is readable.
 */
function readableRecords<E extends Endpoint>(endpoint: E, data: unknown): { value: AnswerOf<E>; malformed: number } | null {
  if (!Array.isArray(data)) return null;
  const kept: unknown[] = [];
  for (const item of data) {
    const one = readAnswer(endpoint, [item]);
    if (one.ok) kept.push((one.value as readonly unknown[])[0]);
  }
  return kept.length === 0 ? null : { value: kept as AnswerOf<E>, malformed: data.length - kept.length };
}

/** True if the answer belongs to the request: endpoints with a client id return it. */
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

/** Classifies an answer of which only the HTTP status can be read. For a write it proves as little as no answer. */
function unreadable<T>(row: Row, { status, body }: WireReply, cause: string, scrub: Scrub, problem = ''): Called<T> {
  const words = `status ${status}: ${problem === '' ? '' : `${problem}; `}${firstWords(body, scrub)}`;
  if (status === 429) return unknown('C9', 'rate-limited', words);
  if (status === 401 || status === 403) return unknown('C10', refusalOf(status), words);
  if (status >= 500)
    return unknown('C8', cause === 'gateway-page' && status !== 503 && !saysMaintenance(body) ? cause : faultOf(status, body), words);
  return unknown(row, saysMaintenance(body) ? 'maintenance' : cause, words);
}

/** Who refuses: 401 does not know the key, 403 knows it and does not allow this, or not from here. */
function refusalOf(status: number): string {
  return status === 403 ? 'forbidden' : 'unauthorized';
}

/** What a venue that cannot answer says of itself. */
function faultOf(status: number, text: string): string {
  if (saysMaintenance(text)) return 'maintenance';
  return status === 503 ? 'unavailable' : 'venue-fault';
}

function unknown(row: Row, cause: string, detail: string): Unknown {
  return { status: 'unknown', row, cause, detail };
}

/** Parses the answer to a read, which may be large. Its structure is checked by the contract's readers. */
function parseLoose(text: string): { value: unknown } | { error: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { error: 'not-json' };
  }
}
