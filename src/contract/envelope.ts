/**
 * The envelope of every response, and the shape of whatever answers requests: the simulator's face, a recording, a hostile
 * one. A server and a loopback transport take a Handler, so neither knows what is behind it.
 */
import type { Endpoint, EndpointId, ErrorRow } from './endpoints/endpoint.ts';

export const SUCCESS_CODE = '00000';
export const SUCCESS_MSG = 'success';

export interface Envelope {
  readonly code: string;
  readonly msg: string;
  /** Milliseconds since the epoch; 0 where an answer carried none. */
  readonly requestTime: number;
  readonly data: unknown;
}

export function success(data: unknown, requestTime: number): Envelope {
  return { code: SUCCESS_CODE, msg: SUCCESS_MSG, requestTime, data };
}

/** The body of an error carries `data: null` (A04). */
export function failure(row: Pick<ErrorRow, 'code' | 'msg'>, requestTime: number): Envelope {
  return { code: row.code, msg: row.msg, requestTime, data: null };
}

/** A request as it came over the wire, parsed but not validated. */
export interface WireRequest {
  readonly method: string;
  /** The raw request target, path and query exactly as sent: what the signature was made over. */
  readonly target: string;
  /** The raw body text, "" when there is none. */
  readonly body: string;
  /** The query as strings (GET) or the parsed JSON body (POST); undefined when the body is not JSON. */
  readonly params: unknown;
  /** A header by lower-case name. */
  header(name: string): string | undefined;
  /** The API key whose signature the edge verified; null where none was asked for or the check failed. */
  readonly caller: string | null;
}

/** A request that was refused before any endpoint was asked, as far as it was read. */
export interface RefusedRequest {
  /** "" for bytes that are no HTTP request. */
  readonly method: string;
  readonly target: string;
  readonly endpoint: EndpointId | null;
  /** The API key that it bore, whether or not it was signed with it. */
  readonly key: string | null;
  /** Whether its signature was verified. */
  readonly isSigned: boolean;
  /** The beginning of its body, "" where none was read. */
  readonly body: string;
  /** Length of the whole body, null where it is not known. */
  readonly bytes: number | null;
  /** How it was refused. */
  readonly status: number;
  readonly code: string;
  readonly msg: string;
}

export interface Reply {
  readonly httpStatus: number;
  readonly envelope: Envelope;
}

/** Answers one request at once. Never throws for what the caller sends. */
export type Handler = (endpoint: Endpoint, request: WireRequest) => Reply;
