/**
 * The connection to the primary of Redis; the only importer of ioredis. No call takes longer than the time-out. While the server is down,
 * hangs, loads its data or is a replica, a call is repeated until the time-out ends, and then fails as `unreachable`. Each new connection
 * first asks who answers, because a failover may have put another server there.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis, type RedisOptions as Target } from 'ioredis';
import { readRedisAddress, shownAddress, type RedisAddress } from '../../base/redis-address.ts';
import { StoreError } from '../../ports/store.ts';
import { readInfo, type ServerInfo } from './redis-info.ts';

export interface ClientOptions {
  /** As in base/redis-address.ts. */
  readonly url: string;
  /** Longest duration of one call in milliseconds. */
  readonly timeoutMs: number;
  /** Refuses an unencrypted connection to another machine. Default: false. */
  readonly refusesPlaintext?: boolean;
}

export interface RedisCalls {
  /** Where the calls go, for messages. */
  readonly address: string;
  command(name: string, ...args: (string | number)[]): Promise<unknown>;
  script(lua: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  close(): void;
}

/** The calls that the store and its lease make. */
export interface JournalCalls extends RedisCalls {
  /** Calls go only to a server with this replication id. Another one is answered with `OtherServer`. Default: any server. */
  expect(replicationId: string): void;
  /** Leaves this connection, because its server may no longer be the primary. */
  reconnect(): void;
}

/** A primary with another replication id answers: it was promoted, or started again. */
export class OtherServer extends StoreError {
  readonly replicationId: string;
  constructor(address: string, replicationId: string) {
    super('unreachable', `another primary answers at redis ${address}`);
    this.replicationId = replicationId;
  }
}

const BACKOFF_MIN_MS = 20;
const BACKOFF_MAX_MS = 500;
/** Time that a connection that is being left may take to say goodbye. */
const GOODBYE_MS = 100;
/** Error replies that mean "not now": the command was not executed. */
const TRANSIENT = /^(LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|NOREPLICAS)\b/;
/** Error replies of a server that is no primary, or no longer one. A script has its own words around them. */
const NO_PRIMARY = /\b(READONLY|MASTERDOWN|UNBLOCKED)\b/;
const NO_ANSWER = 'no answer';
const LATE = new Error(`${NO_ANSWER} in time`);
const NO_LOGIN = /\b(NOAUTH|WRONGPASS)\b/;

export class RedisClient implements JournalCalls {
  readonly #redis: Redis;
  readonly #address: RedisAddress;
  readonly #timeoutMs: number;
  readonly #refusesPlaintext: boolean;
  #lastFault = NO_ANSWER;
  /** Who answers on this connection; null until it was asked. */
  #server: ServerInfo | null = null;
  #expected = '';
  #isClosed = false;

