/** A received request between the socket and the handler, in the form that fault injection uses. */
import type { ServerResponse } from 'node:http';
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts';
import type { Envelope, Reply, WireRequest } from '../../../contract/envelope.ts';

/** One authenticated and parsed request. */
export interface ReceivedRequest {
  readonly endpoint: Endpoint;
  readonly request: WireRequest;
  readonly response: ServerResponse;
  /** Calls the handler: the venue acts. */
  perform(): Reply;
  textOf(envelope: Envelope): string;
  /** Sends the answer. */
  send(status: number, text: string, type?: string): void;
  /** Runs a later step of this request. An error in it is reported and answered as usual. */
  guard(step: () => void): void;
}
