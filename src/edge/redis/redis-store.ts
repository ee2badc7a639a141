/**
 * The Redis store: the journal is a stream, values are a hash. Every commit is one script that checks fencing number and position before it
 * writes. Commits requested during a commit are combined into the next one.
 * size: one class, one method per step of a commit
 */
import { hash, randomUUID } from 'node:crypto';
import { assert } from '../../base/failure/assert.ts';
import {
  checkEntry,
  dataText,
  QUEUED_MAX,
  StoreError,
  type JournalRecord,
  type Store,
  type StoredRecord,
  type StoreImage,
} from '../../ports/store.ts';
import { OtherServer, RedisClient, type JournalCalls } from './redis-client.ts';
import { Confirmation } from './confirmation.ts';
import { READ_ROWS, recordOf, VERIFIED_AT_OPEN, type Row } from '../journal-rows.ts';
import { entryOf, linkOf, checkedValue, summedValue, type Queued } from './entry.ts';
import { checkFormat, FORMAT, wholeImage } from './image.ts';
import { keysOf, type Keys } from './keys.ts';
import { takeLease, type Head, type Lease } from './lease.ts';
import { readInfo } from './redis-info.ts';
import { checkSafety, readFacts } from './safety.ts';
import { COMMIT, RENEW, scriptKeys } from './scripts.ts';
import { REAL_TIME, type LeaseTime } from './time.ts';

export interface RedisOptions {
  /** As in base/redis-address.ts. */
  readonly url: string;
  /** Distinguishes the bots on one server. */
  readonly prefix: string;
  /** Longest time one call may take. Default: 2000 ms. */
  readonly timeoutMs?: number;
  /** Time that the lease lasts after its last renewal. Default: 15000 ms. */
  readonly leaseMs?: number;
  /** Time to wait at open for another holder's lease to end. Default: 0 ms. */
  readonly waitMs?: number;
  /** Time that a commit waits for a server that stopped answering while the store was open. Default: 0 ms. */
  readonly outageMs?: number;
  /** Hash of the traded account; only one bot may hold it, whatever its prefix. Default: none. */
  readonly account?: string;
  /** Time to wait at open for requests of an earlier holder that did not give its lease back. Default: 0 ms. */
  readonly settleMs?: number;
  /** Accepts a server that may lose confirmed writes. Default: false. */
  readonly acceptDataLoss?: boolean;
  /** Does not wait until a replica has each commit. Default: false. */
  readonly acceptReplicaLoss?: boolean;
  /** Accepts an unencrypted connection to another machine. Default: false. */
  readonly acceptPlaintext?: boolean;
}

/** Pause between two attempts to reach a server that does not answer, in milliseconds. */
const AGAIN_MS = 250;
/** Interval at which the settings of the server are read again. */
const SETTINGS_EVERY_MS = 10_000;

/** Opens or creates the journal under `prefix`. @throws StoreError locked | corrupt | unsafe | refused | unreachable */
export async function openRedisStore(options: RedisOptions): Promise<Store> {
  const { url, timeoutMs = 2000, acceptPlaintext = false } = options;
  const client = new RedisClient({ url, timeoutMs, refusesPlaintext: !acceptPlaintext });
  return openRedisStoreOn(client, REAL_TIME, options);
}

