/**
 * The connection to Redis; the only importer of ioredis. No call takes longer than the time-out. While the server is down, hangs or loads
 * its data, a call is repeated until the time-out ends, and then fails as `unreachable`.
 */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { StoreError } from '../../ports/store.ts';

export interface ClientOptions {
  /** redis://[user:password@]host[:port][/database] or rediss://… for TLS. */
  readonly url: string;
  /** Longest duration of one call in milliseconds. */
  readonly timeoutMs: number;
}

/** The calls that the store and its lease make. */
export interface RedisCalls {
  /** host:port, for messages. */
  readonly address: string;
  command(name: string, ...args: (string | number)[]): Promise<unknown>;
  script(lua: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  close(): void;
}

const BACKOFF_MIN_MS = 20;
const BACKOFF_MAX_MS = 500;
/** Error replies that mean "not now": the command was not executed. */
const TRANSIENT = /^(LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN)\b/;

export class RedisClient implements RedisCalls {
  /** host:port, for messages; the URL may hold a password. */
  readonly address: string;
  readonly #redis: Redis;
  readonly #timeoutMs: number;
  #lastFault = 'no answer';

  /** @throws StoreError unsafe if the URL is not a Redis URL */
  constructor(options: ClientOptions) {
    const url = parseUrl(options.url);
    this.address = url.host;
    this.#timeoutMs = options.timeoutMs;
    this.#redis = new Redis(options.url, {
      lazyConnect: true,
      connectTimeout: options.timeoutMs,
      commandTimeout: options.timeoutMs,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(BACKOFF_MIN_MS * 2 ** Math.min(times, 10), BACKOFF_MAX_MS),
    });
    this.#redis.on('error', (error: Error) => {
      this.#lastFault = faultText(error);
    });
  }

  /** Runs one command, which must be safe to repeat. @throws StoreError unreachable | full | unsafe | poisoned */
  command(name: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#within(() => this.#redis.call(name, ...args));
  }

  /** Runs one Lua script, which must be safe to repeat. Sends only its digest if the server knows the script. @throws as `command` */
  script(lua: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const digest = hash('sha1', lua);
    return this.#within(async () => {
      try {
        return await this.#redis.evalsha(digest, keys.length, ...keys, ...args);
      } catch (error) {
        if (!faultText(error).startsWith('NOSCRIPT')) throw error;
        return this.#redis.eval(lua, keys.length, ...keys, ...args);
      }
    });
  }

  close(): void {
    this.#redis.disconnect();
  }

  async #within(work: () => Promise<unknown>): Promise<unknown> {
    const deadline = performance.now() + this.#timeoutMs;
    for (let pause = BACKOFF_MIN_MS; ; pause = Math.min(pause * 2, BACKOFF_MAX_MS)) {
      const left = deadline - performance.now();
      if (left <= 0) throw this.#unreachable();
      try {
        if (this.#redis.status === 'wait') await atMost(left, this.#redis.connect());
        if (this.#redis.status === 'ready') return await atMost(left, work());
      } catch (error) {
        this.#lastFault = faultText(error);
        const fault = this.#final(error);
        if (fault !== null) throw fault;
      }
      if (this.#isRefused()) throw this.#unreachable();
      await sleep(Math.max(0, Math.min(pause, deadline - performance.now())));
    }
  }

  /** Returns the error if a retry cannot help, or null. */
  #final(error: unknown): StoreError | null {
    const text = faultText(error);
    const options = { cause: error };
    if (!isReply(error) || TRANSIENT.test(text)) return null;
    if (text.startsWith('OOM') || text.startsWith('MISCONF')) {
      return new StoreError(
        'full',
        `redis at ${this.address} refuses writes (${text}): give it memory and disk, then start again`,
        options,
      );
    }
    if (text.startsWith('READONLY')) {
      return new StoreError('unsafe', `redis at ${this.address} is a replica: use the address of the primary in the URL`, options);
    }
    if (this.#isRefused()) return this.#unreachable();
    return new StoreError('poisoned', `redis at ${this.address} refused a command: ${text}`, options);
  }

  #isRefused(): boolean {
    return /^(NOAUTH|WRONGPASS)\b/.test(this.#lastFault);
  }

  #unreachable(): StoreError {
    const advice = this.#isRefused() ? 'check user and password' : 'check that it runs and that the address is right';
    return new StoreError(
      'unreachable',
      `redis at ${this.address} did not answer within ${this.#timeoutMs} ms (${this.#lastFault}): ${advice}`,
    );
  }
}

/** Rejects after `ms`, so that a server which accepts the connection but never answers cannot block us. */
async function atMost(ms: number, work: Promise<unknown>): Promise<unknown> {
  const stop = new AbortController();
  work.catch(() => undefined);
  const late = sleep(ms, undefined, { signal: stop.signal }).then(() => {
    throw new Error('no answer in time');
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}

function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

/** @throws StoreError unsafe */
export function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'redis:' && url.protocol !== 'rediss:') || url.hostname === '') {
    throw new StoreError('unsafe', 'expected a Redis URL such as redis://127.0.0.1:6379 (redis: or rediss:)');
  }
  return url;
}
