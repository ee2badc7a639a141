/** Describes a refused request for the ledger: what was received and how it was refused. Of the headers, only the key is used. */
import type { IncomingMessage } from 'node:http';
import type { EndpointId } from '../../../contract/endpoints/endpoint.ts';
import type { RefusedRequest } from '../../../contract/envelope.ts';
import type { GeneralRefusal } from '../../../contract/endpoints/general-refusals.ts';

/** Most bytes of a body that are included. */
const BODY_SHOWN = 4_096;

export interface RefusedParts {
  readonly endpoint: EndpointId | null;
  /** Undefined if no body was read. */
  readonly body?: Buffer | undefined;
  readonly caller?: string | null | undefined;
}

export function refusedRequest(
  request: IncomingMessage,
  { status, code, msg }: GeneralRefusal,
  { endpoint, body, caller }: RefusedParts,
): RefusedRequest {
  const key = caller ?? request.headers['access-key'];
  const declared = Number(request.headers['content-length']);
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    endpoint,
    key: typeof key === 'string' ? key : null,
    isSigned: typeof caller === 'string',
    body: body?.toString('utf8', 0, BODY_SHOWN) ?? '',
    bytes: body?.length ?? (Number.isSafeInteger(declared) ? declared : null),
    status,
    code,
    msg,
  };
}

/** Describes bytes that were not an HTTP request. */
export function refusedBytes({ status, code, msg }: GeneralRefusal): RefusedRequest {
  return { method: '', target: '', endpoint: null, key: null, isSigned: false, body: '', bytes: null, status, code, msg };
}
