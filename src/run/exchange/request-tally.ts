/** How often each endpoint was asked and refused, in the answer or before it was reached, for people who watch. */
import type { Endpoint, EndpointId } from '../../contract/endpoint.ts';
import { ENDPOINT_LIST } from '../../contract/endpoints.ts';
import { SUCCESS_CODE, type Handler, type RefusedRequest } from '../../contract/envelope.ts';

export interface Tally {
  asked: number;
  refused: number;
  /** "40011 Insufficient balance", or "" before the first. */
  lastRefusal: string;
}

export interface EndpointTally extends Tally {
  readonly endpoint: Endpoint;
}

export class RequestTally {
  readonly rows: readonly EndpointTally[] = ENDPOINT_LIST.map((endpoint) => ({ endpoint, asked: 0, refused: 0, lastRefusal: '' }));
  /** Requests of no endpoint: unknown paths, bytes that are no request. */
  readonly elsewhere: Tally = { asked: 0, refused: 0, lastRefusal: '' };
  readonly #byId = new Map(this.rows.map((row) => [row.endpoint.id, row]));

  /** `handler`, counted. */
  over(handler: Handler): Handler {
    return (endpoint, request) => {
      const reply = handler(endpoint, request);
      this.#count(endpoint.id, reply.envelope);
      return reply;
    };
  }

  /** Counts a request that was refused before any endpoint was asked. */
  refused(request: RefusedRequest): void {
    this.#count(request.endpoint, request);
  }

  #count(endpoint: EndpointId | null, { code, msg }: { readonly code: string; readonly msg: string }): void {
    const row = (endpoint === null ? undefined : this.#byId.get(endpoint)) ?? this.elsewhere;
    row.asked++;
    if (code === SUCCESS_CODE) return;
    row.refused++;
    row.lastRefusal = `${code} ${msg}`;
  }
}
