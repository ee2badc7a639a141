/** The web server of the monitor: node:http on loopback. It checks where a call comes from and who makes it, and hands it to the routes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { MONITOR_ROUTES, type MonitorRoute, type RouteName } from '../../control/monitor-routes.ts';
import { answerFailure, bodyOf, listenOnLoopback, sendLines, type Lines } from '../node-http.ts';
import { Seats } from '../seats.ts';
import type { Session, Sessions } from './sessions.ts';
import { WEB_HEADERS, refusalOf } from './web-gate.ts';

const BODY_MAX = 65_536;
/** A reader of a stream that is so many bytes behind is disconnected; it may resume. */
const BEHIND_MAX = 4 << 20;
/** The line `alive` goes out so often, so that a reader knows that it is still heard, and what time it is here. */
const ALIVE_MS = 2_000;
/**
 * Seats of each role, and those of its streams. A connection takes one once its session is known, and keeps it: it can be closed for a newer one
 * of the same role, and never for one of a lower role or of an unknown caller.
 */
type Group = Session['role'] | `${Session['role']} stream`;
const SEATS = { unread: 64, metrics: 8, 'metrics stream': 0, view: 48, 'view stream': 24, operate: 48, 'operate stream': 24 };

export interface WebCall {
  /** The words of the path that the route leaves open. */
  readonly words: Readonly<Record<string, string>>;
  /** The query of a GET, or the body. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Who calls; null for a public route. */
  readonly session: Session | null;
}

export interface WebReply {
  readonly status: number;
  /** Default: application/json. */
  readonly type?: string;
  readonly body: string | Buffer;
}

export interface WebFile {
  readonly type: string;
  readonly body: Buffer;
  readonly gzip: Buffer;
}

export type WebHandler = (call: WebCall) => WebReply | Lines | Promise<WebReply | Lines>;

export interface WebOptions {
  /** 0: the system chooses. */
  readonly port: number;
  readonly sessions: Sessions;
  /** Those of the table that it has. */
  readonly routes: Readonly<Partial<Record<RouteName, WebHandler>>>;
  /** Files of the page by path, and the content security policy of every answer. They are public: they contain no data. */
  readonly files: ReadonlyMap<string, WebFile>;
  readonly policy: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

export interface RunningWeb {
  /** "http://127.0.0.1:PORT" */
  readonly url: string;
  /** Ends the streams of a session. */
  end(session: string): void;
  close(): Promise<void>;
}

interface Route {
  readonly name: RouteName;
  readonly row: MonitorRoute;
  readonly pattern: RegExp;
}

const ROUTES: readonly Route[] = Object.entries<MonitorRoute>(MONITOR_ROUTES).map(([name, row]) => ({
  name: name as RouteName,
  row,
  pattern: new RegExp(`^${row.path.replace(/[.]/g, '\\.').replace(/:(\w+)/g, '(?<$1>[A-Za-z0-9._-]{1,100})')}$`),
}));

/** Listens on 127.0.0.1. @throws Error of node:net if it cannot */
export async function startWeb(options: WebOptions): Promise<RunningWeb> {
  let hosts: readonly string[] = [];
  const streams = new Map<ServerResponse, string>();
  const seats = new Seats<Group>(SEATS, () => performance.now());
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384, noDelay: true },
    (request, response) => {
      void answer(request, response, { ...options, hosts, streams, seats }).catch((error: unknown) => {
        options.onError(error);
        answerFailure(response, () => send(response, refused(500, 'failed', 'the monitor failed; its log has the error')));
      });
    },
  );
  server.on('connection', (socket) => seats.enter(socket));
  const listening = await listenOnLoopback(server, options.port);
  hosts = [`127.0.0.1:${listening.port}`, `localhost:${listening.port}`];
  return {
    url: listening.url,
    end(session) {
      for (const [response, of] of streams) if (of === session) response.destroy();
    },
    close: () => listening.close(),
  };
}

