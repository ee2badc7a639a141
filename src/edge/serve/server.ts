/**
 * The HTTP server of the paper exchange, around one Handler. It takes routes, authentication and limits from the dialect's table. Any
 * Handler fits: the simulator's, or one with recorded answers.
 */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { GeneralRefusal } from '../../contract/endpoints/general-refusals.ts';
import { failure, SUCCESS_CODE, type Envelope, type RefusedRequest, type WireRequest } from '../../contract/envelope.ts';
import { INTERFACE } from '../../venue/interface/dialect.ts';
import { Routes } from '../../venue/routes.ts';
import { createAuthenticator } from './request/authenticate.ts';
import { answerFailure } from '../node-http.ts';
import { readBody, type BodyResult } from './request/body.ts';
import { readPosted, readQuery, UNREAD } from './request/request-parameters.ts';
import { RateLimits } from './request/request-limits.ts';
import { refuseBrokenRequest, refuseConnect } from './request/broken.ts';
import { Connections } from './connections.ts';
import { ConnectionLimit } from './connection-limit.ts';
import type { ReceivedRequest } from './faults/received-request.ts';
import type { ServerOptions } from './server-options.ts';
import { listen } from './listen.ts';
import { cpuMs, RequestQueue, type NextStep, type Step } from './request-queue.ts';
import { refusedBytes, refusedRequest } from './request/refused.ts';

export interface RunningServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets requests in progress finish and closes idle connections. After `graceMs` (default 2,000) closes all. */
  close(graceMs?: number): Promise<void>;
}

/** Many times the largest request of the interface, but small enough that any JSON of this size is parsed within a few milliseconds. */
const BODY_LIMIT = 1 << 16;
const CLOCK_SKEW_MS = 30_000;
const GRACE_MS = 2_000;
const REQUEST_TIMEOUT_MS = 20_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than clients keep a connection, so that the client closes it. */
const KEEP_ALIVE_MS = 30_000;
const OTHER_METHODS = ['GET', 'POST'] as const;
const MAX_CONNECTIONS = 4_096;

