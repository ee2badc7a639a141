/**
 * Downloads files, which may be large: an interrupted one goes on where it was cut, a refused one is asked for again later. Through the proxy that the
 * environment names.
 */
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { Failure } from '../../base/failure/failure.ts';
import { retryAfterMs } from './retry-after.ts';
import { TryAgain, untilDone, type RetryPlan } from './retry.ts';

/** Attempts that bring nothing, in a row; one that brings so many bytes more does not count. */
const PLAN = { retries: 8, firstDelayMs: 500, longestDelayMs: 30_000 };
const FURTHER_BYTES = 65_536;
/** Longest silence of a server before an answer, and within one. */
const SILENCE_MS = 30_000;
/** Calls that may fail before any server has answered: later ones are worth a longer wait. */
const UNREACHED_MAX = 8;
const TEXT_MAX_BYTES = 65_536;

export interface DownloaderOptions {
  /** Has HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in capitals or not. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Additional trusted TLS certificates, PEM. */
  readonly ca?: string | undefined;
  /** How often a request is repeated that brings nothing, and after which waits. Default: 8 times, over about two minutes. */
  readonly plan?: Omit<RetryPlan, 'maxTotalMs'> | undefined;
  /** Called with the reason when a request is repeated. */
  readonly again?: ((why: string) => void) | undefined;
}

/** How a file grows. `total` is null where the server does not say. */
export type TellBytes = (have: number, total: number | null) => void;

export class Downloader {
  readonly #options: DownloaderOptions;
  readonly #dispatcher: EnvHttpProxyAgent;
  /** Nothing is asked before: a server that refuses one request refuses them all. */
  #pausedUntil = 0;
  #refusals = 0;
  #hasAnswered = false;
  #failedCalls = 0;

