/**
 * The envelope of every response, and the type of a function that answers requests (the simulator, a recording, a hostile test). Servers
 * and in-process transports take such a Handler and know nothing about its implementation.
 */
import type { Endpoint, EndpointId, ErrorRow } from './endpoints/endpoint.ts';

export const SUCCESS_CODE = '00000';
export const SUCCESS_MSG = 'success';

export interface Envelope {
  readonly code: string;
  readonly msg: string;
  /** Milliseconds since 1970; 0 if the answer had none. */
  readonly requestTime: number;
  readonly data: unknown;
}

export function success(data: unknown, requestTime: number): Envelope {
  return { code: SUCCESS_CODE, msg: SUCCESS_MSG, requestTime, data };
}

/** An error envelope, with `data: null` (assumption A04). */
export function failure(row: Pick<ErrorRow, 'code' | 'msg'>, requestTime: number): Envelope {
  return { code: row.code, msg: row.msg, requestTime, data: null };
}

/** A request as received over the wire, parsed but not validated. */
export interface WireRequest {
  readonly method: string;
  /** Path and query exactly as sent, the text that was signed. */
  readonly target: string;
  /** The body text; "" if there is none. */
  readonly body: string;
  /** The query as strings (GET) or the parsed JSON body (POST); undefined if the body is not JSON. */
  readonly params: unknown;
  /** A header by lower-case name. */
  header(name: string): string | undefined;
  /** The API key whose signature was verified. Null if none is needed or the check failed. */
  readonly caller: string | null;
}

/** Describes a request that was refused without calling an endpoint. */
export interface RefusedRequest {
  /** "" for bytes that are not an HTTP request. */
  readonly method: string;
  readonly target: string;
  readonly endpoint: EndpointId | null;
  /** The API key in the request, verified or not. */
  readonly key: string | null;
  /** True if the signature was verified. */
  readonly isSigned: boolean;
  /** The start of the body; "" if it was not read. */
  readonly body: string;
  /** Length of the whole body; null if unknown. */
  readonly bytes: number | null;
  /** The refusal: HTTP status, code and message. */
  readonly status: number;
  readonly code: string;
  readonly msg: string;
}

export interface Reply {
  readonly httpStatus: number;
  readonly envelope: Envelope;
}

/** Answers one request synchronously. Never throws because of the request's content. */
export type Handler = (endpoint: Endpoint, request: WireRequest) => Reply;
