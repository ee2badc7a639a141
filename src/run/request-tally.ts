/** How often each endpoint was asked and refused, for people who watch. */
import type { Endpoint } from '../contract/endpoint.ts';
import { ENDPOINT_LIST } from '../contract/endpoints.ts';
import { SUCCESS_CODE, type Envelope, type Handler } from '../contract/envelope.ts';

export interface EndpointTally {
  readonly endpoint: Endpoint;
  asked: number;
  refused: number;
  /** "40011 Insufficient balance", or "" before the first. */
  lastRefusal: string;
}

export class RequestTally {
  readonly rows: readonly EndpointTally[] = ENDPOINT_LIST.map((endpoint) => ({ endpoint, asked: 0, refused: 0, lastRefusal: '' }));
  readonly #byId = new Map(this.rows.map((row) => [row.endpoint.id, row]));

  /** `handler`, counted. */
  over(handler: Handler): Handler {
    return (endpoint, request) => {
      const reply = handler(endpoint, request);
      this.#count(endpoint, reply.envelope);
      return reply;
    };
  }

  #count(endpoint: Endpoint, envelope: Envelope): void {
    const row = this.#byId.get(endpoint.id);
    if (row === undefined) return;
    row.asked++;
    if (envelope.code === SUCCESS_CODE) return;
    row.refused++;
    row.lastRefusal = `${envelope.code} ${envelope.msg}`;
  }
}
