/** A venue over real HTTP whose answers a test scripts, and an inbox that records. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Endpoint } from '../../../src/contract/endpoints/endpoint.ts';
import type { Rejection } from '../../../src/domain/orders/outcome.ts';
import type { Answer, Query } from '../../../src/ports/venue.ts';
import { ACCEPTED, ANSWERED, FAILED, REJECTED, UNSENT, type Inbox, type VenueEvent } from '../../../src/ports/venue-event.ts';
import { INTERFACE } from '../../../src/venue/interface/dialect.ts';
import { Routes } from '../../../src/venue/routes.ts';

export interface Asked {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly target: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** Data of a success, a whole reply, or an action on the socket. */
export type Script = (
  asked: Asked,
  response: ServerResponse,
) => { data: unknown } | { status?: number; headers?: Record<string, string>; body: string } | null;

export interface ScriptedVenue {
  readonly url: string;
  readonly asked: Asked[];
  /** Requests at one endpoint. */
  at(id: string): Asked[];
  close(): Promise<void>;
}

export async function startScriptedVenue(script: Script, clockOffsetMs = 0): Promise<ScriptedVenue> {
  const asked: Asked[] = [];
  const routes = new Routes(INTERFACE);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const target = request.url ?? '';
      const [path = '', query = ''] = target.split('?');
      const endpoint = routes.find(request.method ?? '', path);
      if (endpoint === undefined) return void response.writeHead(404).end('<html>not here</html>');
      const one = {
        endpoint,
        method: request.method ?? '',
        target,
        query: Object.fromEntries(new URLSearchParams(query)),
        body: Buffer.concat(chunks).toString(),
        headers: request.headers,
      };
      asked.push(one);
      const reply = script(one, response);
      if (reply === null) return;
      if ('data' in reply) {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ code: '00000', msg: 'success', requestTime: Date.now() + clockOffsetMs, data: reply.data }));
        return;
      }
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers }).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    at: (id) => asked.filter((one) => one.endpoint.id === id),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The body of a refusal. */
export function refusal(code: string, msg: string): string {
  return JSON.stringify({ code, msg, requestTime: Date.now() });
}

export type InboxEvent =
  | { readonly kind: 'accepted'; readonly seq: number; readonly venueId: string }
  | { readonly kind: 'rejected'; readonly seq: number; readonly rejection: Rejection }
  | { readonly kind: 'unsent' | 'unknown'; readonly seq: number; readonly cause: string }
  | { readonly kind: 'answered'; readonly query: Query; readonly answer: Answer; readonly sentAt: number; readonly venueTime: number }
  | { readonly kind: 'failed'; readonly query: Query; readonly cause: string };

export class RecordingInbox implements Inbox {
  readonly events: InboxEvent[] = [];
  #wake: (() => void) | null = null;

  take({ kind, seq, text, rejection, query, answer, sentAt, venueTime }: VenueEvent): void {
    if (kind === ACCEPTED) this.#add({ kind: 'accepted', seq, venueId: text });
    else if (kind === REJECTED) this.#add({ kind: 'rejected', seq, rejection: rejection! });
    else if (kind === ANSWERED) this.#add({ kind: 'answered', query: query!, answer: answer!, sentAt, venueTime });
    else if (kind === FAILED) this.#add({ kind: 'failed', query: query!, cause: text });
    else this.#add({ kind: kind === UNSENT ? 'unsent' : 'unknown', seq, cause: text });
  }

  /** Waits until `count` events have arrived. */
  async until(count: number): Promise<readonly InboxEvent[]> {
    while (this.events.length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.events;
  }

  #add(event: InboxEvent): void {
    this.events.push(event);
    this.#wake?.();
  }
}
