/**
 * Who may write: a lease with a fence that grows with every holder. The lease keeps a second bot out at start; the fence,
 * checked inside every commit, keeps out one that slept through the end of its lease.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { StoreError } from '../../ports/store.ts';
import type { RedisCalls } from './client.ts';
import type { Keys } from './keys.ts';
import { ACQUIRE, RELEASE, RENEW, scriptKeys } from './scripts.ts';
import type { LeaseTime } from './time.ts';

export interface LeaseOptions {
  readonly leaseMs: number;
  /** How long to wait for a lease that another one holds. */
  readonly waitMs: number;
  readonly format: string;
  /** First link of the chain of a new journal. */
  readonly genesis: string;
  /** This run of the server. */
  readonly runId: string;
  /** For how long what another holder sent may be on its way. */
  readonly settleMs: number;
}

/** What the journal's head says at the moment of taking the lease. */
export interface Head {
  readonly format: string;
  readonly genesis: string;
  readonly position: number;
  readonly link: string;
}

const WAIT_STEP_MS = 100;

export class Lease {
  /** Nothing that an earlier holder sent is on its way any more: the one after us need not wait for it. */
  isSettled = false;
  readonly fence: string;
  readonly name: string;
  readonly ms: string;
  readonly #runId: string;
  readonly #settleMs: number;
  readonly #client: RedisCalls;
  readonly #time: LeaseTime;
  readonly #keys: string[];
  readonly #endRenewals: () => void;
  #usurper: string | null = null;
  /** Until when the lease surely is ours, by the monotonic clock: counted from before the renewal left. */
  #deadline: number;
  /** Since when nothing of another holder can be on its way. */
  #heldFrom = -Infinity;

  constructor(client: RedisCalls, time: LeaseTime, keys: Keys, fence: string, name: string, options: LeaseOptions, takenAt: number) {
    const { leaseMs, runId, settleMs } = options;
    this.#runId = runId;
    this.#settleMs = settleMs;
    this.#time = time;
    this.#deadline = takenAt + leaseMs;
    this.#client = client;
    this.#keys = scriptKeys(keys);
    this.fence = fence;
    this.name = name;
    this.ms = String(leaseMs);
    this.#endRenewals = time.every(leaseMs / 3, () => void this.#renewQuietly());
  }

  /** The fence that a renewal found in place of ours, else null. */
  get usurper(): string | null {
    return this.#usurper;
  }

  /** Ends renewals and gives the lease back; when the server is away it ends by itself. */
  async release(): Promise<void> {
    this.#endRenewals();
    try {
      await this.#client.script(RELEASE, this.#keys, [this.fence, this.name, this.isSettled ? this.#runId : '']);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  /** Whether nobody else can have got it: a process that slept finds out here, before it asks the server. */
  get isCurrent(): boolean {
    return this.#time.now() < this.#deadline - Number(this.ms) / 8;
  }

  /** Whether something may be sent by it now: nobody else can have it, and what another had sent before has arrived. */
  get maySend(): boolean {
    return this.isCurrent && this.#time.now() >= this.#heldFrom;
  }

  /** Makes it last longer, unless somebody took it: see `usurper`. @throws StoreError */
  async renew(): Promise<void> {
    const before = this.#time.now();
    const reply = await this.#client.script(RENEW, this.#keys, [this.fence, this.name, this.ms]);
    if (Array.isArray(reply) && reply[0] === 'lost') this.#usurper = String(reply[1]);
    else {
      // It had run out. A server that forgot its last writes may have had another holder meanwhile.
      if (before >= this.#deadline) this.#heldFrom = this.#time.now() + this.#settleMs;
      this.#deadline = before + Number(this.ms);
    }
  }

  async #renewQuietly(): Promise<void> {
    try {
      await this.renew();
    } catch {
      // The next commit meets the same trouble and reports it; a renewal has nobody to tell.
    }
  }
}

/** Takes the lease, waiting at most `waitMs` for another holder. @throws StoreError locked | corrupt | unreachable */
export async function takeLease(
  client: RedisCalls,
  time: LeaseTime,
  keys: Keys,
  options: LeaseOptions,
): Promise<{ lease: Lease; head: Head; isReturned: boolean }> {
  const name = `${hostname()}:${process.pid}:${randomUUID()}`;
  const until = time.now() + options.waitMs;
  for (;;) {
    const takenAt = time.now();
    const reply = await client.script(ACQUIRE, scriptKeys(keys), [
      name,
      String(options.leaseMs),
      options.format,
      options.genesis,
      options.runId,
    ]);
    const [verdict, first = '', ...rest] = textsOf(reply);
    if (verdict === 'ok') {
      const lease = new Lease(client, time, keys, first, name, options, takenAt);
      try {
        return { lease, head: headOf(rest.slice(1), client.address, keys), isReturned: rest[0] === 'returned' };
      } catch (error) {
        await lease.release();
        throw error;
      }
    }
    const left = until - time.now();
    if (left <= 0) {
      const [host, pid] = (first.split(' ')[1] ?? '').split(':');
      throw new StoreError(
        'locked',
        `the journal ${keys.journal} at redis ${client.address} is in use by process ${pid} on ${host}: stop that bot, or use another prefix; ` +
          `if it died, its lease ends in ${rest[0]} ms`,
      );
    }
    await time.sleep(Math.min(WAIT_STEP_MS, left));
  }
}

function headOf(fields: readonly (string | undefined)[], address: string, keys: Keys): Head {
  const [format, genesis, position, link] = fields;
  if (format === undefined || genesis === undefined || link === undefined || !/^\d{1,15}$/.test(position ?? '')) {
    throw new StoreError(
      'corrupt',
      `the head ${keys.head} at redis ${address} is missing or damaged: restore a sound copy, or use another prefix`,
    );
  }
  return { format, genesis, position: Number(position), link };
}

function textsOf(reply: unknown): (string | undefined)[] {
  return Array.isArray(reply) ? reply.map((item) => (typeof item === 'string' ? item : undefined)) : [];
}
