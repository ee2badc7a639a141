/** One attempt of a request to any endpoint of a dialect: encode, sign, send, classify. Retries are decided by the caller. */
import type { Credentials } from '../../base/secret.ts';
import type { AnswerOf, Endpoint, RequestOf } from '../../contract/endpoints/endpoint.ts';
import { encodeRequest } from '../../contract/encode-params.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Called } from '../../venue/called.ts';
import type { Dialect } from '../../venue/dialect.ts';
import { INTERFACE } from '../../venue/interface/dialect.ts';
import type { VenueHealth } from './venue-health.ts';
import { Gauges } from './gauges.ts';
import { decide } from './outcome.ts';
import { exitReadPauseMs, retryAfterMs } from './retry-after.ts';
import { createSigner, type Signer } from './sign.ts';
import type { Transport, WireFailure, WireReply } from './transport.ts';

export interface ClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** null allows only public endpoints. */
  readonly credentials: Credentials | null;
  /** What the venue speaks. Default: the interface. */
  readonly dialect?: Dialect | undefined;
  /** Path before every endpoint. Default: the prefix of the dialect. */
  readonly apiPrefix?: string | undefined;
  /** Path used in the signature instead of `apiPrefix`; "" for venues that sign paths without it. Default: `apiPrefix`. */
  readonly signedPrefix?: string | undefined;
  /** Clock for request timestamps. It receives the venue's times and authentication failures. Default: `clock`. */
  readonly venueClock?: VenueTime | undefined;
  /** Replaces the documented signature. */
  readonly signer?: Signer | undefined;
  /** Called when the venue answers "too many requests": no request of this lane should be sent before `until`. */
  readonly onRateLimit?: ((pause: RatePause) => void) | undefined;
  /** Replaces secrets in what is said about an answer. Default: nothing is replaced. */
  readonly scrub?: ((text: string) => string) | undefined;
  /** Told the end of each attempt. */
  readonly health?: VenueHealth | undefined;
  /** Called with every complete answer, as received. */
  readonly onAnswer?: ((answer: RawAnswer) => void) | undefined;
}

export interface RawAnswer {
  /** Number and name of the endpoint. */
  readonly endpoint: string;
  readonly status: number;
  readonly body: string;
  /** By the client's clock. */
  readonly receivedAt: number;
}

/** Groups of requests with separate rate-limit pauses: reads, opening writes, closing writes and cancels. */
export type CallLane = 'read' | 'open' | 'close' | 'cancel';

export interface RatePause {
  readonly bucket: string;
  readonly lane: CallLane;
  /** In the client's time. */
  readonly until: number;
  /** End of the pause for reads that decide about an exit. Equal to `until` for a write lane. */
  readonly exitUntil: number;
}

export interface VenueTime extends Clock {
  /** Takes the venue's time from a public answer. `sentAt` and `receivedAt` are in the client's time. */
  sample(requestTime: number, sentAt: number, receivedAt: number): void;
  /** The venue rejected the authentication of a signed request. */
  refused(): void;
}

export interface CallOptions {
  /** Default: `read` for GET and `open` for POST. */
  readonly lane?: CallLane | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Same as `veto` of the transport's request. */
  readonly veto?: (() => string | null) | undefined;
}

export class VenueClient {
  readonly gauges = new Gauges();
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #signer: Signer | null;
  readonly #apiPrefix: string;
  readonly #signedPrefix: string;
  readonly #venueClock: VenueTime | null;
  readonly #onRateLimit: (pause: RatePause) => void;
  readonly #onAnswer: ((answer: RawAnswer) => void) | null;
  readonly #scrub: ((text: string) => string) | undefined;
  readonly health: VenueHealth | null;
  /** By bucket and lane: number of rate-limit answers and bans in a row, and the end of the pause. */
  readonly #refusals = new Map<string, { streak: number; until: number }>();

  constructor(options: ClientOptions) {
    const { dialect = INTERFACE } = options;
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#signer = options.signer ?? (options.credentials === null ? null : createSigner(options.credentials, dialect.signedText));
    this.#apiPrefix = options.apiPrefix ?? dialect.prefix;
    this.#signedPrefix = options.signedPrefix ?? this.#apiPrefix;
    this.#venueClock = options.venueClock ?? null;
    this.#onRateLimit = options.onRateLimit ?? (() => undefined);
    this.#onAnswer = options.onAnswer ?? null;
    this.#scrub = options.scrub;
    this.health = options.health ?? null;
  }

