/**
 * The Redis store: the journal is a stream, values are a hash. Every commit is one script that checks fencing number and position before it
 * writes. Commits requested during a commit are combined into the next one.
 * size: one class, one method per step of a commit
 */
import { hash, randomUUID } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import { checkEntry, dataText, QUEUED_MAX, StoreError, type JournalRecord, type Store, type StoredRecord } from '../../ports/store.ts';
import { RedisClient, type RedisCalls } from './client.ts';
import { entryOf, linkOf, checkedValue, summedValue, type Entry, type Queued } from './entry.ts';
import { keysOf, type Keys } from './keys.ts';
import { takeLease, type Head, type Lease } from './lease.ts';
import { canConfirm, checkSafety, readFacts, type ServerFacts } from './safety.ts';
import { COMMIT, RENEW, scriptKeys } from './scripts.ts';
import { REAL_TIME, type LeaseTime } from './time.ts';

export interface RedisOptions {
  /** redis://[user:password@]host[:port][/database], or rediss:// for TLS. */
  readonly url: string;
  /** Distinguishes the bots on one server. */
  readonly prefix: string;
  /** Longest time one call may take. Default: 2000 ms. */
  readonly timeoutMs?: number;
  /** How long the lease lasts after its last renewal. Default: 15000 ms. */
  readonly leaseMs?: number;
  /** How long to wait at open for another holder's lease to end. Default: 0 ms. */
  readonly waitMs?: number;
  /** How long a commit waits for a server that stopped answering while the store was open. Default: 0 ms. */
  readonly outageMs?: number;
  /** Hash of the traded account; only one bot may hold it, whatever its prefix. Default: none. */
  readonly account?: string;
  /** How long to wait at open for requests of an earlier holder that did not give its lease back. Default: 0 ms. */
  readonly settleMs?: number;
  /** Accepts a server that may lose confirmed writes. Default: false. */
  readonly acceptDataLoss?: boolean;
  /** Accepts an unencrypted connection to another machine. Default: false. */
  readonly acceptPlaintext?: boolean;
}

/** Format 2: a value follows a hash of key and value, and the head has the number of values. */
const FORMAT = '2';
const READ_ROWS = 1000;
/** Pause between two attempts to reach a server that does not answer, in milliseconds. */
const AGAIN_MS = 250;
/** Number of record links that are verified at open. Older links are verified when they are read. */
const VERIFIED_AT_OPEN = 10_000;

/** Opens or creates the journal under `prefix`. @throws StoreError locked | corrupt | unsafe | unreachable */
export async function openRedisStore(options: RedisOptions): Promise<Store> {
  const client = new RedisClient({ url: options.url, timeoutMs: options.timeoutMs ?? 2000 });
  const store = await openRedisStoreOn(client, REAL_TIME, options);
  return store;
}

/** Same, with a given `client`, which the store closes, and clock. @throws StoreError as `openRedisStore` */
export async function openRedisStoreOn(client: RedisCalls, time: LeaseTime, options: RedisOptions): Promise<Store> {
  const timeoutMs = options.timeoutMs ?? 2000;
  const keys = keysOf(options.prefix);
  let lease: Lease | null = null;
  let accountLease: Lease | null = null;
  try {
    const facts = await readFacts(client);
    const { acceptDataLoss = false, acceptPlaintext = false, outageMs = 0, settleMs = 0, account } = options;
    const check = (found: ServerFacts): void => checkSafety(found, client.address, { url: options.url, acceptDataLoss, acceptPlaintext });
    check(facts);
    const genesis = hash('sha256', randomUUID(), 'base64url');
    const { leaseMs = 15_000, waitMs = 0 } = options;
    const wanted = { leaseMs, waitMs, settleMs, format: FORMAT, genesis, runId: facts.runId };
    const taken = await takeLease(client, time, keys, wanted);
    lease = taken.lease;
    let { isReturned } = taken;
    if (account !== undefined) {
      const ofAccount = await takeLease(client, time, keysOf(`tickwright:account:${account}`), wanted);
      accountLease = ofAccount.lease;
      isReturned &&= ofAccount.isReturned;
    }
    if (!isReturned) await time.sleep(settleMs);
    if (isReturned || settleMs > 0) for (const one of [lease, accountLease]) if (one !== null) one.isSettled = true;
    const confirmMs = canConfirm(facts) && facts.sync !== 'always' ? timeoutMs : 0;
    const outage = { ms: outageMs, isSafe: async () => check(await readFacts(client)) };
    const store = new RedisStore(client, time, keys, [taken.lease, accountLease], taken.head, confirmMs, outage);
    await store.verifyTail();
    await store.verifyValues();
    return store;
  } catch (error) {
    await accountLease?.release();
    await lease?.release();
    client.close();
    throw error;
  }
}