/** Listens and serves until closed. @throws ServeError */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1';
  const state = new ServerState(options);
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const timeouts = {
    requestTimeout,
    headersTimeout: Math.min(requestTimeout, HEADERS_TIMEOUT_MS),
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(1_000, requestTimeout),
  };
  // A missing Host header is refused here with an envelope; Node would refuse it without one.
  const wanted = { ...timeouts, noDelay: true, requireHostHeader: false };
  const server = createHttpServer(wanted, (request, response) => state.receive(request, response));
  server.on('connection', (socket: Socket) => state.connections.opened(socket));
  server.on('connect', (request: IncomingMessage, socket: Duplex) => state.refuseConnect(request, socket));
  server.on('clientError', (error, socket) => state.refuseBytes(error, socket));
  const port = await listen(server, host, options.port);
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${port}`, port, close: (graceMs = GRACE_MS) => close(server, state, graceMs) };
}

async function close(server: Server, state: ServerState, graceMs: number): Promise<void> {
  if (!server.listening) return;
  state.stop();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}

/** Processes each request from its bytes to the answer. */
class ServerState {
  #isClosing = false;
  readonly #options: ServerOptions;
  readonly #authenticate: ReturnType<typeof createAuthenticator>;
  readonly #limits: RateLimits;
  readonly #bodyLimit: number;
  readonly #connectionLimit = new ConnectionLimit();
  readonly #queue = new RequestQueue(cpuMs);
  readonly connections: Connections;
  readonly #routes: Routes;
  #openapi: string | null = null;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { dialect = INTERFACE } = options;
    this.#routes = new Routes(dialect);
    this.#authenticate = createAuthenticator(options.accounts, options.clockSkewMs ?? CLOCK_SKEW_MS, dialect, options.signedPath);
    this.#limits = new RateLimits(options.limits ?? {});
    this.#bodyLimit = options.bodyLimit ?? BODY_LIMIT;
    this.connections = new Connections(options.maxConnections ?? MAX_CONNECTIONS);
  }

  /** From now on every answer closes its connection, and delayed faults are cancelled. */
  stop(): void {
    this.#isClosing = true;
    this.#options.faults?.close();
  }

  /** Refuses bytes that are not an HTTP request. */
  refuseBytes(error: Error, socket: Duplex): void {
    const refusal = refuseBrokenRequest(error, socket, this.#options.now());
    if (refusal !== null) this.#report(refusedBytes(refusal));
  }

  /** Refuses a caller that uses this server as a proxy. */
  refuseConnect(request: IncomingMessage, socket: Duplex): void {
    this.#report(refusedRequest(request, refuseConnect(socket, this.#options.now()), { endpoint: null }));
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const place = this.#connectionLimit.count(socket);
    if (place === 'ignored') return;
    this.connections.began(socket);
    response.once('close', () => this.connections.ended(socket));
    if (place === 'last') {
      // Sent after the answers to earlier requests; it closes the connection.
      if (!this.#queue.last(socket)) return void socket.destroy();
      response.setHeader('connection', 'close');
      return void this.#refuse(response, new GeneralRefusal('tooManyRequests'));
    }
    readBody(request, this.#bodyLimit, (body) => {
      const isSigned = request.headers['access-key'] !== undefined;
      this.#queue.run(socket, isSigned, response, () => this.#guard(response, () => this.#answer(request, response, body)));
    });
  }

  #guard(response: ServerResponse, step: Step): NextStep | null {
    try {
      return step();
    } catch (error) {
      this.#options.onError?.(error);
      answerFailure(response, () => this.#refuse(response, new GeneralRefusal('systemError')));
      return null;
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: BodyResult): NextStep | null {
    if (body === 'aborted' || response.destroyed) return null;
    const missing = this.#options.waitsFor?.() ?? null;
    if (missing !== null) {
      response.setHeader('retry-after', '1');
      return this.#refuse(response, new GeneralRefusal('starting', missing));
    }
    if (request.headers.host === undefined && request.httpVersion === '1.1') return this.#refuse(response, new GeneralRefusal('noHost'));
    if (body === 'too-large') {
      response.setHeader('connection', 'close');
      return this.#refuse(response, new GeneralRefusal('bodyTooLarge'));
    }
    if (body === 'not-utf8') return this.#refuse(response, new GeneralRefusal('notUtf8'));
    const target = request.url ?? '/';
    const method = request.method ?? 'GET';
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const endpoint = this.#find(method, path);
    if (endpoint === undefined) return this.#answerOther(method, target, body, response);
    const now = this.#options.now();
    const caller = endpoint.auth ? this.#authenticate({ method, target, body, headers: request.headers, now }) : null;
    if (!endpoint.auth || caller !== null) {
      const { bucket, weight } = endpoint.cost;
      const waitMs = this.#limits.take(caller ?? request.socket.remoteAddress ?? '', bucket, weight, now);
      if (waitMs > 0) {
        response.setHeader('retry-after', String(Math.ceil(waitMs / 1000)));
        return this.#refuse(response, new GeneralRefusal('tooManyRequests'), body, caller);
      }
    }
    const text = body.length === 0 ? '' : body.toString('utf8');
    const wire = endpoint.auth && caller === null ? UNREAD : method === 'GET' ? readQuery(target, mark) : readPosted(text, request.headers);
    if (wire.refusal !== null) return this.#refuse(response, wire.refusal, body, caller);
    const header = (name: string): string | undefined => headerOf(request, name);
    const asked: WireRequest = { method, target, body: text, params: wire.params, header, caller };
    const ready = this.#options.prepare?.(endpoint, asked) ?? null;
    if (ready === null) return this.#serve(endpoint, asked, response);
    return { ready, step: () => this.#guard(response, () => this.#serve(endpoint, asked, response)) };
  }

  #serve(endpoint: Endpoint, request: WireRequest, response: ServerResponse): null {
    if (response.destroyed) return null;
    const { faults, handler } = this.#options;
    if (faults?.isOn === true) {
      faults.serve(this.#served(endpoint, request, response));
      return null;
    }
    const reply = handler(endpoint, request);
    return this.#send(response, reply.httpStatus, this.#textOf(reply.envelope));
  }

  #served(endpoint: Endpoint, request: WireRequest, response: ServerResponse): ReceivedRequest {
    return {
      endpoint,
      request,
      response,
      perform: () => this.#options.handler(endpoint, request),
      textOf: (envelope) => this.#textOf(envelope),
      send: (status, text, type) => void this.#send(response, status, text, type),
      guard: (step) => {
        this.#guard(response, () => {
          step();
          return null;
        });
      },
    };
  }

  #find(method: string, path: string): Endpoint | undefined {
    return this.#routes.find(method, path) ?? (this.#options.mountAtRoot === true ? this.#routes.findBare(method, path) : undefined);
  }

  #answerOther(method: string, target: string, body: Buffer, response: ServerResponse): null {
    const { page, openapi } = this.#options;
    const { headers, socket } = response.req;
    const [path = '', query] = target.split('?', 2);
    if (page !== undefined) {
      const from = { host: headers.host, remoteAddress: socket.remoteAddress, authorization: headers.authorization ?? '' };
      const site = headers['sec-fetch-site'] ?? '';
      const answer = page({ method, path, query: new URLSearchParams(query), ...from, site, body });
      if (answer !== null) {
        for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
        return this.#send(response, answer.status, answer.text, answer.type);
      }
    }
    if (method === 'GET' && path === '/openapi.json' && openapi !== undefined) {
      this.#openapi ??= JSON.stringify(openapi());
      return this.#send(response, 200, this.#openapi);
    }
    const other = OTHER_METHODS.filter((candidate) => this.#find(candidate, path) !== undefined);
    if (other.length === 0) return this.#refuse(response, new GeneralRefusal('pathUnknown'), body);
    response.setHeader('allow', other.join(', '));
    return this.#refuse(response, new GeneralRefusal('methodUnknown'), body);
  }

  #refuse(response: ServerResponse, refusal: GeneralRefusal, body?: Buffer, caller?: string | null): null {
    const { req: request } = response;
    const [path = ''] = (request.url ?? '').split('?', 1);
    const endpoint = this.#find(request.method ?? '', path)?.id ?? null;
    this.#report(refusedRequest(request, refusal, { endpoint, body, caller }));
    return this.#send(response, refusal.status, this.#textOf(failure(refusal, this.#options.now())));
  }

  /** Reports the refusal. An error of the listener does not prevent the refusal. */
  #report(refused: RefusedRequest): void {
    try {
      this.#options.onRefused?.(refused);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  #textOf(envelope: Envelope): string {
    if (envelope.code === SUCCESS_CODE || this.#options.errorData !== 'absent') return JSON.stringify(envelope);
    const { code, msg, requestTime } = envelope;
    return JSON.stringify({ code, msg, requestTime });
  }

  #send(response: ServerResponse, status: number, text: string, type = 'application/json'): null {
    if (this.#isClosing) response.setHeader('connection', 'close');
    response.setHeader('content-type', type);
    response.setHeader('content-length', Buffer.byteLength(text));
    response.statusCode = status;
    response.end(text);
    return null;
  }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
