/**
 * HTTP server of the control plane: JSON over a Unix socket that only this user can open (a named pipe on Windows). Optionally it also
 * listens on loopback and requires a token. It dispatches by route name to `handler`. It uses node:http, because fastify would add 37
 * packages to a process that holds exchange keys.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { answerFailure, bodyOf, sendLines, type Lines } from '../node-http.ts';
import { Seats } from '../seats.ts';
import { HttpGate } from './gate.ts';
import { identityOf, listenPrivately, started } from './private-socket.ts';
import { controlPath, type SocketName } from './socket-path.ts';

/** Largest accepted request body in bytes. */
const BODY_MAX = 65_536;
/** `read`: a query is being answered. `act`: a command is. `stream`: lines are sent until the caller leaves. An idle connection is unread. */
type Group = 'read' | 'act' | 'stream';
const SEATS = { unread: 32, read: 32, act: 32, stream: 16 };
/** A reader of lines that is so many bytes behind is disconnected: the bot never waits for it. */
const BEHIND_MAX = 1 << 20;

export interface ControlReply {
  readonly status: number;
  readonly body: object;
}

export interface ControlHandler {
  /** `given` is the parsed body of a POST, or the query of a GET. */
  (method: string, name: string, given: Readonly<Record<string, unknown>>): Promise<ControlReply | Lines>;
}

export interface ControlOptions {
  /** The bot's state folder. */
  readonly folder: string;
  /** Whose socket; by default that of the bot. */
  readonly socket?: SocketName;
  /** Port on loopback; 0 lets the system choose, null listens on the Unix socket only. */
  readonly port: number | null;
  readonly handler: ControlHandler;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

export interface RunningControl {
  readonly path: string;
  /** "http://127.0.0.1:PORT", or "" without a port. */
  readonly url: string;
  /** False if the socket's file was deleted or replaced, so that nobody can connect any more. */
  readonly isThere: boolean;
  /** Makes the socket again. @throws Error of node:net or node:fs */
  listenAgain(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on the socket and, if set, on the port. @throws Error of node:net if it cannot listen */
export async function startControl(options: ControlOptions): Promise<RunningControl> {
  const path = controlPath(options.folder, options.socket);
  let socket = serverFor(options, null);
  let file = await listenPrivately(socket.server, path);
  const http = options.port === null ? null : serverFor(options, new HttpGate(tokenIn(options.folder), options.now));
  let url = '';
  if (http !== null) {
    try {
      await started(http.server, () => http.server.listen(options.port!, '127.0.0.1'));
    } catch (error) {
      await Promise.all([closed(socket), closed(http)]);
      throw error;
    }
    const { port } = http.server.address() as AddressInfo;
    http.gate!.hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    url = `http://127.0.0.1:${port}`;
  }
  const before: Listener[] = [];
  let isClosing = false;
  return {
    path,
    url,
    get isThere() {
      return isClosing || file === identityOf(path);
    },
    async listenAgain() {
      // Callers of the lost socket stay connected. Its end is not awaited: it comes with the last of them.
      if (socket.server.listening) before.push(socket);
      socket.server.close();
      socket = serverFor(options, null);
      file = await listenPrivately(socket.server, path);
    },
    async close() {
      isClosing = true;
      await Promise.all([...before, socket, ...(http === null ? [] : [http])].map(closed));
    },
  };
}

interface Listener {
  readonly server: Server;
  readonly gate: HttpGate | null;
}

/** Reads the token of the HTTP port. Creates it (256 random bits) in a file that only this user can read, if there is none. */
function tokenIn(folder: string): string {
  const file = join(folder, 'control.token');
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  if (process.platform !== 'win32') chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

function closed({ server }: Listener): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function serverFor(options: ControlOptions, gate: HttpGate | null): Listener {
  const seats = new Seats<Group>(SEATS, options.now);
  const server = createServer(
    { requestTimeout: 8_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 8_192, noDelay: true },
    (request, response) => {
      void answer(request, response, { ...options, gate, seats }).catch((error: unknown) => fail(response, options, error));
    },
  );
  server.on('connection', (socket) => seats.enter(socket));
  server.on('clientError', (_error, socket) => socket.destroy());
  return { server, gate };
}

interface AnswerParts extends ControlOptions {
  readonly gate: HttpGate | null;
  readonly seats: Seats<Group>;
}

async function answer(request: IncomingMessage, response: ServerResponse, options: AnswerParts): Promise<void> {
  const { gate, seats } = options;
  const refused = gate?.refuse(request) ?? null;
  if (refused !== null) return send(response, refused.status, refusal('not-allowed', refused.message));
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const name = /^\/v1\/([a-z-]{1,40})$/.exec(path)?.[1] ?? '';
  const method = request.method ?? '';
  let given: unknown = Object.fromEntries(new URLSearchParams(query));
  if (method === 'POST') {
    const text = await bodyOf(request, BODY_MAX);
    if (text === null) return send(response, 413, refusal('too-large', `expected at most ${BODY_MAX} bytes`));
    try {
      given = text === '' ? {} : JSON.parse(text);
    } catch {
      return send(response, 400, refusal('bad-request', 'expected a JSON object as the body, found text that is not JSON'));
    }
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return send(response, 400, refusal('bad-request', 'expected a JSON object as the body, found another JSON value'));
  }
  const { socket } = request;
  seats.move(socket, method === 'POST' ? 'act' : 'read');
  response.once('finish', () => seats.move(socket, 'unread'));
  let reply: ControlReply | Lines;
  try {
    reply = await options.handler(method, name, given as Record<string, unknown>);
  } catch (error) {
    return fail(response, options, error);
  }
  if ('status' in reply) return send(response, reply.status, reply.body);
  if (seats.isFull('stream')) return send(response, 503, refusal('busy', `${SEATS.stream} callers follow the log already`));
  seats.move(socket, 'stream');
  await sendLines(response, reply, BEHIND_MAX, HEADERS);
}

function fail(response: ServerResponse, { onError }: ControlOptions, error: unknown): void {
  onError(error);
  answerFailure(response, () => send(response, 500, refusal('failed', 'the command failed inside the bot; the bot’s log has the error')));
}

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const isCutOff = status === 413;
  response.writeHead(status, { ...HEADERS, 'content-length': Buffer.byteLength(text), ...(isCutOff ? { connection: 'close' } : {}) });
  response.end(text);
}

function refusal(code: string, message: string): object {
  return { ok: false, code, message, hint: '' };
}
