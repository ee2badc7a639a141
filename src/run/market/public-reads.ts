/** Reads of a venue's public endpoints beside a bot: spaced within the rate, in loops that slow down while the venue does not answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerOf, Endpoint, RequestOf } from '../../contract/endpoints/endpoint.ts';
import type { Limits } from '../../config/files/data-files.ts';
import { limitFor } from '../../config/model.ts';
import { parseBaseUrl } from '../../edge/http/base-url.ts';
import { complete } from '../../edge/http/asking.ts';
import { VenueClient } from '../../edge/http/call.ts';
import { Connectivity } from '../../edge/http/connectivity.ts';
import { HttpTransport } from '../../edge/http/transport.ts';
import { SpacedReads } from '../../edge/pace/spaced-reads.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Clock } from '../../ports/clock.ts';
import { DroppedError } from '../../ports/limiter.ts';
import { READ_KINDS } from '../../ports/read-kinds.ts';
import type { Log } from '../../ports/log.ts';
import type { Query } from '../../ports/venue.ts';
import type { Accepted, Called } from '../../venue/called.ts';
import { queryContext, type Answered, type Dialect, type NotAnswered, type QueryContext } from '../../venue/dialect.ts';

export interface PublicReadsOptions {
  /** What the venue speaks. */
  readonly dialect: Dialect;
  readonly instruments: readonly Instrument[];
  /** Those of which records are read. Default: all. */
  readonly wanted?: readonly Instrument[] | undefined;
  /** `https://host[/path]`, or `http://` on this machine. */
  readonly url: string;
  readonly limits: Limits;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

type ReadKind = 'quotes' | 'trades' | 'stats';

/** Longest pause between retries of a failing read. */
const PAUSE_MAX_MS = 30_000;

export class PublicReads {
  readonly #dialect: Dialect;
  readonly #context: QueryContext;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #client: VenueClient;
  readonly #transport: HttpTransport;
  readonly #reads: SpacedReads;
  readonly #reach: Connectivity;
  readonly #stop = new AbortController();
  readonly #loops: Promise<void>[] = [];

  /** @throws BaseUrlError */
  constructor({ url, limits, timeoutMs, clock, log, dialect, instruments, wanted }: PublicReadsOptions) {
    const base = parseBaseUrl(url);
    this.#dialect = dialect;
    this.#context = queryContext(instruments, () => clock.now(), wanted);
    this.#clock = clock;
    this.#log = log;
    this.#reach = new Connectivity(log);
    this.#transport = new HttpTransport({ base, clock, timeoutMs });
    this.#reads = new SpacedReads({ clock, perSecond: limitFor(limits, 'public') });
    this.#client = new VenueClient({
      transport: this.#transport,
      clock,
      credentials: null,
      dialect,
      apiPrefix: base.mount + dialect.prefix,
      onRateLimit: ({ bucket, until }) => {
        this.#reads.backOff(until);
        log.warn('rate-limited', { bucket, until });
      },
    });
  }

  /** Asks again and again. The pause is the period, doubled with each failure in a row. */
  loop(periodMs: number, ask: () => Promise<boolean>): void {
    this.#loops.push(this.#loop(periodMs, ask));
  }

  /** Records left out of answers so far. */
  get drops(): QueryContext['drops'] {
    return this.#context.drops;
  }

  /** Symbols whose last quote was of a crossed or locked book. */
  get crossed(): readonly string[] {
    return this.#context.quotes.crossed;
  }

  /** One query about the market; null if it failed, which is logged. */
  async ask(query: Extract<Query, { kind: ReadKind }>): Promise<Answered | null> {
    const { kind } = query;
    const call = (endpoint: Endpoint, params: RequestOf<Endpoint>): Promise<Called<unknown>> => this.#call(kind, endpoint, params);
    return this.#read(kind, async () => {
      const result = await complete(this.#dialect.answerTo(query, this.#context), call);
      return 'answer' in result ? { ...result.from, value: result } : result;
    });
  }

  /** One request, whose data are passed on as they are; null if it failed, which is logged. */
  async call<E extends Endpoint>(kind: ReadKind, endpoint: E, params: RequestOf<E>): Promise<AnswerOf<E> | null> {
    return this.#read(kind, () => this.#call(kind, endpoint, params));
  }

  #call<E extends Endpoint>(kind: ReadKind, endpoint: E, params: RequestOf<E>): Promise<Called<AnswerOf<E>>> {
    const { signal } = this.#stop;
    return this.#reads.schedule(READ_KINDS[kind].priority, () => this.#client.call(endpoint, params, { signal }));
  }

  async #read<T>(kind: ReadKind, read: () => Promise<Accepted<T> | NotAnswered>): Promise<T | null> {
    try {
      const called = await read();
      if (this.#stop.signal.aborted) return null;
      if (called.status === 'accepted') {
        this.#reach.answered(this.#clock.now());
        return called.value;
      }
      if (called.status === 'rejected')
        this.#log.warn('market-refused', { kind, code: called.rejection.code, message: called.rejection.message });
      else this.#reach.failed(called.cause, called.detail, this.#clock.now());
    } catch (error) {
      if (!(error instanceof DroppedError)) throw error;
    }
    return null;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#reads.stop();
    await this.#transport.close();
    await Promise.all(this.#loops);
  }

  async #loop(periodMs: number, ask: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      failures = (await ask()) ? 0 : failures + 1;
      const pause = Math.max(periodMs, Math.min(PAUSE_MAX_MS, periodMs * 2 ** Math.min(failures, 10)));
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}
