/**
 * Finds the result of a single request in an accepted batch answer. A batch answer is a success whatever happened to its entries, so the
 * entry decides. An entry in neither list gives `unknown`.
 */
import { findRow, saysSame } from '../../contract/classify.ts';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { ENDPOINTS, type AnswerTo } from '../../contract/endpoints/endpoints.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import type { Verdict } from '../dialect.ts';

const MISSING: Verdict = { status: 'unknown', cause: 'entry-missing' };
const MIXUP: Verdict = { status: 'unknown', cause: 'response-mixup' };

export interface CancelItem {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}

/**
 * Cancel orders (E15) and cancel trigger orders (E16) with one entry. An entry cancelled by order id lacks the client id; a failed one
 * lacks the order id.
 */
export function settleCancel(
  endpoint: typeof ENDPOINTS.cancelOrders | typeof ENDPOINTS.cancelPlanOrders,
  answer: AnswerTo<'cancelPlanOrders'>,
  item: CancelItem,
): Verdict {
  const isOurs = (entry: { readonly orderId: string; readonly clientOid: string }): boolean =>
    item.clientOid === undefined ? entry.orderId === item.orderId : entry.clientOid === item.clientOid;
  const { successList, failureList } = answer;
  const done = successList.find(isOurs);
  // Only one entry was sent, so a failure without any id belongs to it.
  const failed = failureList.find(isOurs) ?? failureList.find((entry) => entry.orderId === '' && entry.clientOid === '');
  if (successList.length + failureList.length > 1) return MIXUP;
  if (done !== undefined) return { status: 'accepted', venueId: done.orderId };
  if (failed !== undefined) return refusedEntry(endpoint, failed.errorCode ?? '', failed.errorMsg ?? '');
  return successList.length + failureList.length === 1 ? MIXUP : MISSING;
}

/** Place spot orders (E1) with one entry, the only one that the answer can be about. */
export function settleSpotPlace({ successList, failureList }: AnswerTo<'placeSpotOrders'>): Verdict {
  if (successList.length + failureList.length > 1) return MIXUP;
  const [done] = successList;
  const [failed] = failureList;
  if (done !== undefined) return { status: 'accepted', venueId: done.orderId };
  return failed === undefined ? MISSING : refusedEntry(ENDPOINTS.placeSpotOrders, failed.errorCode, failed.errorMsg);
}

/** Cancel spot orders (E2) with one entry. */
export function settleSpotCancel({ successList, failureList }: AnswerTo<'cancelSpotOrders'>, orderId: string): Verdict {
  if (successList.length + failureList.length > 1) return MIXUP;
  const [done] = successList;
  const [failed] = failureList;
  if (done !== undefined) return done.orderId === orderId ? { status: 'accepted', venueId: orderId } : MIXUP;
  if (failed === undefined) return MISSING;
  if (failed.orderId !== '' && failed.orderId !== orderId) return MIXUP;
  return refusedEntry(ENDPOINTS.cancelSpotOrders, failed.errorCode, failed.errorMsg);
}

/** How to read a failed entry whose code and message are not in the endpoint's table. */
type FailedEntry = 'unknown' | 'not-found-without-words' | 'refused';

/**
 * By endpoint. Cancel orders (E15) and cancel spot orders (E2): only "Order not found" proves that the order is not open. Cancel trigger
 * orders (E16): one section of the documents shows no error fields (assumption A41). Place spot orders (E1): codes of entries are not
 * documented, and an entry in failureList was processed and refused (assumption A51).
 */
const FAILED_ENTRIES: Readonly<Record<string, FailedEntry>> = {
  E1: 'refused',
  E2: 'unknown',
  E15: 'unknown',
  E16: 'not-found-without-words',
};

const NOT_FOUND = 'Order not found';
/** Codes for faults of the venue itself, which prove nothing about the entry. */
const FAULT_CODES: ReadonlySet<string> = new Set(['50000', '50010', '429', '42900', '30007']);
/** Words in a message that leave the result of the entry open, whatever its code. */
const DOUBT = /time.?out|timed out|unknown|pending|processing|in progress|system|internal|upstream|busy|again|later|too many/i;

/** Result of an entry in failureList: rejected only if code and message prove it. */
function refusedEntry(endpoint: Endpoint, code: string, message: string): Verdict {
  if (FAULT_CODES.has(code)) return { status: 'unknown', cause: 'venue-fault' };
  const reason = findRow(endpoint, code, message)?.reason ?? reasonOfFailed(FAILED_ENTRIES[endpoint.id], code, message);
  if (reason === null) return { status: 'unknown', cause: 'unknown-code' };
  return { status: 'rejected', rejection: { reason, code, message } };
}

function reasonOfFailed(how: FailedEntry | undefined, code: string, message: string): Reason | null {
  if (saysSame(message, NOT_FOUND)) return 'order-not-found';
  if (how === 'not-found-without-words' && code === '' && message === '') return 'order-not-found';
  return how === 'refused' && !DOUBT.test(message) ? 'invalid-request' : null;
}
