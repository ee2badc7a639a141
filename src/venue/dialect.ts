/**
 * A dialect: how one venue of the family spells what every venue can do. It is one object with the endpoints and their error tables, the
 * signature, the requests for commands and queries with the reading of their answers, and the answers of an exchange that speaks it. The
 * client is given a dialect, the paper exchange is given one, and neither names another.
 */
import { assert } from '../base/failure/assert.ts';
import type { AnswerOf, Endpoint, EndpointId, RequestOf } from '../contract/endpoints/endpoint.ts';
import type { Command } from '../domain/orders/command.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Rejection } from '../domain/orders/outcome.ts';
import type { Answer, Query } from '../ports/venue.ts';
import type { Accepted, Called } from './called.ts';
import type { Operations, Serve } from './operations.ts';
import { QuoteDiff } from './quote-diff.ts';
import { SymbolTable, type DropCounts } from './records.ts';

export interface Dialect {
  /** The word of the configuration. */
  readonly name: string;
  /** One line for the documents. */
  readonly title: string;
  /** Start of every path. A server may mount the API under another prefix. */
  readonly prefix: string;
  /**
   * The endpoints, each with its fields, rules, error rows and costs. An id and a name mean the same in every dialect: E12 places an order.
   * No two have the same method and path.
   */
  readonly endpoints: readonly Endpoint[];
  /** Further endpoints that an exchange serves to other clients, with the ids of those whose work they do. Default: none. */
  readonly aliases?: readonly Endpoint[];
  /** What is signed before the body. `target`: path and query as sent. */
  readonly signedText: SignedText;
  /** The request for one command. @throws AssertionError if the command is incomplete, which is our own bug */
  readonly requestOf: (command: Command, options: MapOutOptions) => Outgoing;
  /** The requests for one query, and the answer made of theirs. @throws ScaleError if a record does not fit its instrument */
  readonly answerTo: (query: Query, context: QueryContext) => Asking<Answered | NotAnswered>;
  /** The answers of an exchange, by the names of the endpoints. */
  readonly serve: (operations: Operations) => Readonly<Record<string, Serve>>;
}

/** Headers and algorithm are the same in the family (interface §5); the text may differ. */
export type SignedText = (timestamp: string, method: string, target: string) => string;

/** The text that the vendor's documents and tools sign. */
export const plainText: SignedText = (timestamp, method, target) => timestamp + method + target;

/** @throws AssertionError if the dialect has no endpoint with this id */
export function endpointOf({ endpoints, name }: Dialect, id: EndpointId): Endpoint {
  const found = endpoints.find((one) => one.id === id);
  assert(found !== undefined, `${id} is an endpoint of ${name}`);
  return found;
}

/** How a record of a request names its endpoint: by the id, an alias by its path. */
export function recordedAs({ aliases = [] }: Dialect, endpoint: Endpoint): string {
  return aliases.includes(endpoint) ? endpoint.path : endpoint.id;
}

/** The endpoint of a record. @throws AssertionError if the dialect has none */
export function recordedEndpoint(dialect: Dialect, recorded: string): Endpoint {
  return dialect.aliases?.find(({ path }) => path === recorded) ?? endpointOf(dialect, recorded as EndpointId);
}

/** What the accepted answer to a command says of it. */
export type Verdict =
  | { readonly status: 'accepted'; readonly venueId: string }
  | { readonly status: 'rejected'; readonly rejection: Rejection }
  | { readonly status: 'unknown'; readonly cause: string };

/** A request ready to be sent, and the function that reads its accepted answer. */
export interface Outgoing {
  readonly endpoint: Endpoint;
  readonly params: RequestOf<Endpoint>;
  readonly settle: (answer: unknown) => Verdict;
}

export interface MapOutOptions {
  readonly instruments: readonly Instrument[];
  /** Returns the client order id for an order number. */
  readonly clientIdOf: (seq: number) => string;
  /** The word for cross margin; some of the venue's pages use CROSSED. */
  readonly crossWord: 'CROSS' | 'CROSSED';
}

/** Checks params and answer against one endpoint's types, then erases that type. */
export function outgoing<E extends Endpoint>(endpoint: E, params: RequestOf<E>, settle: (answer: AnswerOf<E>) => Verdict): Outgoing {
  return { endpoint, params, settle: settle as (answer: unknown) => Verdict };
}

export interface QueryContext {
  readonly instruments: readonly Instrument[];
  readonly symbols: SymbolTable;
  readonly drops: DropCounts;
  readonly quotes: QuoteDiff;
  /** This machine's time in milliseconds since 1970. */
  readonly now: () => number;
}

/** What the queries of one connection share. Market records are read of `wanted` alone. */
export function queryContext(instruments: readonly Instrument[], now: () => number, wanted = instruments): QueryContext {
  const symbols = new SymbolTable(wanted);
  const drops: DropCounts = { foreign: 0, offGrid: 0, crossed: 0 };
  return { instruments, symbols, drops, quotes: new QuoteDiff(symbols, drops), now };
}

/** A request that a query needs. */
export interface Wanted {
  readonly endpoint: Endpoint;
  readonly params: RequestOf<Endpoint>;
}

/** Yields requests and is resumed with what each proved; returns the result. It waits for nothing itself. */
export type Asking<T> = Generator<Wanted, T, Called<unknown>>;

/** A complete answer, and the result of its first request. */
export interface Answered {
  readonly answer: Answer;
  readonly from: Accepted<unknown>;
}

/** The outcome of a query's request that was not accepted. */
export type NotAnswered = Exclude<Called<unknown>, Accepted<unknown>>;

/** One request of a query. */
export function* ask<E extends Endpoint>(endpoint: E, params: RequestOf<E>): Asking<Called<AnswerOf<E>>> {
  return (yield { endpoint, params }) as Called<AnswerOf<E>>;
}

/** The answer to a query of one request. */
export function whole<T>(called: Called<T>, map: (value: T) => Answer): Answered | Exclude<Called<T>, Accepted<T>> {
  return called.status === 'accepted' ? { answer: map(called.value), from: called } : called;
}

/** A query that this dialect has no request for. */
export function unasked(detail: string): Called<never> & { status: 'unsent' } {
  return { status: 'unsent', row: 'C1', cause: 'invalid-query', detail };
}
