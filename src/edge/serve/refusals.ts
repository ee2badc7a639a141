/**
 * Refusals that the server sends without calling an endpoint. The interface does not list them, so the texts are ours. The HTTP status is
 * the standard one.
 */
import { generalRefusal } from '../../contract/endpoints/endpoints.ts';

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
}

export const BODY_TOO_LARGE = refusal(413, 'Request body is too large');
export const NOT_JSON = refusal(415, 'Content type must be application/json');
export const ENCODED = refusal(415, 'Content encoding is not supported');
export const NOT_UTF8 = refusal(400, 'Request body is not UTF-8');
export const NO_HOST = refusal(400, 'Host header is required');
export const PATH_UNKNOWN = refusal(404, 'Request path does not exist');
export const METHOD_UNKNOWN = refusal(405, 'Request method is not supported');
export const SYSTEM_ERROR: Refusal = { status: 500, code: '50000', msg: 'System error' };
/** The interface has no code for this; the status and Retry-After identify it. */
export const TOO_MANY: Refusal = { status: 429, code: '42900', msg: 'Too many requests' };

/** The refusal of a body or query that cannot be parsed. */
export function unreadable(cause: string): Refusal {
  return refusal(400, cause);
}

function refusal(status: number, msg: string): Refusal {
  return { status, code: generalRefusal(msg).code, msg };
}
