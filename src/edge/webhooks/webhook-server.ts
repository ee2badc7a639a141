/** The port for webhooks: node:http on loopback, behind the proxy of the user. It takes POSTs of known senders and shows nothing. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { WebhookSender } from '../../base/tables/webhook-senders.ts';
import { answerFailure, bodyOf, listenOnLoopback, type OnLoopback } from '../node-http.ts';
import { Seats } from '../seats.ts';
import type { Judged, WebhookGate } from './webhook-gate.ts';

const BODY_MAX = 16_384;
/** The status of a signal that certainly was not heard. */
export const NOT_HEARD = 503;
/** A connection whose call was taken has a seat of its own, which no unknown caller can take. */
const SEATS = { unread: 64, taken: 64 };

export interface WebhookServerOptions {
  /** 0: the system chooses. */
  readonly port: number;
  readonly gate: Pick<WebhookGate, 'judge'>;
  /** Gives a signal to the bot. Its answer becomes that of the call; with 503 the same call is let in again. */
  readonly give: (sender: WebhookSender, text: string) => Promise<{ readonly status: number; readonly body: object }>;
  readonly onRefused: (judged: Extract<Judged, { kind: 'refused' }>) => void;
  readonly onError: (error: unknown) => void;
}

/** @throws Error of node:net if it cannot listen */
export async function startWebhooks(options: WebhookServerOptions): Promise<OnLoopback> {
  const seats = new Seats<'taken'>(SEATS, () => performance.now());
  const server = createServer(
    { requestTimeout: 5_000, headersTimeout: 3_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 8_192, noDelay: true },
    (request, response) => {
      void answer(request, response, options, seats).catch((error: unknown) => {
        options.onError(error);
        const message = 'the listener failed; its log has the error';
        answerFailure(response, () => send(response, 500, { ok: false, code: 'failed', message }));
      });
    },
  );
  server.on('connection', (socket) => seats.enter(socket));
  return listenOnLoopback(server, options.port);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, give, onRefused }: WebhookServerOptions,
  seats: Seats<'taken'>,
): Promise<void> {
  // A page in a browser has no business here.
  if (request.method !== 'POST' || request.headers.origin !== undefined)
    return send(response, 405, { ok: false, code: 'not-allowed', message: 'expected a POST of a program' });
  const body = await bodyOf(request, BODY_MAX);
  if (body === null) return send(response, 413, { ok: false, code: 'too-large', message: `expected at most ${BODY_MAX} bytes` });
  const signature = request.headers['x-tickwright-signature'];
  const judged = gate.judge({
    path: (request.url ?? '').split('?', 1)[0]!,
    signature: typeof signature === 'string' ? signature : '',
    body,
  });
  if (judged.kind === 'refused') {
    onRefused(judged);
    return send(response, judged.status, { ok: false, code: judged.code, message: judged.message });
  }
  seats.move(request.socket, 'taken');
  const given = await give(judged.sender, body);
  if (given.status === NOT_HEARD) judged.release();
  send(response, given.status, given.body);
}

/** The connection ends with the answer: its next call may be of somebody else, through the same proxy. */
function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(text);
}
