/**
 * An HTTP proxy on loopback between a page and a monitor, as a tunnel or a reverse proxy is. What it gives on of the stream of changes can be late,
 * be held, and be cut in the middle of a line; all else passes at once.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const STREAM = '/api/stream';

export class SlowProxy {
  url = '';
  /** How late bytes of the stream are, in milliseconds. */
  delayMs = 0;
  /** Paths under which the stream was opened, and how many of these streams began with `reset`. */
  readonly opened: string[] = [];
  resets = 0;
  readonly #target: URL;
  readonly #server = createServer((asked, response) => this.#pass(asked, response));
  #held = Promise.withResolvers<void>();
  #cuts = false;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#held.resolve();
  }

  static async open(target: string): Promise<SlowProxy> {
    const proxy = new SlowProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    proxy.url = `http://127.0.0.1:${(proxy.#server.address() as AddressInfo).port}`;
    return proxy;
  }

  /** Nothing of the stream passes until `release`. */
  hold(): void {
    this.#held = Promise.withResolvers();
  }

  release(): void {
    this.#held.resolve();
  }

  /** Ends the stream after a part of its next line. */
  cut(): void {
    this.#cuts = true;
  }

  get isCut(): boolean {
    return !this.#cuts;
  }

  async close(): Promise<void> {
    this.#held.resolve();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(asked: IncomingMessage, response: ServerResponse): void {
    const { host, origin, hostname, port } = this.#target;
    const { url: path = '/', method, headers } = asked;
    const own = headers.origin === this.url ? { origin } : {};
    const sent = request({ hostname, port, path, method, headers: { ...headers, host, ...own }, agent: false });
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    sent.on('response', (answer) => {
      answer.on('error', () => response.destroy());
      if (path.startsWith(STREAM)) return this.#giveOn(answer, response, path);
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    asked.pipe(sent);
  }

  #giveOn(answer: IncomingMessage, response: ServerResponse, path: string): void {
    this.opened.push(path);
    let before = Promise.resolve();
    const inTurn = (work: () => void): void => {
      const late = sleep(this.delayMs);
      before = before
        .then(() => late)
        .then(() => this.#held.promise)
        .then(work);
    };
    inTurn(() => response.writeHead(answer.statusCode!, answer.headers).flushHeaders());
    answer.once('data', (bytes: Buffer) => {
      if (bytes.includes('"kind":"reset"')) this.resets++;
    });
    answer.on('data', (bytes: Buffer) => inTurn(() => this.#write(bytes, response)));
    answer.on('end', () => inTurn(() => response.end()));
  }

  #write(bytes: Buffer, response: ServerResponse): void {
    if (response.destroyed) return;
    if (!this.#cuts) return void response.write(bytes);
    this.#cuts = false;
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
  }
}