  /** @throws Failure (fetch-proxy) */
  constructor(options: DownloaderOptions) {
    this.#options = options;
    const proxy = (name: string): string => options.env[name.toLowerCase()] ?? options.env[name] ?? '';
    const [httpProxy, httpsProxy, noProxy] = [proxy('HTTP_PROXY'), proxy('HTTPS_PROXY'), proxy('NO_PROXY')];
    const connect = options.ca === undefined ? {} : { ca: options.ca };
    try {
      this.#dispatcher = new EnvHttpProxyAgent({
        httpProxy,
        httpsProxy,
        noProxy,
        headersTimeout: SILENCE_MS,
        bodyTimeout: SILENCE_MS,
        connect: { timeout: 10_000, ...connect },
        ...(options.ca === undefined ? {} : { requestTls: connect }),
      });
    } catch (cause) {
      const what = `expected the address of a proxy such as http://proxy.example.com:8080, found ${JSON.stringify(httpsProxy || httpProxy)}`;
      throw new Failure('fetch-proxy', { what, where: httpsProxy === '' ? 'HTTP_PROXY' : 'HTTPS_PROXY' }, { cause });
    }
  }

  /**
   * Brings `url` into `file`, which may have its beginning already. False if the server has no such file (404).
   * @throws Failure (fetch-failed), the reason of the signal, or an error of node:fs
   */
  async download(url: string, file: string, tell: TellBytes): Promise<boolean> {
    return this.#repeated(url, () => this.#part(url, file, tell));
  }

  /** A short text; null if the server has none (404). @throws as download */
  async text(url: string): Promise<string | null> {
    return this.#repeated(url, async () => {
      const answer = await this.#ask(url, {});
      if (answer === null) return null;
      return this.#received(async () => {
        let text = '';
        for await (const chunk of answer.body.setEncoding('utf8')) {
          text += chunk as string;
          if (text.length > TEXT_MAX_BYTES)
            throw new Failure('fetch-failed', { what: `expected a short text, found more than ${TEXT_MAX_BYTES} bytes`, where: url });
        }
        return text;
      });
    });
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #part(url: string, file: string, tell: TellBytes): Promise<boolean> {
    const have = sizeOf(file);
    const answer = await this.#ask(url, have > 0 ? { range: `bytes=${have}-` } : {}, have > 0);
    if (answer === null) return false;
    const start = startOf(answer);
    if (answer.statusCode === 416 || (start !== 0 && start !== have)) {
      answer.body.on('error', () => undefined).destroy();
      if (answer.headers['content-range'] === `bytes */${have}`) return true;
      rmSync(file, { force: true });
      throw new TryAgain('the part that is here is not the beginning of the file', { isFurther: have > 0 });
    }
    const length = Number(answer.headers['content-length'] ?? Number.NaN);
    const total = Number.isFinite(length) ? start + length : null;
    const descriptor = openSync(file, start === 0 ? 'w' : 'a');
    let at = start;
    // Written as it comes: what waits in a stream is lost when the connection is cut.
    answer.body.on('data', (chunk: Buffer) => {
      try {
        for (let done = 0; done < chunk.length;) done += writeSync(descriptor, chunk, done);
      } catch (error) {
        answer.body.destroy(error as Error);
        return;
      }
      at += chunk.length;
      tell(at, total);
    });
    try {
      await this.#received(
        () => finished(answer.body),
        () => at - have >= FURTHER_BYTES,
      );
      if (total !== null && at !== total) throw new TryAgain(`${total} bytes were announced, ${at} came`);
    } finally {
      closeSync(descriptor);
    }
    return true;
  }

  /** Gets an answer with a body to read, or null for 404. @throws TryAgain, Failure */
  async #ask(url: string, headers: Record<string, string>, isRange = false): Promise<Dispatcher.ResponseData | null> {
    const { signal } = this.#options;
    await this.#pause();
    const answer = await this.#received(() => request(url, { dispatcher: this.#dispatcher, headers, signal }));
    const { statusCode: status } = answer;
    this.#hasAnswered = true;
    if (status === 200 || (isRange && (status === 206 || status === 416))) {
      this.#refusals = 0;
      return answer;
    }
    answer.body.on('error', () => undefined).destroy();
    if (status === 404) return null;
    if (status === 429 || status === 408 || status >= 500) throw this.#refused(status, answer.headers['retry-after']);
    const { location } = answer.headers;
    const found = typeof location === 'string' ? `a redirection to ${location}` : `status ${status}`;
    throw new Failure('fetch-failed', { what: `expected the file, found ${found}`, where: url, hint: hintOf(status) });
  }

  #refused(status: number, header: string | string[] | undefined): TryAgain {
    const after = typeof header === 'string' ? header : null;
    if (status !== 429 && after === null) return new TryAgain(`status ${status}`);
    const now = this.#options.now();
    const pauseMs = retryAfterMs(after, now, this.#refusals++);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
    return new TryAgain(`status ${status}`);
  }

  async #pause(): Promise<void> {
    const { now, signal } = this.#options;
    for (let left = this.#pausedUntil - now(); left > 0; left = this.#pausedUntil - now()) await sleep(left, undefined, { signal });
  }

  /** Turns what goes wrong on the way into TryAgain. */
  async #received<T>(work: () => Promise<T>, isFurther: () => boolean = () => false): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (isOfCertificate(error)) throw unreached(causeOf(error), 'NODE_EXTRA_CA_CERTS names further certificates to trust', error);
      if (!isOfNetwork(error)) throw error;
      if (!this.#hasAnswered && ++this.#failedCalls > UNREACHED_MAX) {
        throw unreached(causeOf(error), 'check the connection; behind a proxy, set HTTPS_PROXY', error);
      }
      throw new TryAgain(causeOf(error), { isFurther: isFurther(), cause: error });
    }
  }

  async #repeated<T>(url: string, attempt: () => Promise<T>): Promise<T> {
    const told = async (): Promise<T> => {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof TryAgain) this.#options.again?.(error.message);
        throw error;
      }
    };
    try {
      return await untilDone(told, this.#options.plan ?? PLAN, this.#options.signal);
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error;
      const hint = 'what is here stays: the same command goes on from it. Behind a proxy, set HTTPS_PROXY';
      throw new Failure(
        'fetch-failed',
        { what: `expected the file, found ${error.message}, again and again`, where: url, hint },
        { cause: error },
      );
    }
  }
}

function unreached(found: string, hint: string, cause: unknown): Failure {
  return new Failure('fetch-failed', { what: `expected a server that answers, found ${found}`, hint }, { cause });
}

/** First byte of what follows. */
function startOf({ statusCode, headers }: Dispatcher.ResponseData): number {
  if (statusCode !== 206) return 0;
  const range = headers['content-range'];
  const found = /^bytes (\d+)-/.exec(typeof range === 'string' ? range : '');
  return found === null ? -1 : Number(found[1]);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** An error of undici or of a socket; others are of the disk, or ours. */
function isOfNetwork(error: unknown): boolean {
  if (error instanceof TryAgain) return true;
  if (!(error instanceof Error) || error instanceof Failure) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (code.startsWith('UND_ERR_INVALID')) return false;
  return code.startsWith('UND_ERR') || /^(ECONN|EHOST|ENET|EPIPE|EPROTO|ETIMEDOUT|EAI_|ENOTFOUND)/.test(code);
}

function isOfCertificate(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.includes('CERT') || code.includes('VERIFY') || /^ERR_(TLS|SSL)/.test(code);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error ? first.message : error.message;
}

function hintOf(status: number): string | undefined {
  if (status === 401 || status === 403 || status === 407 || status === 451)
    return 'the server, or a proxy on the way, does not allow it from here';
  return status >= 300 && status < 400 ? 'redirections are not followed; name the address with --mirror' : undefined;
}