interface Parts extends WebOptions {
  readonly hosts: readonly string[];
  /** Open streams with the id of their session. */
  readonly streams: Map<ServerResponse, string>;
  readonly seats: Seats<Group>;
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  for (const [name, value] of Object.entries(WEB_HEADERS)) response.setHeader(name, value);
  response.setHeader('content-security-policy', parts.policy);
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const found = ROUTES.find(
    ({ name, row, pattern }) => parts.routes[name] !== undefined && row.method === request.method && pattern.test(path),
  );
  const foreign = refusalOf(request, parts, found?.name === 'entry');
  if (foreign !== null) return send(response, refused(403, 'not-allowed', foreign));
  const file = request.method === 'GET' ? parts.files.get(path) : undefined;
  if (file !== undefined) return sendFile(request, response, file);
  if (found === undefined) return send(response, refused(404, 'no-such-route', `there is no ${request.method} ${path.slice(0, 100)}`));
  const { row, pattern, name } = found;
  const session = row.access === 'public' ? null : sessionOf(request, parts.sessions);
  if (typeof session === 'string')
    return send(
      response,
      session === 'wait'
        ? refused(429, 'wait', 'too many wrong sessions; wait a minute')
        : refused(401, 'no-session', 'expected the session of a login', '`tickwright open` opens a new one'),
    );
  if (session !== null) {
    parts.seats.move(request.socket, session.role);
    const nonce = headerOf(request, 'x-monitor-nonce');
    if (nonce !== '') response.setHeader('x-monitor-proof', parts.sessions.prove(session.id, nonce));
  }
  if (session?.role === 'metrics' && row.access !== 'metrics')
    return send(response, refused(403, 'metrics-only', 'this token may only read /metrics'));
  if (session?.role === 'view' && row.access === 'operate') return send(response, refused(403, 'view-only', 'this session may only view'));
  const text = request.method === 'POST' ? await bodyOf(request, BODY_MAX) : '';
  if (text === null) return send(response, refused(413, 'too-large', `expected at most ${BODY_MAX} bytes`));
  const given = request.method === 'GET' ? Object.fromEntries(new URLSearchParams(query)) : parsed(request, text);
  if (given === null) return send(response, refused(400, 'bad-request', 'expected a JSON object as the body'));
  const words = pattern.exec(path)?.groups ?? {};
  const reply = await parts.routes[name]!({ words, given, session });
  if ('body' in reply) return send(response, reply);
  parts.seats.move(request.socket, `${session!.role} stream`);
  await stream(response, reply, parts, session!.id);
}

function sessionOf(request: IncomingMessage, sessions: Sessions): Session | 'wrong' | 'wait' {
  const secret = /^Bearer (\S{1,200})$/.exec(headerOf(request, 'authorization'))?.[1] ?? '';
  return secret === '' ? 'wrong' : sessions.find(secret);
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.slice(0, 300) : '';
}

/** Only JSON, and the form of `tickwright open`. A page of another origin cannot send JSON without being asked first, and is refused then. */
function parsed({ headers }: IncomingMessage, text: string): Readonly<Record<string, unknown>> | null {
  const type = headers['content-type'] ?? '';
  if (text === '') return {};
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  if (!type.startsWith('application/json')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

async function stream(response: ServerResponse, lines: Lines, { streams, now, sessions }: Parts, session: string): Promise<void> {
  streams.set(response, session);
  response.once('close', () => streams.delete(response));
  const alive = (): void => {
    if (sessions.isGood(session)) response.write(`${JSON.stringify({ kind: 'alive', time: now() })}\n`);
    else response.destroy();
  };
  if (!(await sendLines(response, lines, BEHIND_MAX))) return;
  alive();
  const timer = setInterval(alive, ALIVE_MS);
  response.once('close', () => clearInterval(timer));
}

export function json(body: object, status = 200): WebReply {
  return { status, body: JSON.stringify(body) };
}

export function refused(status: number, code: string, message: string, hint = ''): WebReply {
  return json({ ok: false, code, message, hint }, status);
}

function sendFile({ headers }: IncomingMessage, response: ServerResponse, { type, body, gzip }: WebFile): void {
  const isPacked = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  const bytes = isPacked ? gzip : body;
  const encoding = isPacked ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, vary: 'accept-encoding', ...encoding });
  response.end(bytes);
}

function send(response: ServerResponse, { status, type = 'application/json', body }: WebReply): void {
  const isCutOff = status === 413 || status === 403;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...(isCutOff ? { connection: 'close' } : {}),
  });
  response.end(body);
}