  /** Sends the request once and returns what the result proves; never rejects. The request has been handed to the transport on return. */
  async call<E extends Endpoint>(endpoint: E, params: RequestOf<E>, options: CallOptions = {}): Promise<Called<AnswerOf<E>>> {
    const { lane = endpoint.method === 'POST' ? 'open' : 'read', signal, veto } = options;
    if (lane === 'open' && this.#isPaused(endpoint, lane)) {
      this.gauges.ended(endpoint.id, 'unsent', 'C1', null);
      return { status: 'unsent', row: 'C1', cause: 'rate-limited', detail: `${endpoint.name} waits for the end of a rate-limit pause` };
    }
    const { target, body } = encodeRequest(endpoint, params, this.#apiPrefix);
    const headers = this.#headers(endpoint, target, body);
    if (headers === null) {
      this.gauges.ended(endpoint.id, 'unsent', 'C1', null);
      return { status: 'unsent', row: 'C1', cause: 'no-credentials', detail: `${endpoint.name} needs credentials` };
    }
    const { method } = endpoint;
    const isExit = lane === 'cancel' || lane === 'close';
    this.health?.began(this.#clock.now());
    const result = await this.#transport.send({ method, target, headers, body, isWrite: method === 'POST', isExit, signal, veto });
    if (this.#onAnswer !== null && result.ok) {
      const { status, body: answer, receivedAt } = result;
      this.#onAnswer({ endpoint: `${endpoint.id} ${endpoint.name}`, status, body: answer, receivedAt });
    }
    const called = decide(endpoint, params, result, this.#scrub);
    this.health?.ended(endpoint, called, result, this.#clock.now());
    this.#count(endpoint, lane, called, result);
    return called;
  }

  #headers(endpoint: Endpoint, target: string, body: string): Record<string, string> | null {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (body !== '') headers['content-type'] = 'application/json';
    if (!endpoint.auth) return headers;
    if (this.#signer === null) return null;
    const signed = this.#signedPrefix + target.slice(this.#apiPrefix.length);
    return Object.assign(
      headers,
      this.#signer({ method: endpoint.method, target: signed, body, now: (this.#venueClock ?? this.#clock).now() }),
    );
  }

  /** True during a rate-limit pause. Catches requests that passed the limiter just before the pause began. */
  #isPaused(endpoint: Endpoint, lane: CallLane): boolean {
    const refused = this.#refusals.get(`${endpoint.cost.bucket} ${lane}`);
    return refused !== undefined && this.#clock.now() < refused.until;
  }

  #count(endpoint: Endpoint, lane: CallLane, called: Called<unknown>, result: WireReply | WireFailure): void {
    this.gauges.ended(endpoint.id, called.status, called.row, result.ok ? result.receivedAt - result.sentAt : null);
    const { bucket } = endpoint.cost;
    const key = `${bucket} ${lane}`;
    // A public request has no key: who refuses it refuses the address.
    const isBanned = called.row === 'C10' && !endpoint.auth;
    if (called.row === 'C9' || isBanned) {
      const before = this.#refusals.get(key) ?? { streak: 0, until: 0 };
      const now = this.#clock.now();
      const asked = result.ok ? result.headers['retry-after'] : undefined;
      const wall = this.#venueClock?.now() ?? now;
      const isExit = lane === 'cancel' || lane === 'close';
      const pauseMs = retryAfterMs(typeof asked === 'string' ? asked : null, wall, before.streak, isExit);
      const until = now + pauseMs;
      const exitUntil = lane === 'read' ? now + exitReadPauseMs(pauseMs, before.streak) : until;
      // A request sent before the pause began gives no new information: for exits it does not extend the pause.
      const isNew = !isExit || result.sentAt >= before.until;
      this.#refusals.set(key, { streak: isNew ? before.streak + 1 : before.streak, until: Math.max(before.until, isNew ? until : 0) });
      if (isNew) this.#onRateLimit({ bucket, lane, until, exitUntil });
    } else if (called.status === 'accepted') {
      const before = this.#refusals.get(key);
      if (before !== undefined) before.streak = 0;
      if (!endpoint.auth && called.requestTime > 0) {
        this.#venueClock?.sample(called.requestTime, called.sentAt, called.receivedAt);
      }
    } else if (called.row === 'C10') {
      this.#venueClock?.refused();
    }
  }
}
