/**
 * The admin interface of a paper exchange: JSON over HTTP on loopback, with a token on every call. It checks access and finds the route;
 * the routes themselves are passed in.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { bearerToken, notOfProgram, WrongSecrets } from '../callers.ts';
import { answerFailure } from '../node-http.ts';
import { sameSecret } from '../signature.ts';
import { readBody, type BodyResult } from './request/body.ts';
import { refuseBrokenRequest } from './request/broken.ts';
import { readJson } from './request/json.ts';
import { listen } from './listen.ts';

export interface AdminCall {
  /** The parsed body; {} if there is none. */
  readonly given: unknown;
  readonly query: ReadonlyMap<string, string>;
}

/** The JSON text of the answer and its HTTP status. */
export interface AdminAnswer {
  readonly status: number;
  readonly text: string;
}

/** "POST /admin/cancel" → its function. A Failure that it throws is sent to the caller as a 400. */
export type AdminRoutes = ReadonlyMap<string, (call: AdminCall) => AdminAnswer>;

export interface AdminOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly token: string;
  readonly now: () => number;
  readonly routes: AdminRoutes;
  readonly onError: (error: unknown) => void;
}

export interface RunningAdmin {
  /** `http://127.0.0.1:PORT/admin` */
  readonly url: string;
  /** The same routes for the exchange's own page. */
  readonly door: AdminDoor;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const BODY_LIMIT = 1 << 18;

/** Listens on loopback. @throws ServeError */
export async function startAdmin(options: AdminOptions): Promise<RunningAdmin> {
  const door = new AdminDoor(options);
  const gate = new Gate(door, options.onError);
  const timeouts = { requestTimeout: 8_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 };
  const server = createServer({ ...timeouts, noDelay: true }, (request, response) => {
    readBody(request, BODY_LIMIT, (body) => gate.answer(request, response, body));
  });
  server.maxConnections = 64;
  server.on('clientError', (error, socket) => refuseBrokenRequest(error, socket, options.now()));
  const port = await listen(server, HOST, options.port);
  gate.hosts = [`${HOST}:${port}`, `localhost:${port}`];
  return {
    url: `http://${HOST}:${port}/admin`,
    door,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const FAILED = refusal(500, 'the command failed inside the exchange; its log has the error');

/** Accepts callers that are programs on this machine, not web pages in its browser. */
class Gate {
  hosts: readonly string[] = [];
  readonly #door: AdminDoor;
  readonly #onError: AdminOptions['onError'];

  constructor(door: AdminDoor, onError: AdminOptions['onError']) {
    this.#door = door;
    this.#onError = onError;
  }

  answer(request: IncomingMessage, response: ServerResponse, body: BodyResult): void {
    if (body === 'aborted') return;
    try {
      const { method = '', headers, url = '/' } = request;
      const call = { method, target: url, authorization: headers.authorization ?? '', body };
      const { status, text } = this.#refuse(request) ?? this.#door.answer(call);
      send(response, status, text);
    } catch (error) {
      this.#onError(error);
      answerFailure(response, () => send(response, FAILED.status, FAILED.text));
    }
  }

  #refuse({ headers }: IncomingMessage): AdminAnswer | null {
    const why = notOfProgram(headers, this.hosts);
    return why === null ? null : refusal(403, why);
  }
}

export interface DoorCall {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The header of that name; "" for none. */
  readonly authorization: string;
  readonly body: Exclude<BodyResult, 'aborted'>;
}

/** Answers callers that have the token. Whether a caller may come at all is decided before. */
export class AdminDoor {
  readonly #options: Omit<AdminOptions, 'port'>;
  readonly #wrong: WrongSecrets;

  constructor(options: Omit<AdminOptions, 'port'>) {
    this.#options = options;
    this.#wrong = new WrongSecrets(options.now);
  }

  answer(call: DoorCall): AdminAnswer {
    try {
      return this.#refuse(call.authorization) ?? this.#serve(call);
    } catch (error) {
      if (error instanceof Failure) return { status: 400, text: JSON.stringify({ code: error.failure, problems: error.problems }) };
      this.#options.onError(error);
      return FAILED;
    }
  }

  #refuse(authorization: string): AdminAnswer | null {
    if (sameSecret(bearerToken(authorization), this.#options.token)) return null;
    if (this.#wrong.failed()) return refusal(429, 'too many wrong tokens; wait a minute');
    return refusal(401, 'expected the header "authorization: Bearer TOKEN" with the token of this exchange');
  }

  #serve({ method, target, body }: DoorCall): AdminAnswer {
    if (body === 'too-large') return refusal(413, `expected at most ${BODY_LIMIT} bytes`);
    if (!Buffer.isBuffer(body)) return refusal(400, 'expected a body in UTF-8');
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const { routes } = this.#options;
    const route = routes.get(`${method} ${path}`);
    if (route === undefined) {
      const asked = `${method} ${path.slice(0, 60)}`;
      return refusal(404, `there is no route ${asked}`, didYouMean(asked, routes.keys()));
    }
    const text = body.toString('utf8');
    const json = text === '' ? { ok: true as const, value: {} } : readJson(text);
    if (!json.ok) return refusal(400, json.refusal.msg);
    return route({ given: json.value, query: new Map(new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))) });
  }
}

function refusal(status: number, what: string, hint?: string): AdminAnswer {
  return { status, text: problemText([hint === undefined ? { what } : { what, hint }]) };
}

function problemText(problems: readonly Problem[]): string {
  return JSON.stringify({ problems });
}

function send(response: ServerResponse, status: number, text: string): void {
  response.setHeader('content-type', 'application/json');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-length', Buffer.byteLength(text));
  if (status === 413) response.setHeader('connection', 'close');
  response.statusCode = status;
  response.end(text);
}
