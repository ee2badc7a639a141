/**
 * The venue over HTTP: each command or query is sent at once; the lanes before this class limit the rate. Each result reaches the inbox as
 * one event, never from within `execute` or `query`. A write is attempted once.
 */
import { assert } from '../../base/failure/assert.ts';
import * as codes from '../../domain/codes.ts';
import type { Approved, Command } from '../../domain/orders/command.ts';
import { isCancel, laneOf, LANES, type LaneName } from '../../domain/orders/command-traits.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { ScaleError } from '../../domain/amounts/scale.ts';
import type { Clock } from '../../ports/clock.ts';
import { DroppedError, type PollTurns } from '../../ports/limiter.ts';
import { READ_KINDS } from '../../ports/read-kinds.ts';
import type { Log } from '../../ports/log.ts';
import { UNREACHABLE_CAUSES, type OrderPort, type Query, type ReadPort } from '../../ports/venue.ts';
import { VenueEvent, type Inbox } from '../../ports/venue-event.ts';
import type { Called } from '../../venue/called.ts';
import {
  queryContext,
  type Answered,
  type Dialect,
  type MapOutOptions,
  type NotAnswered,
  type Outgoing,
  type QueryContext,
} from '../../venue/dialect.ts';
import { INTERFACE } from '../../venue/interface/dialect.ts';
import { complete, type Ask } from './asking.ts';
import type { VenueClient } from './call.ts';
import type { ClientCounts } from './gauges.ts';
import { Connectivity } from './connectivity.ts';
import type { VenueAnswers } from './venue-health.ts';
import { withRetries, READ_RETRIES, type RetryPlan } from './retry.ts';

export interface HttpVenueOptions {
  readonly client: VenueClient;
  /** What the venue speaks; the same as the client's. Default: the interface. */
  readonly dialect?: Dialect | undefined;
  /** Gives turns to further requests of a query. The first request leaves at once, because it has already waited in the read throttle. */
  readonly turns: PollTurns;
  readonly clock: Clock;
  readonly log: Log;
  readonly instruments: readonly Instrument[];
  /** Returns the client order id for an order number. */
  readonly clientIdOf: (seq: number) => string;
  /** The word sent for cross margin. Default "CROSS". */
  readonly crossWord?: 'CROSS' | 'CROSSED' | undefined;
  /** Why the command must not be sent any more, or null: what was decided may be wrong by now. Default: null. */
  readonly vetoOf?: ((command: Command) => string | null) | undefined;
  /** Default: two retries within eight seconds. */
  readonly retries?: RetryPlan | undefined;
}

export interface VenueCounts extends ClientCounts {
  readonly writesInFlight: number;
  readonly queriesInFlight: number;
  /** Market records left out because their symbol is not configured. */
  readonly foreignRecords: number;
  readonly offGridRecords: number;
  readonly crossedRecords: number;
  /** Market records left out because they could not be parsed. */
  readonly malformedRecords: number;
  /** Quotes that were parsed; all others were unchanged. */
  readonly quotesParsed: number;
  readonly answers: VenueAnswers;
}

export class HttpVenue implements OrderPort, ReadPort {
  readonly #options: HttpVenueOptions;
  readonly #dialect: Dialect;
  readonly #mapOut: MapOutOptions;
  readonly #queryContext: QueryContext;
  readonly #stop = new AbortController();
  readonly #writes = new Set<Promise<void>>();
  readonly #connectivity: Connectivity;
  readonly #event = new VenueEvent();
  #outcomes: Inbox | null = null;
  #answers: Inbox | null = null;
  #queries = 0;
  #malformed = 0;

  constructor(options: HttpVenueOptions) {
    const { instruments, clientIdOf, crossWord = 'CROSS', dialect = INTERFACE } = options;
    this.#options = options;
    this.#dialect = dialect;
    this.#connectivity = new Connectivity(options.log);
    this.#mapOut = { instruments, clientIdOf, crossWord };
    this.#queryContext = queryContext(instruments, () => options.clock.now());
  }

