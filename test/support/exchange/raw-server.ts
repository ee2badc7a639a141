/** A TCP server that answers HTTP as badly as a test wants: each connection is a script over the received bytes. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface RawRequest {
  /** Everything up to the end of the body. */
  readonly text: string;
  readonly target: string;
  readonly body: string;
  readonly socket: Socket;
  /** Number of the request over all connections, from 1. */
  readonly number: number;
}

export interface RawServer {
  readonly url: string;
  readonly port: number;
  readonly requests: RawRequest[];
  /** Connections opened so far. */
  connections: number;
  close(): Promise<void>;
}

/** Starts on loopback. `answer` is called once per complete request and may do anything with the socket. */
export async function startRawServer(answer: (request: RawRequest) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  const server: Server = createServer((socket) => {
    result.connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (;;) {
        const head = text.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
        const end = head + 4 + length;
        if (text.length < end) return;
        const whole = text.slice(0, end);
        text = text.slice(end);
        const target = whole.split(' ')[1] ?? '';
        const request = { text: whole, target, body: whole.slice(head + 4), socket, number: requests.length + 1 };
        requests.push(request);
        answer(request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server.address() as AddressInfo).port;
  const result: RawServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return result;
}

/** A whole HTTP reply as text. */
export function reply(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status} Whatever\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${lines.join('')}\r\n${body}`;
}

/** A port on loopback where nothing listens. */
export async function closedPort(): Promise<number> {
  const server = await startRawServer(() => undefined);
  await server.close();
  return server.port;
}