  /** @throws StoreError unsafe if the URL is not a Redis URL, or names another machine without TLS and that is refused */
  constructor({ url, timeoutMs, refusesPlaintext = false }: ClientOptions) {
    this.#address = addressOf(url);
    this.#timeoutMs = timeoutMs;
    this.#refusesPlaintext = refusesPlaintext && !this.#address.isTls;
    for (const { host } of this.#address.hosts) this.#checkPlaintext(host);
    this.#redis = new Redis(targetOf(this.#address, timeoutMs));
    this.#redis.on('error', (error: Error) => {
      this.#lastFault = faultText(error);
    });
    this.#redis.on('close', () => {
      this.#server = null;
    });
  }

  get address(): string {
    const remote = this.#address.group === '' ? undefined : this.#redis.stream?.remoteAddress;
    return shownAddress(this.#address) + (remote === undefined ? '' : ` (now ${remote}:${this.#redis.stream.remotePort})`);
  }

  /** Runs one command, which must be safe to repeat. @throws StoreError unreachable | refused | full | poisoned */
  command(name: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#within(name, () => this.#redis.call(name, ...args));
  }

  /** Runs one Lua script, which must be safe to repeat. Sends only its digest if the server knows the script. @throws as `command` */
  script(lua: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const digest = hash('sha1', lua);
    return this.#within(lua, async () => {
      try {
        return await this.#redis.evalsha(digest, keys.length, ...keys, ...args);
      } catch (error) {
        if (!faultText(error).startsWith('NOSCRIPT')) throw error;
        return this.#redis.eval(lua, keys.length, ...keys, ...args);
      }
    });
  }

  expect(replicationId: string): void {
    this.#expected = replicationId;
  }

  reconnect(): void {
    this.#server = null;
    if (this.#redis.status === 'ready') this.#redis.disconnect(true);
  }

  close(): void {
    this.#isClosed = true;
    this.#redis.disconnect();
  }

  async #within(what: string, work: () => Promise<unknown>): Promise<unknown> {
    const deadline = performance.now() + this.#timeoutMs;
    for (let pause = BACKOFF_MIN_MS; ; pause = Math.min(pause * 2, BACKOFF_MAX_MS)) {
      const left = deadline - performance.now();
      if (left <= 0 || this.#isClosed) throw this.#unreachable();
      try {
        // "end": looking for the primary was broken off. What fails here is an event `error`.
        if (this.#redis.status === 'wait' || this.#redis.status === 'end') this.#redis.connect().catch(() => undefined);
        if (this.#redis.status === 'ready') {
          await this.#meet(left);
          const reply = await atMost(left, work());
          this.#lastFault = NO_ANSWER;
          return reply;
        }
      } catch (error) {
        if (error instanceof StoreError) throw error;
        // What was found before says more than that the time was over.
        if (error !== LATE || this.#lastFault === NO_ANSWER) this.#lastFault = faultText(error);
        const fault = this.#final(error, what);
        if (fault !== null) throw fault;
        // A server that does not answer, or is no primary, may be a former one: look for the present one.
        if (!TRANSIENT.test(this.#lastFault)) this.reconnect();
      }
      if (NO_LOGIN.test(this.#lastFault)) throw this.#refused();
      await sleep(Math.max(0, Math.min(pause, deadline - performance.now())));
    }
  }

  /** Finds out who answers on this connection. @throws OtherServer, or an error if it is no primary */
  async #meet(ms: number): Promise<void> {
    if (this.#server === null) {
      const info = readInfo(await atMost(ms, this.#redis.call('INFO')));
      if (this.#redis.status !== 'ready') throw new Error('the connection was lost');
      this.#checkPlaintext(this.#redis.stream.remoteAddress ?? '');
      this.#server = info;
    }
    const { role, replicationId } = this.#server;
    if (role !== 'master') throw new Error(`it is a replica ("${role}"), and the journal needs the primary`);
    if (this.#expected !== '' && replicationId !== this.#expected) throw new OtherServer(this.address, replicationId);
  }

  /** Returns the error if a retry cannot help, or null. `what` is the command or the script. */
  #final(error: unknown, what: string): StoreError | null {
    const text = faultText(error);
    if (!isReply(error) || TRANSIENT.test(text) || NO_PRIMARY.test(text)) return null;
    if (NO_LOGIN.test(text)) return this.#refused();
    const options = { cause: error };
    if (/\bNOPERM\b|can't run this command/.test(text)) {
      const command = refusedCommand(text, what);
      return new StoreError(
        'refused',
        `redis at ${this.address} does not allow the user of the bot the command ${command} (${text}): docs/operations.md has the ACL line`,
        options,
      );
    }
    if (text.startsWith('OOM') || text.startsWith('MISCONF')) {
      return new StoreError(
        'full',
        `redis at ${this.address} refuses writes (${text}): give it memory and disk, then start again`,
        options,
      );
    }
    return new StoreError('poisoned', `redis at ${this.address} refused a command: ${text}`, options);
  }

  #checkPlaintext(host: string): void {
    if (!this.#refusesPlaintext || isLoopback(host)) return;
    const what = `the connection to redis at ${host} is not encrypted and leaves this machine`;
    throw new StoreError('unsafe', `${what}: use rediss:// or rediss-sentinel://, or set store.acceptPlaintext`);
  }

  #refused(): StoreError {
    return new StoreError('refused', `redis at ${this.address} refuses the login (${this.#lastFault}): check user and password`);
  }

  #unreachable(): StoreError {
    const what = `redis at ${this.address} did not answer within ${this.#timeoutMs} ms (${this.#lastFault})`;
    return new StoreError('unreachable', `${what}: check that it runs and that the address is right`);
  }
}

/** @throws StoreError unsafe */
export function addressOf(url: string): RedisAddress {
  const address = readRedisAddress(url);
  if (typeof address === 'string') throw new StoreError('unsafe', address);
  return address;
}

/** Where and as whom to connect. @throws StoreError unsafe if a file of the address cannot be read */
function targetOf(address: RedisAddress, timeoutMs: number): Target & { replyMapping: 'legacy' } {
  const { group, hosts, isTls } = address;
  const common: Target & { replyMapping: 'legacy' } = {
    replyMapping: 'legacy',
    username: address.user,
    password: address.password,
    db: address.database,
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    disconnectTimeout: GOODBYE_MS,
    disableClientInfo: true,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(BACKOFF_MIN_MS * 2 ** Math.min(times, 10), BACKOFF_MAX_MS),
  };
  const files = Object.entries(address.tls).filter(([, path]) => path !== '');
  const tls = isTls ? Object.fromEntries(files.map(([name, path]) => [name, pemOf(name, path)])) : undefined;
  if (group === '') return { ...common, ...hosts[0]!, ...(tls === undefined ? {} : { tls }) };
  return {
    ...common,
    sentinels: hosts.map((host) => ({ ...host })),
    name: group,
    sentinelUsername: address.sentinelUser,
    sentinelPassword: address.sentinelPassword,
    sentinelCommandTimeout: timeoutMs / 4,
    sentinelRetryStrategy: () => BACKOFF_MAX_MS,
    ...(tls === undefined ? {} : { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

function pemOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StoreError('unsafe', `the file of "${name}" in the address of Redis cannot be read: ${faultText(error)}`, { cause: error });
  }
}

/** The command that an ACL forbids. For one in a script the reply has only the number of its line. */
function refusedCommand(text: string, what: string): string {
  const line = /user_script:(\d+)/.exec(text)?.[1];
  if (line === undefined) return /'([^']+)' command/.exec(text)?.[1] ?? what;
  return (/redis\.call\('(\w+)'/.exec(what.split('\n')[Number(line) - 1] ?? '')?.[1] ?? 'of a script').toLowerCase();
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host);
}

/** Rejects after `ms`, so that a server which accepts the connection but never answers cannot block us. */
async function atMost<T>(ms: number, work: Promise<T>): Promise<T> {
  const stop = new AbortController();
  work.catch(() => undefined);
  const late = sleep(ms, undefined, { signal: stop.signal }).then(() => {
    throw LATE;
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