/** Same, with a given `client`, which the store closes, and clock. @throws StoreError as `openRedisStore` */
export async function openRedisStoreOn(client: JournalCalls, time: LeaseTime, options: RedisOptions): Promise<Store> {
  const timeoutMs = options.timeoutMs ?? 2000;
  const keys = keysOf(options.prefix);
  let lease: Lease | null = null;
  let accountLease: Lease | null = null;
  try {
    const facts = await readFacts(client);
    client.expect(facts.replicationId);
    const { acceptDataLoss = false, acceptReplicaLoss = false, outageMs = 0, settleMs = 0, account } = options;
    checkSafety(facts, client.address, acceptDataLoss);
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
    const confirmation = new Confirmation(client, { waitMs: timeoutMs / 2, acceptDataLoss, acceptReplicaLoss }, facts);
    const { replicationId } = facts;
    const store = new RedisStore({
      replicationId,
      client,
      time,
      keys,
      leases: [taken.lease, accountLease],
      head: taken.head,
      confirmation,
      outageMs,
    });
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

interface StoreParts {
  readonly replicationId: string;
  readonly client: JournalCalls;
  readonly time: LeaseTime;
  readonly keys: Keys;
  readonly leases: readonly [Lease, Lease | null];
  readonly head: Head;
  readonly confirmation: Confirmation;
  /** Time to wait for a server that does not answer, in milliseconds. */
  readonly outageMs: number;
}

class RedisStore implements Store {
  readonly #client: JournalCalls;
  readonly #time: LeaseTime;
  readonly #keys: Keys;
  readonly #lease: Lease;
  /** Lease of the traded account, independent of the prefix. */
  readonly #account: Lease | null;
  readonly #outageMs: number;
  /** Time when the server stopped answering, by the monotonic clock; 0 while it answers. */
  #awaySince = 0;
  readonly #genesis: string;
  readonly #confirmation: Confirmation;
  /** Time when the settings of the server are read again. */
  #settingsAt: number;
  /** Replication id of the server that has everything that was committed. */
  #replicationId: string;
  /** The one of a server that took over and was not checked yet; null for none. */
  #moved: string | null = null;
  #era = 0;
  #records: Queued[] = [];
  #values = new Map<string, string>();
  /** Positions of the last record handed to a commit, and of the last durable one. */
  #taken: number;
  #committed: number;
  #link: string;
  /** Name of the last commit. */
  #commit: string;
  #commits = 0;
  #running: Promise<void> | null = null;
  #waiting: Promise<void> | null = null;
  #unusable: StoreError | null = null;
  #open = true;

  constructor({ replicationId, client, time, keys, leases, head, confirmation, outageMs }: StoreParts) {
    checkFormat(head.format, keys);
    this.#replicationId = replicationId;
    this.#client = client;
    this.#time = time;
    this.#keys = keys;
    [this.#lease, this.#account] = leases;
    this.#outageMs = outageMs;
    this.#genesis = head.genesis;
    this.#committed = head.position;
    this.#taken = head.position;
    this.#link = head.link;
    this.#commit = head.commit;
    this.#confirmation = confirmation;
    this.#settingsAt = time.now() + SETTINGS_EVERY_MS;
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

  async image(): Promise<StoreImage> {
    this.#check();
    return wholeImage(this.#client, this.#keys);
  }

  async *read(from: number): AsyncIterable<StoredRecord> {
    for await (const entry of this.#verified(Math.max(1, from))) yield recordOf(entry);
  }

  async last(): Promise<number> {
    this.#check();
    return this.#committed;
  }

  /** Finds a server that was emptied, lost only the journal, or was replaced, even if nothing is written. Reads its settings from time to time. */
  async check(): Promise<void> {
    this.#check();
    if (this.#running !== null) return;
    const { fence, name, ms } = this.#lease;
    const position = this.#committed;
    try {
      const reply = await this.#client.script(RENEW, scriptKeys(this.#keys), [fence, name, ms]);
      if (Array.isArray(reply) && reply[0] === 'lost') throw await this.#whatHappened(this.#lost(String(reply[1])));
      const last = await this.#client.command('XREVRANGE', this.#keys.journal, '+', '-', 'COUNT', 1);
      const found = Array.isArray(last) && last.length > 0 ? entryOf(last[0] as [string, string[]]).position : 0;
      if (found < position) {
        throw await this.#whatHappened(this.#corrupt(`its last record is ${found}, but ${position} was committed: the server lost writes`));
      }
      if (this.#time.now() < this.#settingsAt) return;
      this.#settingsAt = this.#time.now() + SETTINGS_EVERY_MS;
      const facts = await readFacts(this.#client);
      if (facts.replicationId !== this.#replicationId) this.#client.reconnect();
      this.#confirmation.seen(facts);
    } catch (error) {
      if (!isPassing(error)) throw this.#poison(error);
      // An empty commit waits for a server that cannot write now, and checks one that took over.
      if (this.#running === null) this.#start().catch(() => undefined);
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
    const head = [fence, name, ms, String(before), this.#link, link, String(records.length), commit, this.#commit];
    const reply = await this.#retryWhileAway(commit, () => this.#commitOnce([...head, ...args]));
    const [verdict, found, expected] = Array.isArray(reply) ? (reply as unknown[]) : [];
    if (verdict === 'lost') throw await this.#whatHappened(this.#lost(String(found)));
    if (verdict === 'values') throw await this.#whatHappened(this.#valuesLost(String(found), String(expected)));
    if (verdict !== 'ok') {
      throw await this.#whatHappened(this.#corrupt(`its last position is ${String(found)}, expected ${before}: the server lost writes`));
    }
    this.#link = link;
    this.#commit = commit;
    this.#committed = position;
  }

  get maySend(): boolean {
    return this.#moved === null && this.#lease.maySend && this.#account?.maySend !== false;
  }

  get era(): number {
    return this.#era;
  }

  get risk(): string {
    return this.#confirmation.risk;
  }

  get isAway(): boolean {
    return this.#awaySince > 0;
  }

  /** Commits only while the account's lease is ours; renews that lease first if it may have expired. */
  async #commitOnce(args: readonly string[]): Promise<unknown> {
    if (this.#account !== null && !this.#account.isCurrent) await this.#account.renew();
    const taken = this.#accountTaken();
    if (taken !== null) throw taken;
    const reply = await this.#client.script(COMMIT, scriptKeys(this.#keys), args);
    if (Array.isArray(reply) && reply[0] === 'ok') await this.#confirmation.wait(Number(reply[1]));
    return reply;
  }

  /**
   * Repeats `work` for a while if the server does not answer or has no room. A commit is safe to repeat, because the head keeps its name:
   * `commit`. A server that took over must first show that it lacks nothing.
   */
  async #retryWhileAway(commit: string, work: () => Promise<unknown>): Promise<unknown> {
    for (;;) {
      try {
        if (this.#moved !== null) await this.#follow(this.#moved, commit);
        const reply = await work();
        this.#awaySince = 0;
        return reply;
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (this.#awaySince === 0) this.#awaySince = this.#time.now();
        if (error instanceof OtherServer && error.replicationId !== this.#moved) {
          this.#moved = error.replicationId;
          this.#era++;
          continue;
        }
        if (!this.#open || this.#time.now() - this.#awaySince >= this.#outageMs) throw error;
        await this.#time.sleep(AGAIN_MS);
      }
    }
  }

  /**
   * Goes on at a server that took over, if it has everything up to the last commit, or also the one that is on its way. @throws StoreError
   * behind if it lacks something, locked if another bot writes there
   */
  async #follow(replicationId: string, commit: string): Promise<void> {
    this.#client.expect(replicationId);
    const facts = await readFacts(this.#client);
    await this.#lease.renew();
    await this.#account?.renew();
    if (this.#lease.takenBy !== null) throw this.#lost(this.#lease.takenBy);
    const taken = this.#accountTaken();
    if (taken !== null) throw taken;
    const head = await this.#client.command('HMGET', this.#keys.head, 'genesis', 'position', 'commit');
    const [genesis, position, last] = Array.isArray(head) ? (head as (string | null)[]) : [];
    const isWhole = genesis === this.#genesis && (last === commit || (last ?? '') === this.#commit);
    if (!isWhole) throw this.#behind(`its last record is ${position ?? 'missing'}, but ${this.#committed} was committed`);
    this.#confirmation.moved(facts);
    this.#replicationId = replicationId;
    this.#moved = null;
  }

  /** Yields the entries from `from` on. Each link is verified before its entry is yielded. */
  async *#verified(from: number): AsyncGenerator<Row> {
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

  async #range(from: number, count: number): Promise<Row[]> {
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
    if (!(Number(this.#account.takenBy) > Number(this.#account.fence))) return this.#leaseLost('the lease of the account');
    return new StoreError('locked', `another bot took over the account at redis ${this.#client.address}: stop one of the two`);
  }

  #lost(found: string): StoreError {
    if (!(Number(found) > Number(this.#lease.fence))) return this.#leaseLost('the lease of the journal');
    return new StoreError('locked', `another bot took over ${this.#keys.journal} at redis ${this.#client.address}: stop one of the two`);
  }

  #leaseLost(what: string): StoreError {
    return this.#moved === null ? this.#corrupt(`the server lost ${what}`) : this.#behind(`it lacks ${what}`);
  }

  /** The error of damage, or `behind` if the server became a replica for a moment and got the data of another one. */
  async #whatHappened(error: StoreError): Promise<StoreError> {
    if (error.code !== 'corrupt') return error;
    const { replicationId } = readInfo(await this.#client.command('INFO'));
    return replicationId === this.#replicationId ? error : this.#behind(error.message);
  }

  #behind(what: string): StoreError {
    return new StoreError(
      'behind',
      `${this.#keys.journal} at redis ${this.#client.address}, which took over, lacks records of this bot (${what}): a replica without them was ` +
        'promoted, or the server lost its data',
    );
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
