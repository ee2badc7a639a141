/**
 * The right to write: a lease with a fencing number that grows with every holder. The lease keeps out a second bot at start. The fencing
 * number is checked inside every commit and keeps out a bot that was suspended until its lease expired.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { StoreError } from '../../ports/store.ts';
import type { RedisCalls } from './redis-client.ts';
import type { Keys } from './keys.ts';
import { ACQUIRE, RELEASE, RENEW, scriptKeys } from './scripts.ts';
import type { LeaseTime } from './time.ts';

export interface LeaseOptions {
  readonly leaseMs: number;
  /** Time to wait for another holder's lease, in milliseconds. */
  readonly waitMs: number;
  readonly format: string;
  /** First link of a new journal. */
  readonly genesis: string;
  /** Id of the server's current run. */
  readonly runId: string;
  /** How long requests of an earlier holder may still be on their way, in milliseconds. */
  readonly settleMs: number;
}

/** The journal's head when the lease was taken. */
export interface Head {
  readonly format: string;
  readonly genesis: string;
  readonly position: number;
  readonly link: string;
  /** Name of the last commit; "" for a new journal. */
  readonly commit: string;
}

const WAIT_STEP_MS = 100;

export class Lease {
  /** True once no request of an earlier holder can still be on its way. The next holder then need not wait either. */
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
  #takenBy: string | null = null;
  /** Until this time of the monotonic clock the lease is certainly ours; counted from before the renewal was sent. */
  #deadline: number;
  /** From this time on, no request of another holder can still be on its way. */
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

  /** The fencing number that a renewal found in place of ours, else null. */
  get takenBy(): string | null {
    return this.#takenBy;
  }

  /** Stops the renewals and gives the lease back. If the server is down, the lease expires by itself. */
  async release(): Promise<void> {
    this.#endRenewals();
    try {
      await this.#client.script(RELEASE, this.#keys, [this.fence, this.name, this.isSettled ? this.#runId : '']);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  /** True if certainly nobody else holds the lease. A process that was suspended notices it here without asking the server. */
  get isCurrent(): boolean {
    return this.#time.now() < this.#deadline - Number(this.ms) / 8;
  }

  /** True if the holder may send now: nobody else holds the lease, and all requests of an earlier holder have arrived. */
  get maySend(): boolean {
    return this.isCurrent && this.#time.now() >= this.#heldFrom;
  }

  /** Extends the lease, unless someone else took it: see `usurper`. @throws StoreError */
  async renew(): Promise<void> {
    const before = this.#time.now();
    const reply = await this.#client.script(RENEW, this.#keys, [this.fence, this.name, this.ms]);
    if (Array.isArray(reply) && reply[0] === 'lost') this.#takenBy = String(reply[1]);
    else {
      // The lease had expired. A server that lost its last writes may have had another holder meanwhile.
      if (before >= this.#deadline) this.#heldFrom = this.#time.now() + this.#settleMs;
      this.#deadline = before + Number(this.ms);
    }
  }

  async #renewQuietly(): Promise<void> {
    try {
      await this.renew();
    } catch {
      // The next commit meets the same error and reports it.
    }
  }
}

/** Takes the lease. Waits at most `waitMs` for another holder. @throws StoreError locked | corrupt | unreachable */
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
          `if it crashed, its lease ends in ${rest[0]} ms`,
      );
    }
    await time.sleep(Math.min(WAIT_STEP_MS, left));
  }
}

function headOf(fields: readonly (string | undefined)[], address: string, keys: Keys): Head {
  const [format, genesis, position, link, commit = ''] = fields;
  if (format === undefined || genesis === undefined || link === undefined || !/^\d{1,15}$/.test(position ?? '')) {
    throw new StoreError(
      'corrupt',
      `the head ${keys.head} at redis ${address} is missing or damaged: restore an undamaged copy, or use another prefix`,
    );
  }
  return { format, genesis, position: Number(position), link, commit };
}

function textsOf(reply: unknown): (string | undefined)[] {
  return Array.isArray(reply) ? reply.map((item) => (typeof item === 'string' ? item : undefined)) : [];
}
