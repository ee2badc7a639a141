/** The parts that the servers of node:http share: a port on loopback, the body of a request, and lines for a reader that may be slow. */
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OnLoopback {
  readonly port: number;
  /** "http://127.0.0.1:PORT" */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1; on port 0 the system chooses. @throws Error of node:net if it cannot */
export async function listenOnLoopback(server: Server, wanted: number): Promise<OnLoopback> {
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** After an error inside a server: `answer` says so if nothing was sent yet; else the connection ends, so that no caller waits for the rest. */
export function answerFailure(response: ServerResponse, answer: () => void): void {
  if (!response.headersSent) answer();
  else if (!response.writableEnded) response.destroy();
}

/** The body as text; null if it has more than `most` bytes, or the caller left before its end. */
export async function bodyOf(request: IncomingMessage, most: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) return null;
      chunks.push(chunk);
    }
  } catch (error) {
    if (!request.complete) return null;
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Lines for a reader, until it disconnects. */
export interface Lines {
  /** Lines from before, which are sent as fast as the reader takes them. */
  readonly past: Iterable<string>;
  /** Writes each further line; `write` returns false once the reader has disconnected. The returned function is called at the end. */
  readonly begin: ((write: (line: string) => boolean) => () => void) | null;
}

/**
 * Sends lines as they come. A reader that is more than `mostBehind` bytes behind is disconnected, so that nobody waits for it. Resolves with
 * false if the lines have ended, or the reader has gone before the end of those from before.
 */
export async function sendLines(
  response: ServerResponse,
  { past, begin }: Lines,
  mostBehind: number,
  headers: OutgoingHttpHeaders = {},
): Promise<boolean> {
  response.writeHead(200, { ...headers, 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
  const gone = once(response, 'close');
  for (const line of past) {
    if (response.destroyed) return false;
    if (!response.write(line)) await Promise.race([once(response, 'drain'), gone]);
  }
  if (response.destroyed) return false;
  if (begin === null) {
    response.end();
    return false;
  }
  const end = begin((line) => {
    if (response.destroyed || response.writableLength > mostBehind) {
      response.destroy();
      return false;
    }
    response.write(line.endsWith('\n') ? line : `${line}\n`);
    return true;
  });
  response.once('close', end);
  return true;
}
