/**
 * Sends requests over undici with separate connection pools. It does not know the endpoints. For every failure it reports whether any byte
 * of the request may have been sent.
 */
import { Pool, type Dispatcher } from 'undici';
import type { Clock } from '../../ports/clock.ts';
import { publicLookup, type BaseUrl } from './base-url.ts';

/** Largest accepted answer in bytes. */
export const MAX_REPLY_BYTES = 8 * 1024 * 1024;

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, exactly as signed. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Exact body text; "" for none. */
  readonly body: string;
  /** Writes use their own connections, which are closed after a short idle time. The transport never repeats a write. */
  readonly isWrite: boolean;
  /** True for a write that reduces risk (a cancel or a close). These use a third pool with many connections. */
  readonly isExit?: boolean | undefined;
  /** Aborts the request at any stage. */
  readonly signal?: AbortSignal | undefined;
  /** Called directly before the request is written. Returns a cause not to send it, or null. */
  readonly veto?: (() => string | null) | undefined;
}

export interface WireReply {
  readonly ok: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Milliseconds: when the request was written, and when the last byte of the answer arrived. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** `before-send`: proven that no byte was sent. `after-send`: the venue may have acted. */
export interface WireFailure {
  readonly ok: false;
  readonly phase: 'before-send' | 'after-send';
  /**
   * A stable word: timeout, connection-refused, dns, tls, reset, redirect, too-large, encoded, not-utf8, aborted, stopped, failed, or the
   * cause of a veto.
   */
  readonly cause: string;
  /** The system's code or message, for the log. */
  readonly detail: string;
  readonly sentAt: number;
}

export interface Transport {
  /** Sends one request; never rejects. If a connection is free, the bytes are written before this returns. */
  send(request: WireRequest): Promise<WireReply | WireFailure>;
  /** Closes all connections. Requests in flight fail; those that were not started fail as `before-send`. */
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly base: BaseUrl;
  readonly clock: Clock;
  /** Time-out in milliseconds from `send` to the last byte of the answer. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Time-out in milliseconds for opening a connection. Default 2,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Connections for reads, and connections for writes that are not exits. Default 8 each. */
  readonly connections?: number | undefined;
  /** Accepts a private address for a public name. Default false. */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** Additional trusted TLS certificates, PEM. */
  readonly ca?: string | undefined;
}

/** Longest idle time of a connection for writes. If the server had just closed it, the write's outcome would be unknown for no reason. */
const WRITE_IDLE_MS = 1_500;
const READ_IDLE_MS = 4_000;
/** Connections for cancels and closes: more than can be stuck at once within the time-out, given the venues' rate limits. */
const EXIT_CONNECTIONS = 128;

export class HttpTransport implements Transport {
  readonly #reads: Pool;
  readonly #writes: Pool;
  readonly #exits: Pool;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #isClosed = false;

  constructor(options: TransportOptions) {
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs ?? 5_000;
    this.#reads = createPool(options, READ_IDLE_MS, this.#timeoutMs);
    this.#writes = createPool(options, WRITE_IDLE_MS, this.#timeoutMs);
    this.#exits = createPool({ ...options, connections: EXIT_CONNECTIONS }, WRITE_IDLE_MS, this.#timeoutMs);
  }

