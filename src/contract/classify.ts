/**
 * What an answer proves. The key of a refusal is endpoint, code and message: codes have many meanings (40001 has 35), and a venue may
 * put new words under an old code. A pair that the endpoint's table does not have is `ambiguous`, never a refusal (A49).
 */
import type { Reason } from '../domain/outcome.ts';
import { UNAUTHORIZED } from './endpoints/endpoints.ts';
import type { Endpoint, ErrorRow, RefusalClass } from './endpoints/endpoint.ts';
import { SUCCESS_CODE } from './envelope.ts';

/** `rate`: too many requests; for a write as ambiguous as silence, since nothing says that it was not done. */
export type AnswerClass = 'ok' | 'rate' | RefusalClass;

export interface Classified {
  readonly class: AnswerClass;
  readonly reason?: Reason;
}

/** Rate refusals of sibling venues: none is shown for this one (A05). */
const RATE_CODES: ReadonlySet<string> = new Set(['429', '42900', '30007']);

const AMBIGUOUS: Classified = { class: 'ambiguous' };

/** Reads a valid envelope's code and message. `httpStatus` counts only where it contradicts them. */
export function classify(endpoint: Endpoint, code: string, msg: string, httpStatus = 200): Classified {
  if (httpStatus === 429 || RATE_CODES.has(code)) return { class: 'rate' };
  if (httpStatus >= 500) return AMBIGUOUS;
  if (code === SUCCESS_CODE) return httpStatus < 300 ? { class: 'ok' } : AMBIGUOUS;
  const row = findRow(endpoint, code, msg);
  return row === undefined ? AMBIGUOUS : { class: row.class, reason: row.reason };
}

/** The row of the endpoint's table that an answer is, whether top-level or in failureList. */
export function findRow(endpoint: Endpoint, code: string, msg: string): ErrorRow | undefined {
  const row = endpoint.errors.find((one) => one.code === code && saysSame(one.msg, msg));
  if (row !== undefined) return row;
  return endpoint.auth && code === UNAUTHORIZED.code && saysSame(UNAUTHORIZED.msg, msg) ? UNAUTHORIZED : undefined;
}

/** True when two messages differ in case, white space or final punctuation only (A49). */
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
