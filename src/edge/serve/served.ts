/** A request between the socket and the handler, as a fault plan finds it. */
import type { ServerResponse } from 'node:http';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import type { Envelope, Reply, WireRequest } from '../../contract/envelope.ts';

/** One request that waits to be served. */
export interface Served {
  readonly endpoint: Endpoint;
  readonly request: WireRequest;
  readonly response: ServerResponse;
  /** The venue acts. */
  perform(): Reply;
  textOf(envelope: Envelope): string;
  /** The ordinary answer. */
  send(status: number, text: string, type?: string): void;
  /** Runs a later step of this request; what it throws is told and answered as any other error. */
  guard(step: () => void): void;
}