  send(request: WireRequest): Promise<WireReply | WireFailure> {
    const { promise, resolve } = Promise.withResolvers<WireReply | WireFailure>();
    const exchange = new Exchange(request, this.#clock, this.#timeoutMs, resolve);
    if (this.#isClosed) {
      exchange.fail('stopped', 'the transport is closed');
      return promise;
    }
    const pool = request.isExit === true ? this.#exits : request.isWrite ? this.#writes : this.#reads;
    try {
      const body = request.body === '' ? null : request.body;
      pool.dispatch({ path: request.target, method: request.method, headers: request.headers, body }, exchange);
    } catch (error) {
      exchange.onResponseError(undefined, error as Error);
    }
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#reads.destroy(), this.#writes.destroy(), this.#exits.destroy()]);
  }
}

function createPool(options: TransportOptions, idleMs: number, timeoutMs: number): Pool {
  const guard = !options.base.isLoopback && options.allowPrivateAddresses !== true;
  return new Pool(options.base.origin, {
    connections: options.connections ?? 8,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16_384,
    maxResponseSize: MAX_REPLY_BYTES,
    connect: {
      timeout: options.connectTimeoutMs ?? 2_000,
      ...(guard ? { lookup: publicLookup } : {}),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    },
  });
}

/**
 * One request in progress. undici calls `onRequestStart` directly before it writes the head: if that has not happened, the request was not
 * sent.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest;
  readonly #clock: Clock;
  readonly #resolve: (result: WireReply | WireFailure) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort: (() => void) | null;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;
  #headers: WireReply['headers'] = {};
  #sentAt: number;
  #isStarted = false;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | null = null;

  constructor(request: WireRequest, clock: Clock, timeoutMs: number, resolve: (result: WireReply | WireFailure) => void) {
    this.#request = request;
    this.#clock = clock;
    this.#resolve = resolve;
    this.#sentAt = clock.now();
    this.#timer = setTimeout(() => this.fail('timeout', `no complete reply within ${timeoutMs} ms`), timeoutMs);
    const signal = request.signal;
    this.#onAbort = signal === undefined ? null : () => this.fail('aborted', 'aborted by the caller');
    if (signal?.aborted === true) this.fail('aborted', 'aborted by the caller');
    else if (this.#onAbort !== null) signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isSettled || (this.#isStarted && this.#request.isWrite)) {
      controller.abort(new Error('withdrawn before it was written'));
      return;
    }
    const veto = this.#request.veto?.() ?? null;
    if (veto !== null) {
      this.fail(veto, 'withheld directly before sending');
      controller.abort(new Error(veto));
      return;
    }
    this.#controller = controller;
    this.#isStarted = true;
    this.#chunks.length = 0;
    this.#size = 0;
    this.#sentAt = this.#clock.now();
  }

  onResponseStart(_controller: unknown, status: number, headers: WireReply['headers']): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const encoding = headers['content-encoding'];
    if (status >= 300 && status < 400) this.fail('redirect', `status ${status}`);
    else if (encoding !== undefined && encoding !== 'identity') this.fail('encoded', String(encoding));
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_REPLY_BYTES) this.fail('too-large', `more than ${MAX_REPLY_BYTES} bytes`);
    else if (!this.#isSettled) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#isSettled) return;
    const [only] = this.#chunks;
    const bytes = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#size);
    let body: string;
    try {
      body = UTF8.decode(bytes);
    } catch {
      this.fail('not-utf8', 'expected an answer in UTF-8');
      return;
    }
    const receivedAt = this.#clock.now();
    this.#settle({ ok: true, status: this.#status, headers: this.#headers, body, sentAt: this.#sentAt, receivedAt });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(causeOf(error), detailOf(error));
  }

  /** Ends the request once; later events are ignored. The connection is closed, because its state is unknown. */
  fail(cause: string, detail: string): void {
    if (this.#isSettled) return;
    const phase = this.#isStarted ? 'after-send' : 'before-send';
    this.#settle({ ok: false, phase, cause, detail, sentAt: this.#sentAt });
    this.#controller?.abort(new Error(cause));
  }

  #settle(result: WireReply | WireFailure): void {
    this.#isSettled = true;
    clearTimeout(this.#timer);
    if (this.#onAbort !== null) this.#request.signal?.removeEventListener('abort', this.#onAbort);
    this.#resolve(result);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection-refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EPRIVATE: 'dns',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
  UND_ERR_DESTROYED: 'stopped',
  UND_ERR_CLOSED: 'stopped',
};

function causeOf(error: Error): string {
  const code = codeOf(error);
  if (code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL') || code.includes('CERT')) return 'tls';
  return CAUSES[code] ?? 'failed';
}

function codeOf(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code === 'string') return code;
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error ? codeOf(first) : '';
}

/** Example: "ECONNREFUSED 127.0.0.1:8420". If several addresses failed, the first one. */
function detailOf(error: Error): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const { message } = first instanceof Error ? first : error;
  const code = codeOf(error);
  const text = message.startsWith(`connect ${code} `) ? message.slice('connect '.length) : `${code} ${message}`;
  return text.trim().slice(0, 200);
}
