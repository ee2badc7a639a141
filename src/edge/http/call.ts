/** One attempt at any of the twenty endpoints: encode, sign, send, decide. It never tries twice; who may is decided above. */
import { API_PREFIX, type AnswerOf, type Endpoint, type RequestOf } from '../../contract/endpoints/endpoint.ts';
import { encodeRequest } from '../../contract/encode.ts';
import type { Clock } from '../../ports/clock.ts';
import { Gauges } from './gauges.ts';
import { decide, type Called } from './outcome.ts';
import { exitReadPauseMs, retryAfterMs } from './retry-after.ts';
import { createSigner, type Credentials, type Signer } from './sign.ts';
import type { Transport, WireFailure, WireReply } from './transport.ts';

export interface ClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** null: only public endpoints can be called. */
  readonly credentials: Credentials | null;
  /** Path in front of every endpoint where the API is mounted. Default "/api/v1". */
  readonly apiPrefix?: string | undefined;
  /** What stands in its place in what is signed: "" for venues that sign paths without it. Default: `apiPrefix`. */
  readonly signedPrefix?: string | undefined;
  /** The time that requests are signed with; it is told of the venue's times and of refusals. Default: `clock`. */
  readonly venueClock?: VenueTime | undefined;
  /** Replaces the signature of the documents. */
  readonly signer?: Signer | undefined;
  /** The venue said "too many requests": nothing of this lane should leave before `until`. */
  readonly onRateLimit?: ((pause: RatePause) => void) | undefined;
}

/** Reads, or one of the three kinds of write that a refusal of another kind does not hold back. */
export type CallLane = 'read' | 'open' | 'close' | 'cancel';

export interface RatePause {
  readonly bucket: string;
  readonly lane: CallLane;
  /** By the client's clock. */
  readonly until: number;
  /** Until when a read waits that decides about an exit; `until` where the pause is not one of reads. */
  readonly exitUntil: number;
}

export interface VenueTime extends Clock {
  /** A public answer told the venue's time; when the question left and the answer came is by the client's clock. */
  sample(requestTime: number, sentAt: number, receivedAt: number): void;
  /** The venue did not recognise a signed request. */
  refused(): void;
}

export interface CallOptions {
  /** Default: what the endpoint's method says, `read` or `open`. */
  readonly lane?: CallLane | undefined;
  readonly signal?: AbortSignal | undefined;
  /** As of the transport. */
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
  /** By bucket and lane: rate refusals in a row (without a Retry-After the pause doubles), and the end of the pause. */
  readonly #refusals = new Map<string, { streak: number; until: number }>();

  constructor(options: ClientOptions) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#signer = options.signer ?? (options.credentials === null ? null : createSigner(options.credentials));
    this.#apiPrefix = options.apiPrefix ?? API_PREFIX;
    this.#signedPrefix = options.signedPrefix ?? this.#apiPrefix;
    this.#venueClock = options.venueClock ?? null;
    this.#onRateLimit = options.onRateLimit ?? (() => undefined);
  }

  /** Sends once and says what that proves; never rejects. The request is on its way to the socket when this returns. */
  async call<E extends Endpoint>(endpoint: E, params: RequestOf<E>, options: CallOptions = {}): Promise<Called<AnswerOf<E>>> {
    const { lane = endpoint.method === 'POST' ? 'open' : 'read', signal, veto } = options;
    if (lane === 'open' && this.#isPaused(endpoint, lane)) {
      this.gauges.ended(endpoint.id, 'unsent', 'C1', null);
      return { status: 'unsent', row: 'C1', cause: 'rate-limited', detail: `${endpoint.name} waits out a pause that the venue asked for` };
    }
    const { target, body } = encodeRequest(endpoint, params, this.#apiPrefix);
    const headers = this.#headers(endpoint, target, body);
    if (headers === null) {
      this.gauges.ended(endpoint.id, 'unsent', 'C1', null);
      return { status: 'unsent', row: 'C1', cause: 'no-credentials', detail: `${endpoint.name} needs credentials` };
    }
    const { method } = endpoint;
    const isExit = lane === 'cancel' || lane === 'close';
    const result = await this.#transport.send({ method, target, headers, body, isWrite: method === 'POST', isExit, signal, veto });
    const called = decide(endpoint, params, result);
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

  /** What passed the lanes just before a refusal came in: nothing is sent inside a Retry-After. */
  #isPaused(endpoint: Endpoint, lane: CallLane): boolean {
    const refused = this.#refusals.get(`${endpoint.cost.bucket} ${lane}`);
    return refused !== undefined && this.#clock.now() < refused.until;
  }

  #count(endpoint: Endpoint, lane: CallLane, called: Called<unknown>, result: WireReply | WireFailure): void {
    this.gauges.ended(endpoint.id, called.status, called.row, result.ok ? result.receivedAt - result.sentAt : null);
    const { bucket } = endpoint.cost;
    const key = `${bucket} ${lane}`;
    if (called.row === 'C9') {
      const before = this.#refusals.get(key) ?? { streak: 0, until: 0 };
      const now = this.#clock.now();
      const asked = result.ok ? result.headers['retry-after'] : undefined;
      const wall = this.#venueClock?.now() ?? now;
      const isExit = lane === 'cancel' || lane === 'close';
      const pauseMs = retryAfterMs(typeof asked === 'string' ? asked : null, wall, before.streak, isExit);
      const until = now + pauseMs;
      const exitUntil = lane === 'read' ? now + exitReadPauseMs(pauseMs, before.streak) : until;
      // What was on its way together with the refused one says nothing new: of exits it lengthens no pause.
      const isNew = !isExit || result.sentAt >= before.until;
      this.#refusals.set(key, { streak: isNew ? before.streak + 1 : before.streak, until: Math.max(before.until, isNew ? until : 0) });
      if (isNew) this.#onRateLimit({ bucket, lane, until, exitUntil });
    } else if (called.status === 'accepted') {
      const before = this.#refusals.get(key);
      if (before !== undefined) before.streak = 0;
      if (!endpoint.auth && called.requestTime > 0) {
        this.gauges.sawVenueTime(called.requestTime, called.sentAt, called.receivedAt);
        this.#venueClock?.sample(called.requestTime, called.sentAt, called.receivedAt);
      }
    } else if (called.row === 'C10') {
      this.#venueClock?.refused();
    }
  }
}