/** Settings for a server that stopped answering. */
interface Outage {
  /** How long to wait for it, in milliseconds. */
  readonly ms: number;
  /** Checks that a server that answers again is still safe for a journal. Rejects with StoreError if not. */
  readonly isSafe: () => Promise<void>;
}

class RedisStore implements Store {
  readonly #client: RedisCalls;
  readonly #time: LeaseTime;
  readonly #keys: Keys;
  readonly #lease: Lease;
  /** Lease of the traded account, independent of the prefix. */
  readonly #account: Lease | null;
  readonly #outage: Outage;
  /** When the server stopped answering, by the monotonic clock; 0 while it answers. */
  #awaySince = 0;
  readonly #genesis: string;
  /** Time-out for the server's confirmation that a commit is on its disk; 0 if none is needed. */
  readonly #confirmMs: number;
  #records: Queued[] = [];
  #values = new Map<string, string>();
  /** Positions of the last record handed to a commit, and of the last durable one. */
  #taken: number;
  #committed: number;
  #link: string;
  #commits = 0;
  #running: Promise<void> | null = null;
  #waiting: Promise<void> | null = null;
  #unusable: StoreError | null = null;
  #open = true;

  constructor(
    client: RedisCalls,
    time: LeaseTime,
    keys: Keys,
    leases: readonly [Lease, Lease | null],
    head: Head,
    confirmMs: number,
    outage: Outage,
  ) {
    this.#time = time;
    if (head.format !== FORMAT) {
      throw new StoreError(
        'unsafe',
        `${keys.journal} has format ${head.format}, expected format ${FORMAT}: open it with the version that wrote it`,
      );
    }
    this.#client = client;
    this.#keys = keys;
    [this.#lease, this.#account] = leases;
    this.#outage = outage;
    this.#genesis = head.genesis;
    this.#committed = head.position;
    this.#taken = head.position;
    this.#link = head.link;
    this.#confirmMs = confirmMs;
  }

  append(record: JournalRecord): number {
    this.#check();
    assert(this.#records.length < QUEUED_MAX, `at most ${QUEUED_MAX} records wait for a commit`);
    this.#records.push({ kind: record.kind, seq: record.seq, time: record.time, data: dataText(record) });
    return this.#taken + this.#records.length;
  }

  put(key: string, value: string): void {
    this.#check();
    assert(this.#values.size < QUEUED_MAX, `at most ${QUEUED_MAX} values wait for a commit`);
    checkEntry(key, value);
    this.#values.set(key, value);
  }

  commit(): Promise<void> | null {
    this.#check();
    if (this.#waiting !== null) return this.#waiting;
    if (this.#records.length === 0 && this.#values.size === 0) return this.#running;
    if (this.#running === null) return this.#start();
    const next = this.#running.then(() => {
      this.#waiting = null;
      return this.#start();
    });
    this.#waiting = next;
    return next;
  }

  async get(key: string): Promise<string | null> {
    this.#check();
    const reply = await this.#client.command('HGET', this.#keys.entries, key);
    if (typeof reply !== 'string') return null;
    const value = checkedValue(key, reply);
    if (value === null) throw this.#poison(this.#valueDamaged(key));
    return value;
  }

  async *read(from: number): AsyncIterable<StoredRecord> {
    for await (const entry of this.#verified(Math.max(1, from))) {
      const data = JSON.parse(entry.data) as Record<string, unknown>;
      yield { position: entry.position, kind: entry.kind, seq: entry.seq, time: entry.time, data };
    }
  }

  async last(): Promise<number> {
    this.#check();
    return this.#committed;
  }

  /** Finds a server that was emptied or lost only the journal, even if nothing is written. */
  async check(): Promise<void> {
    this.#check();
    if (this.#running !== null) return;
    const { fence, name, ms } = this.#lease;
    const position = this.#committed;
    try {
      const reply = await this.#client.script(RENEW, scriptKeys(this.#keys), [fence, name, ms]);
      if (Array.isArray(reply) && reply[0] === 'lost') throw this.#lost(String(reply[1]));
      const last = await this.#client.command('XREVRANGE', this.#keys.journal, '+', '-', 'COUNT', 1);
      const found = Array.isArray(last) && last.length > 0 ? entryOf(last[0] as [string, string[]]).position : 0;
      if (found < position) throw this.#corrupt(`its last record is ${found}, but ${position} was committed: the server lost writes`);
    } catch (error) {
      // The next commit handles a server that cannot write now, and waits for it.
      if (isPassing(error)) return;
      throw this.#poison(error);
    }
  }

  /** Waits for requested commits, gives the leases back and disconnects. Uncommitted data is lost. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await (this.#waiting ?? this.#running)?.catch(() => undefined);
    await this.#account?.release();
    await this.#lease.release();
    this.#client.close();
  }

  /** @throws StoreError corrupt if the last records do not match the head */
  async verifyTail(): Promise<void> {
    let link = this.#committed === 0 ? this.#genesis : '';
    for await (const entry of this.#verified(Math.max(1, this.#committed - VERIFIED_AT_OPEN + 1))) link = entry.link;
    if (link !== this.#link) throw this.#corrupt('its last record is not the one that was committed last');
    const beyond = await this.#client.command('XRANGE', this.#keys.journal, `${this.#committed + 1}-0`, '+', 'COUNT', 1);
    if (Array.isArray(beyond) && beyond.length > 0) throw this.#corrupt('it holds records that were never committed');
  }

  /** @throws StoreError corrupt if a value is damaged, or their number is not the committed one */
  async verifyValues(): Promise<void> {
    const expected = await this.#client.command('HGET', this.#keys.head, 'entries');
    const reply = await this.#client.command('HGETALL', this.#keys.entries);
    const pairs = Array.isArray(reply) ? (reply as string[]) : [];
    const found = pairs.length / 2;
    const count = typeof expected === 'string' ? Number(expected) : 0;
    if (found !== count) throw this.#valuesLost(found, count);
    for (let k = 0; k < pairs.length; k += 2) if (checkedValue(pairs[k]!, pairs[k + 1]!) === null) throw this.#valueDamaged(pairs[k]!);
  }

  #valuesLost(found: number | string, count: number | string): StoreError {
    return this.#corrupt(`it holds ${found} values, but ${count} were committed`);
  }

  #valueDamaged(key: string): StoreError {
    return this.#corrupt(`the value of ${JSON.stringify(key)} is damaged`);
  }

  #start(): Promise<void> {
    const running = this.#write().then(
      () => {
        this.#running = null;
      },
      (error: unknown) => {
        this.#running = null;
        throw this.#poison(error);
      },
    );
    this.#running = running;
    return running;
  }

  async #write(): Promise<void> {
    const { fence, name, ms } = this.#lease;
    const records = this.#records;
    const values = this.#values;
    const before = this.#taken;
    const args: string[] = [];
    let link = this.#link;
    let position = before;
    for (const record of records) {
      position++;
      link = linkOf(link, position, record);
      args.push(record.data, record.kind, String(record.seq), String(record.time), link);
    }
    for (const [key, value] of values) args.push(key, summedValue(key, value));
    this.#records = [];
    this.#values = new Map();
    this.#taken = position;
    const commit = `${name}.${++this.#commits}`;
    const head = [fence, name, ms, String(before), this.#link, link, String(records.length), commit];
    const reply = await this.#retryWhileAway(() => this.#commitOnce([...head, ...args]));
    const [verdict, found, expected] = Array.isArray(reply) ? (reply as unknown[]) : [];
    if (verdict === 'lost') throw this.#lost(String(found));
    if (verdict === 'values') throw this.#valuesLost(String(found), String(expected));
    if (verdict !== 'ok') throw this.#corrupt(`its last position is ${String(found)}, expected ${before}: the server lost writes`);
    if (this.#confirmMs > 0) await this.#confirm();
    this.#link = link;
    this.#committed = position;
  }

  get maySend(): boolean {
    return this.#lease.maySend && this.#account?.maySend !== false;
  }

  get isAway(): boolean {
    return this.#awaySince > 0;
  }

  /** Commits only while the account's lease is ours; renews that lease first if it may have expired. */
  async #commitOnce(args: readonly string[]): Promise<unknown> {
    if (this.#account !== null && !this.#account.isCurrent) await this.#account.renew();
    const taken = this.#accountTaken();
    if (taken !== null) throw taken;
    return this.#client.script(COMMIT, scriptKeys(this.#keys), args);
  }

  /**
   * Repeats `work` for a while if the server does not answer or has no room. A commit is safe to repeat, because the head keeps its name. A
   * server that returns without the last commit refuses the next one.
   */
  async #retryWhileAway(work: () => Promise<unknown>): Promise<unknown> {
    for (;;) {
      try {
        if (this.#awaySince > 0) await this.#outage.isSafe();
        const reply = await work();
        this.#awaySince = 0;
        return reply;
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (this.#awaySince === 0) this.#awaySince = this.#time.now();
        if (!this.#open || this.#time.now() - this.#awaySince >= this.#outage.ms) throw error;
        await this.#time.sleep(AGAIN_MS);
      }
    }
  }

  async #confirm(): Promise<void> {
    const reply = await this.#client.command('WAITAOF', 1, 0, this.#confirmMs);
    if (!Array.isArray(reply) || reply[0] !== 1) {
      throw new StoreError(
        'unreachable',
        `redis at ${this.#client.address} did not sync its disk within ${this.#confirmMs} ms: check its disk`,
      );
    }
  }

  /** Yields the entries from `from` on. Each link is verified before its entry is yielded. */
  async *#verified(from: number): AsyncGenerator<Entry> {
    this.#check();
    let link = from === 1 ? this.#genesis : ((await this.#range(from - 1, 1))[0]?.link ?? '');
    for (let next = from; next <= this.#committed;) {
      this.#check();
      const entries = await this.#range(next, Math.min(READ_ROWS, this.#committed - next + 1));
      if (entries.length === 0) throw this.#poison(this.#corrupt(`record ${next} is missing`));
      for (const entry of entries) {
        const expected = linkOf(link, next, entry);
        if (entry.position !== next || entry.link !== expected) {
          throw this.#poison(this.#corrupt(`record ${next} does not follow from the one before it`));
        }
        link = entry.link;
        next++;
        yield entry;
      }
    }
  }

  async #range(from: number, count: number): Promise<Entry[]> {
    const reply = await this.#client.command('XRANGE', this.#keys.journal, `${from}-0`, '+', 'COUNT', count);
    return (reply as [string, string[]][]).map(entryOf);
  }

  #check(): void {
    if (this.#unusable !== null) {
      throw new StoreError('poisoned', `${this.#keys.journal} is no longer used since this error: ${this.#unusable.message}`, {
        cause: this.#unusable,
      });
    }
    if (!this.#open) throw new StoreError('poisoned', `${this.#keys.journal} is closed`);
    if (this.#lease.takenBy !== null) throw this.#poison(this.#lost(this.#lease.takenBy));
    const taken = this.#accountTaken();
    if (taken !== null) throw this.#poison(taken);
  }

  /** Makes the store unusable: after a failed commit the content of the server is unknown. */
  #poison(error: unknown): StoreError {
    const fault = error instanceof StoreError ? error : new StoreError('poisoned', `${this.#keys.journal} failed`, { cause: error });
    this.#unusable = fault;
    this.#records = [];
    this.#values = new Map();
    return fault;
  }

  /** The error that a renewal of the account's lease found, or null while that lease is ours. */
  #accountTaken(): StoreError | null {
    if (this.#account === null || this.#account.takenBy === null) return null;
    if (!(Number(this.#account.takenBy) > Number(this.#account.fence))) return this.#corrupt('the server lost the lease of the account');
    return new StoreError('locked', `another bot took over the account at redis ${this.#client.address}: stop one of the two`);
  }

  #lost(found: string): StoreError {
    if (!(Number(found) > Number(this.#lease.fence))) return this.#corrupt('the server lost the lease of the journal');
    return new StoreError('locked', `another bot took over ${this.#keys.journal} at redis ${this.#client.address}: stop one of the two`);
  }

  #corrupt(what: string): StoreError {
    return new StoreError(
      'corrupt',
      `${this.#keys.journal} at redis ${this.#client.address} is damaged (${what}): restore an undamaged copy, or use another prefix`,
    );
  }
}

/** True for a fault that may pass while the bot waits: the server does not answer, or has no memory or disk left. */
function isPassing(error: unknown): boolean {
  return error instanceof StoreError && (error.code === 'unreachable' || error.code === 'full');
}
