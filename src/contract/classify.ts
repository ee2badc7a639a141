/**
 * Decides what an answer proves. A refusal is identified by endpoint, code and message: one code has many meanings (40001 has 35), and a
 * venue may use new messages for an old code. A pair that is not in the endpoint's table is `ambiguous`, never a refusal (assumption A49).
 */
import type { Reason } from '../domain/orders/outcome.ts';
import { UNAUTHORIZED } from './endpoints/endpoints.ts';
import type { Endpoint, ErrorRow, RefusalClass } from './endpoints/endpoint.ts';
import { SUCCESS_CODE } from './envelope.ts';

/** `rate`: too many requests. For a write this is as uncertain as no answer, because nothing says that it was not executed. */
export type AnswerClass = 'ok' | 'rate' | RefusalClass;

export interface Classified {
  readonly class: AnswerClass;
  readonly reason?: Reason;
}

/** Rate-limit codes of similar venues; the interface shows none (assumption A05). */
const RATE_CODES: ReadonlySet<string> = new Set(['429', '42900', '30007']);

const AMBIGUOUS: Classified = { class: 'ambiguous' };

/** Classifies code and message of a valid envelope. `httpStatus` only matters where it contradicts them. */
export function classify(endpoint: Endpoint, code: string, msg: string, httpStatus = 200): Classified {
  if (httpStatus === 429 || RATE_CODES.has(code)) return { class: 'rate' };
  if (httpStatus >= 500) return AMBIGUOUS;
  if (code === SUCCESS_CODE) return httpStatus < 300 ? { class: 'ok' } : AMBIGUOUS;
  const row = findRow(endpoint, code, msg);
  return row === undefined ? AMBIGUOUS : { class: row.class, reason: row.reason };
}

/** Finds the row of the endpoint's error table for an error, top-level or in failureList. */
export function findRow(endpoint: Endpoint, code: string, msg: string): ErrorRow | undefined {
  const row = endpoint.errors.find((one) => one.code === code && (endpoint.isByCode === true || saysSame(one.msg, msg)));
  if (row !== undefined) return row;
  return endpoint.auth && code === UNAUTHORIZED.code && saysSame(UNAUTHORIZED.msg, msg) ? UNAUTHORIZED : undefined;
}

/** True if two messages differ only in case, white space or final punctuation (assumption A49). */
export function saysSame(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(msg: string): string {
  return msg
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?[.!;:,]+$/, '')
    .toLowerCase();
}