  /** Sets the receivers: of outcomes of commands, and of answers to queries. Call it once, before the first command or query. */
  attach(outcomes: Inbox, answers: Inbox): void {
    assert(this.#outcomes === null, 'inboxes are attached only once');
    this.#outcomes = outcomes;
    this.#answers = answers;
  }

  /** The request has been signed and handed to a connection on return. */
  execute(command: Approved<Command>): void {
    const outcomes = attached(this.#outcomes);
    const { seq } = command;
    const write =
      this.#refuse(command) ??
      this.#send(this.#dialect.requestOf(command, this.#mapOut), seq, LANES[laneOf(command.kind, command.effect)]!, this.#veto(command));
    const done = write
      .then((report) => outcomes.take(report(this.#event, seq)))
      .finally(() => {
        this.#writes.delete(done);
      });
    this.#writes.add(done);
  }

  query(query: Query): void {
    const answers = attached(this.#answers);
    this.#queries++;
    void this.#answer(query, answers).finally(() => {
      this.#queries--;
    });
  }

  counts(): VenueCounts {
    return {
      ...this.#options.client.gauges.counts(),
      writesInFlight: this.#writes.size,
      queriesInFlight: this.#queries,
      foreignRecords: this.#queryContext.drops.foreign,
      offGridRecords: this.#queryContext.drops.offGrid,
      crossedRecords: this.#queryContext.drops.crossed,
      malformedRecords: this.#malformed,
      quotesParsed: this.#queryContext.quotes.parsed,
      answers: this.#options.client.health?.answers ?? NO_ANSWERS,
    };
  }

  /** Accepts nothing more, aborts queries, and waits for the writes in flight. Each write still gets its outcome, within its time-out. */
  async drain(): Promise<void> {
    this.#stop.abort();
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes);
  }

  /** A reason not to send the command at all (row C1 of the outcome table), or null. */
  #refuse(command: Command): Promise<Report> | null {
    const { time, validMs } = command;
    if (this.#stop.signal.aborted) return Promise.resolve(unsent('stopped'));
    if (validMs > 0 && this.#options.clock.now() > time + validMs) return Promise.resolve(unsent('expired'));
    const veto = this.#options.vetoOf?.(command) ?? null;
    return veto === null ? null : Promise.resolve(unsent(veto));
  }

  /** A command may wait for a connection. It is withheld if it is not to be sent any more, or if the validity of an open ends meanwhile. */
  #veto(command: Command): (() => string | null) | undefined {
    if (isCancel(command.kind)) return undefined;
    const { clock, vetoOf } = this.#options;
    const copy = { ...command };
    return () => {
      if (copy.effect === codes.OPEN && copy.validMs > 0 && clock.now() > copy.time + copy.validMs) return 'expired';
      return vetoOf?.(copy) ?? null;
    };
  }

  async #send(outgoing: Outgoing, seq: number, lane: LaneName, veto: (() => string | null) | undefined): Promise<Report> {
    const called = await this.#options.client.call(outgoing.endpoint, outgoing.params, { lane, veto });
    if (called.status === 'accepted') return this.#settled(outgoing, called.value, seq);
    const endpoint = outgoing.endpoint.name;
    if (called.status === 'rejected') return (event) => event.rejected(seq, called.rejection);
    const { log } = this.#options;
    const { status, row, cause, detail } = called;
    if (cause === 'response-mixup') log.error('response-mixup', { endpoint, seq, detail });
    else log.warn(`command-${status}`, { endpoint, seq, row, cause, detail });
    return status === 'unsent' ? unsent(cause) : (event) => event.unknown(seq, cause);
  }

  #settled(outgoing: Outgoing, value: unknown, seq: number): Report {
    const verdict = outgoing.settle(value);
    switch (verdict.status) {
      case 'accepted':
        return (event) => event.accepted(seq, verdict.venueId);
      case 'rejected':
        return (event) => event.rejected(seq, verdict.rejection);
      case 'unknown':
        this.#options.log.error(verdict.cause, { endpoint: outgoing.endpoint.name, seq });
        return (event) => event.unknown(seq, verdict.cause);
    }
  }

  async #answer(query: Query, answers: Inbox): Promise<void> {
    const failed = (cause: string, detail: string): void => {
      const { clock, log } = this.#options;
      log.debug('query-failed', { kind: query.kind, instrument: query.instrument, cause, detail });
      if (UNREACHABLE_CAUSES.has(cause)) this.#connectivity.failed(cause, detail, clock.now());
      answers.take(this.#event.failed(query, cause));
    };
    let result: Answered | NotAnswered;
    try {
      result = await complete(this.#dialect.answerTo(query, this.#queryContext), this.#ask(READ_KINDS[query.kind].priority));
    } catch (error) {
      failed(...this.#causeOf(error));
      return;
    }
    if ('answer' in result) {
      const { answer, from } = result;
      this.#malformed += from.malformed;
      this.#connectivity.answered(this.#options.clock.now());
      answers.take(this.#event.answered(query, answer, from.sentAt, from.requestTime));
    } else if (result.status === 'rejected') {
      const { code, message, reason } = result.rejection;
      failed(reason, `${code} ${message}`);
    } else {
      failed(result.cause, result.detail);
    }
  }

  /** Cause of a query's failure. An unexpected error is our own bug and is thrown again. */
  #causeOf(error: unknown): [cause: string, detail: string] {
    if (error instanceof ScaleError) return ['bad-data', error.message];
    if (error instanceof DroppedError) return [error.reason, ''];
    if (this.#stop.signal.aborted) return ['stopped', ''];
    throw error;
  }

  /** Every request except the first waits for a turn: retries and further pages. The first one has had its turn. */
  #ask(priority: number): Ask {
    const { client, turns, retries = READ_RETRIES } = this.#options;
    const { signal } = this.#stop;
    let requests = 0;
    return (endpoint, params) => {
      const attempt = async (): Promise<Called<unknown>> => {
        if (requests++ > 0) await turns.turn(endpoint.cost.bucket, priority);
        return client.call(endpoint, params, { signal });
      };
      return withRetries(attempt, retries, signal);
    };
  }
}

const NO_ANSWERS: VenueAnswers = { answeredAt: 0, troubles: [], silentSince: 0 };

/** Fills in the outcome of command `seq`. */
type Report = (event: VenueEvent, seq: number) => VenueEvent;

function unsent(cause: string): Report {
  return (event, seq) => event.unsent(seq, cause);
}

function attached(inbox: Inbox | null): Inbox {
  assert(inbox !== null, 'inboxes are attached before the venue is used');
  return inbox;
}
