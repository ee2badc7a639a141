/**
 * What an answer proves. Codes have many meanings (40001 has 35), so a refusal is believed only when this endpoint's table
 * has it; everything else is `ambiguous`, and never a refusal.
 */
import type { Reason } from '../domain/outcome.ts';
import { UNAUTHORIZED } from './endpoints.ts';
import type { Endpoint, ErrorRow, RefusalClass } from './endpoint.ts';
import { SUCCESS_CODE } from './envelope.ts';

/** `rate`: too many requests; for a write as ambiguous as silence, since nothing says that it was not done. */
export type AnswerClass = 'ok' | 'rate' | RefusalClass;

export interface Classified {
  readonly class: AnswerClass;
  readonly reason?: Reason;
}

/** Codes that stand for several meanings: only the message tells which. */
const SHARED_CODES: ReadonlySet<string> = new Set(['40001', '40034']);
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
  const said = plain(msg);
  const rows = endpoint.errors.filter((row) => row.code === code);
  const worded = rows.find((row) => plain(row.msg) === said);
  if (worded !== undefined) return worded;
  if (rows.length === 1 && !SHARED_CODES.has(code)) return rows[0];
  if (rows.length === 0 && endpoint.auth && code === UNAUTHORIZED.code && said === plain(UNAUTHORIZED.msg)) return UNAUTHORIZED;
  return undefined;
}

/** Case, blanks and a final full stop do not change a meaning. */
function plain(msg: string): string {
  return msg.trim().replace(/\s+/g, ' ').replace(/\.$/, '').toLowerCase();
}
