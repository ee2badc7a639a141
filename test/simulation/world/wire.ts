/**
 * The exchange behind its own wire, without a socket: a command or query becomes the request of a dialect, its bytes are read as the server
 * reads them, and the bytes of the answer as the client does. Both sides of the dialect's mapping are in between.
 */
import { encodeRequest } from '../../../src/contract/encode-params.ts';
import type { Endpoint, RequestOf } from '../../../src/contract/endpoints/endpoint.ts';
import { formatClientId, type Command } from '../../../src/domain/orders/command.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { decide } from '../../../src/edge/http/outcome.ts';
import { readPosted, readQuery } from '../../../src/edge/serve/request/request-parameters.ts';
import type { Answer, Query } from '../../../src/ports/venue.ts';
import { VenueEvent, type Inbox } from '../../../src/ports/venue-event.ts';
import { createVenueApi, type VenueApi } from '../../../src/sim/api/api.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { SimPort } from '../../../src/sim/port/port.ts';
import { FUTURES } from '../../../src/sim/state/kinds.ts';
import type { SimOrder } from '../../../src/sim/state/types.ts';
import type { Called } from '../../../src/venue/called.ts';
import { queryContext, type Dialect, type QueryContext } from '../../../src/venue/dialect.ts';
import { Routes } from '../../../src/venue/routes.ts';
import { IDENTITY } from '../../support/engine/engine-kit.ts';

/** The exchange without a wire: it takes commands and queries as they are. */
export function directPort(sim: VenueSim, now: () => number, inbox: Inbox): SimPort {
  const latency = { upMs: 0, downMs: 0 };
  const port = new SimPort({ sim, account: 0, identity: IDENTITY, latency, clock: { now }, push: false });
  port.connect(inbox, inbox);
  return port;
}

const KEY = 'key';
const JSON_HEADERS = { 'content-type': 'application/json' };

export interface WireDeps {
  readonly sim: VenueSim;
  readonly dialect: Dialect;
  readonly instruments: readonly Instrument[];
  readonly now: () => number;
  /** Whether the exchange refuses an id that was ever used, or one that an open order has. */
  readonly scope: 'all' | 'open';
  readonly inbox: Inbox;
}

export class WirePort {
  readonly #deps: WireDeps;
  readonly #event = new VenueEvent();
  readonly #api: VenueApi;
  readonly #routes: Routes;
  readonly #context: QueryContext;

  constructor(parts: WireDeps) {
    const { sim, dialect, instruments, now, scope } = parts;
    this.#deps = parts;
    this.#routes = new Routes(dialect);
    this.#context = queryContext(instruments, now);
    this.#api = createVenueApi(sim, {
      dialect,
      instruments,
      clock: { now },
      accounts: new Map([[KEY, 0]]),
      switches: { clientOidScope: scope === 'all' ? 'forever' : 'open' },
      checkReplies: true,
    });
  }

  /** The client id of an order of the exchange, by its tag. */
  idOf(tag: number): string {
    return this.#api.idsOf({ kind: FUTURES, no: 0, tag } as SimOrder).clientOid;
  }

  execute(command: Command): void {
    const { dialect, inbox, instruments } = this.#deps;
    const { seq } = command;
    const event = this.#event;
    const clientIdOf = (of: number): string => formatClientId(IDENTITY, of);
    const { endpoint, params, settle } = dialect.requestOf(command, { instruments, clientIdOf, crossWord: 'CROSS' });
    const called = this.#call(endpoint, params);
    const said = called.status === 'accepted' ? settle(called.value) : called;
    if (said.status === 'accepted') inbox.take(event.accepted(seq, said.venueId));
    else if (said.status === 'rejected') inbox.take(event.rejected(seq, said.rejection));
    else inbox.take(event.unknown(seq, said.cause));
  }

  query(query: Query): void {
    const answer = this.read(query);
    if (typeof answer === 'string') this.#deps.inbox.take(this.#event.failed(query, answer));
    else this.#deps.inbox.take(this.#event.answered(query, answer, this.#deps.now(), this.#deps.now()));
  }

  /** The answer, or the cause of a failure. */
  read(query: Query): Answer | string {
    const asking = this.#deps.dialect.answerTo(query, this.#context);
    let step = asking.next();
    while (step.done !== true) step = asking.next(this.#call(step.value.endpoint, step.value.params));
    const { value } = step;
    if ('answer' in value) return value.answer;
    return value.status === 'rejected' ? value.rejection.reason : value.cause;
  }

  /** Everything happens at once. */
  run(): void {}

  #call(endpoint: Endpoint, params: RequestOf<Endpoint>): Called<unknown> {
    const { method } = endpoint;
    const { target, body } = encodeRequest(endpoint, params, this.#deps.dialect.prefix);
    const mark = target.indexOf('?');
    const route = this.#routes.find(method, mark < 0 ? target : target.slice(0, mark));
    const read = method === 'GET' ? readQuery(target, mark) : readPosted(body, JSON_HEADERS);
    if (route === undefined || read.refusal !== null) throw new Error(`the server does not read ${method} ${target} ${body}`);
    const request = { method, target, body, params: read.params, header: () => undefined, caller: route.auth ? KEY : null };
    const { httpStatus, envelope } = this.#api.handler(route, request);
    const reply = { ok: true, status: httpStatus, headers: {}, body: JSON.stringify(envelope), sentAt: 0, receivedAt: 0 } as const;
    return decide(endpoint, params, reply);
  }
}
