/**
 * What an accepted answer says of the one thing that was asked. A batch answers with success whatever became of its entries,
 * so the entry decides; an entry in neither list was not answered, and that is `unknown`.
 */
import { findRow, saysSame } from '../../contract/classify.ts';
import type { AnswerOf, Endpoint } from '../../contract/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints/endpoints.ts';
import type { Reason, Rejection } from '../../domain/outcome.ts';

export type Verdict =
  | { readonly status: 'accepted'; readonly venueId: string }
  | { readonly status: 'rejected'; readonly rejection: Rejection }
  | { readonly status: 'unknown'; readonly cause: string };

const MISSING: Verdict = { status: 'unknown', cause: 'entry-missing' };
const MIXUP: Verdict = { status: 'unknown', cause: 'response-mixup' };

export interface CancelItem {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}

/** E15 and E16 with one entry. An entry cancelled by order id comes back without client id, a failed one without order id. */
export function settleCancel(
  endpoint: typeof ENDPOINTS.cancelOrders | typeof ENDPOINTS.cancelPlanOrders,
  answer: AnswerOf<typeof ENDPOINTS.cancelPlanOrders>,
  item: CancelItem,
): Verdict {
  const isOurs = (entry: { readonly orderId: string; readonly clientOid: string }): boolean =>
    item.clientOid === undefined ? entry.orderId === item.orderId : entry.clientOid === item.clientOid;
  const { successList, failureList } = answer;
  const done = successList.find(isOurs);
  // One was asked: a failure that names nothing at all can be no other.
  const failed = failureList.find(isOurs) ?? failureList.find((entry) => entry.orderId === '' && entry.clientOid === '');
  if (successList.length + failureList.length > 1) return MIXUP;
  if (done !== undefined) return { status: 'accepted', venueId: done.orderId };
  if (failed !== undefined) return refusedEntry(endpoint, failed.errorCode ?? '', failed.errorMsg ?? '');
  return successList.length + failureList.length === 1 ? MIXUP : MISSING;
}

/** E1 with one entry: the only answer it can be matched to. */
export function settleSpotPlace({ successList, failureList }: AnswerOf<typeof ENDPOINTS.placeSpotOrders>): Verdict {
  if (successList.length + failureList.length > 1) return MIXUP;
  const [done] = successList;
  const [failed] = failureList;
  if (done !== undefined) return { status: 'accepted', venueId: done.orderId };
  return failed === undefined ? MISSING : refusedEntry(ENDPOINTS.placeSpotOrders, failed.errorCode, failed.errorMsg);
}

/** E2 with one entry. */
export function settleSpotCancel({ successList, failureList }: AnswerOf<typeof ENDPOINTS.cancelSpotOrders>, orderId: string): Verdict {
  if (successList.length + failureList.length > 1) return MIXUP;
  const [done] = successList;
  const [failed] = failureList;
  if (done !== undefined) return done.orderId === orderId ? { status: 'accepted', venueId: orderId } : MIXUP;
  if (failed === undefined) return MISSING;
  if (failed.orderId !== '' && failed.orderId !== orderId) return MIXUP;
  return refusedEntry(ENDPOINTS.cancelSpotOrders, failed.errorCode, failed.errorMsg);
}

/** How a failed entry of a processed batch is read when the endpoint's table does not have its code and message. */
type FailedEntry = 'unknown' | 'not-found-without-words' | 'refused';

/**
 * By endpoint. E15 and E2: only "Order not found" proves that the order is not open now. E16: one section shows no error fields at all
 * (A41). E1: the codes of its entries are documented nowhere, and an entry in failureList was processed and refused (A51).
 */
const FAILED_ENTRIES: Readonly<Record<string, FailedEntry>> = {
  E1: 'refused',
  E2: 'unknown',
  E15: 'unknown',
  E16: 'not-found-without-words',
};

const NOT_FOUND = 'Order not found';
/** Faults of the venue itself, which say nothing about the entry. */
const FAULT_CODES: ReadonlySet<string> = new Set(['50000', '50010', '429', '42900', '30007']);
/** Words of an answer that leaves the fate of the entry open, whatever its code. */
const DOUBT = /time.?out|timed out|unknown|pending|processing|in progress|system|internal|upstream|busy|again|later|too many/i;

/** The verdict on an entry in failureList: a refusal only where code and message prove one. */
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
