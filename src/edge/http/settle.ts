/**
 * What an accepted answer says of the one thing that was asked. A batch answers with success whatever became of its entries,
 * so the entry decides; an entry in neither list was not answered, and that is `unknown`.
 */
import { findRow } from '../../contract/classify.ts';
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Rejection } from '../../domain/outcome.ts';

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

/** Faults of the venue itself, which say nothing of the entry. */
const FAULT_CODES: ReadonlySet<string> = new Set(['50000', '50010']);

/**
 * A processed batch lists the entry as failed: that is a refusal whatever the code, since the codes of entries are hardly
 * documented. For a cancel it means "not there now"; a plan order may as well have been triggered.
 */
function refusedEntry(endpoint: Endpoint, code: string, message: string): Verdict {
  if (FAULT_CODES.has(code)) return { status: 'unknown', cause: 'venue-fault' };
  const isCancel = endpoint.idempotency.kind === 'target-state';
  const reason = findRow(endpoint, code, message)?.reason ?? (isCancel ? 'order-not-found' : 'invalid-request');
  return { status: 'rejected', rejection: { reason, code, message } };
}
