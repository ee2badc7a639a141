/** Counts requests and refusals by endpoint and keeps the last refusals, for the exchange's page. */
import type { Endpoint, EndpointId } from '../../../contract/endpoints/endpoint.ts';
import { ENDPOINT_LIST } from '../../../contract/endpoints/endpoints.ts';
import { isRecord } from '../../../base/fields.ts';
import { SUCCESS_CODE, type Handler, type RefusedRequest, type WireRequest } from '../../../contract/envelope.ts';

export interface Counters {
  asked: number;
  refused: number;
  /** For example "40011 Insufficient balance"; "" before the first. */
  lastRefusal: string;
}

/** Requests and refusals since the start. */
export interface RequestSummary {
  /** All requests. */
  readonly asked: number;
  /** Those of them that were refused. */
  readonly refused: number;
  /** By endpoint, such as "E12". */
  readonly endpoints: readonly (Readonly<Counters> & { readonly endpoint: string })[];
  /** Requests to no endpoint. */
  readonly elsewhere: Readonly<Counters>;
}

/** A refused request as text. */
export interface RefusedNote {
  readonly time: number;
  /** Its API key; "" without one. */
  readonly key: string;
  /** "E12", or "" for no endpoint. */
  readonly endpoint: string;
  readonly code: string;
  readonly msg: string;
  /** Its parameters, or the beginning of the raw request. */
  readonly asked: string;
}

/** Number of refusals kept, and characters of each request. */
const KEPT = 50;
const ASKED_MAX = 200;

export interface EndpointCounters extends Counters {
  readonly endpoint: Endpoint;
}

export class RequestCounters {
  readonly rows: readonly EndpointCounters[] = ENDPOINT_LIST.map((endpoint) => ({ endpoint, asked: 0, refused: 0, lastRefusal: '' }));
  /** Requests to no endpoint: unknown paths and malformed requests. */
  readonly elsewhere: Counters = { asked: 0, refused: 0, lastRefusal: '' };
  readonly #refusals: RefusedNote[] = [];
  readonly #now: () => number;
  readonly #byId = new Map(this.rows.map((row) => [row.endpoint.id, row]));

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Requests and refusals of each endpoint, of requests to no endpoint, and of all. */
  summary(): RequestSummary {
    const all = this.rows.map(({ endpoint, asked, refused, lastRefusal }) => ({ endpoint: endpoint.id, asked, refused, lastRefusal }));
    const sum = (of: 'asked' | 'refused'): number => all.reduce((total, one) => total + one[of], this.elsewhere[of]);
    return { asked: sum('asked'), refused: sum('refused'), endpoints: all, elsewhere: { ...this.elsewhere } };
  }

  /** The last refusals, newest first. */
  get refusals(): readonly RefusedNote[] {
    return this.#refusals.toReversed();
  }

  /** Wraps `handler` so that its requests are counted. */
  over(handler: Handler): Handler {
    return (endpoint, request) => {
      const reply = handler(endpoint, request);
      this.#count(endpoint.id, reply.envelope);
      if (reply.envelope.code !== SUCCESS_CODE) this.#keep(endpoint.id, reply.envelope, request.caller, askedOf(request));
      else this.#keepEntries(endpoint.id, reply.envelope.data, request);
      return reply;
    };
  }

  /** Counts a request that was refused before it reached an endpoint. */
  refused(request: RefusedRequest): void {
    this.#count(request.endpoint, request);
    this.#keep(request.endpoint, request, request.key, request.body === '' ? request.target : request.body);
  }

  /** Keeps the failed entries of a batch. */
  #keepEntries(endpoint: EndpointId, data: unknown, { caller, params }: WireRequest): void {
    const failures = isRecord(data) && Array.isArray(data['failureList']) ? (data['failureList'] as unknown[]) : [];
    for (const failure of failures.slice(0, KEPT)) {
      if (!isRecord(failure)) continue;
      const { errorCode, errorMsg, ...entry } = failure;
      const code = typeof errorCode === 'string' ? errorCode : '40001';
      const row = { code, msg: typeof errorMsg === 'string' ? errorMsg : 'Order not found' };
      this.#keep(endpoint, row, caller, JSON.stringify(Object.keys(entry).length === 0 ? params : entry));
    }
  }

  #keep(
    endpoint: EndpointId | null,
    { code, msg }: { readonly code: string; readonly msg: string },
    key: string | null,
    asked: string,
  ): void {
    if (this.#refusals.length >= KEPT) this.#refusals.shift();
    this.#refusals.push({ time: this.#now(), key: key ?? '', endpoint: endpoint ?? '', code, msg, asked: asked.slice(0, ASKED_MAX) });
  }

  #count(endpoint: EndpointId | null, { code, msg }: { readonly code: string; readonly msg: string }): void {
    const row = (endpoint === null ? undefined : this.#byId.get(endpoint)) ?? this.elsewhere;
    row.asked++;
    if (code === SUCCESS_CODE) return;
    row.refused++;
    row.lastRefusal = `${code} ${msg}`;
  }
}

/** The parameters; if they were not read because the signature is unknown, the request target. */
function askedOf({ params, target }: WireRequest): string {
  return params === undefined ? target : JSON.stringify(params);
}
