/**
 * Who may write: a lease with a fence that grows with every holder. The lease keeps a second bot out at start; the fence,
 * checked inside every commit, keeps out one that slept through the end of its lease.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../ports/store.ts';
import type { RedisClient } from './client.ts';
import type { Keys } from './keys.ts';
import { ACQUIRE, RELEASE, RENEW, scriptKeys } from './scripts.ts';

export interface LeaseOptions {
  readonly leaseMs: number;
  /** How long to wait for a lease that another one holds. */
  readonly waitMs: number;
  readonly format: string;
  /** First link of the chain of a new journal. */
  readonly genesis: string;
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
  readonly fence: string;
  readonly name: string;
  readonly ms: string;
  readonly #client: RedisClient;
  readonly #keys: string[];
  readonly #timer: NodeJS.Timeout;
  #usurper: string | null = null;
  /** Until when the lease surely is ours, by the monotonic clock: counted from before the renewal left. */
  #deadline: number;

  constructor(client: RedisClient, keys: Keys, fence: string, name: string, leaseMs: number, takenAt: number) {
    this.#deadline = takenAt + leaseMs;
    this.#client = client;
    this.#keys = scriptKeys(keys);
    this.fence = fence;
    this.name = name;
    this.ms = String(leaseMs);
    this.#timer = setInterval(() => void this.#renewQuietly(), leaseMs / 3);
    this.#timer.unref();
  }

  /** The fence that a renewal found in place of ours, else null. */
  get usurper(): string | null {
    return this.#usurper;
  }

  /** Ends renewals and gives the lease back; when the server is away it ends by itself. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#client.script(RELEASE, this.#keys, [this.fence, this.name]);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  /** Whether nobody else can have got it: a process that slept finds out here, before it asks the server. */
  get isCurrent(): boolean {
    return performance.now() < this.#deadline - Number(this.ms) / 8;
  }

  /** Makes it last longer, unless somebody took it: see `usurper`. @throws StoreError */
  async renew(): Promise<void> {
    const before = performance.now();
    const reply = await this.#client.script(RENEW, this.#keys, [this.fence, this.name, this.ms]);
    if (Array.isArray(reply) && reply[0] === 'lost') this.#usurper = String(reply[1]);
    else this.#deadline = before + Number(this.ms);
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
  client: RedisClient,
  keys: Keys,
  options: LeaseOptions,
): Promise<{ lease: Lease; head: Head; hasWaited: boolean }> {
  const name = `${hostname()}:${process.pid}:${randomUUID()}`;
  const until = performance.now() + options.waitMs;
  let hasWaited = false;
  for (;;) {
    const takenAt = performance.now();
    const reply = await client.script(ACQUIRE, scriptKeys(keys), [name, String(options.leaseMs), options.format, options.genesis]);
    const [verdict, first = '', ...rest] = textsOf(reply);
    if (verdict === 'ok') {
      const lease = new Lease(client, keys, first, name, options.leaseMs, takenAt);
      try {
        return { lease, head: headOf(rest, client.address, keys), hasWaited };
      } catch (error) {
        await lease.release();
        throw error;
      }
    }
    const left = until - performance.now();
    if (left <= 0) {
      const [host, pid] = (first.split(' ')[1] ?? '').split(':');
      throw new StoreError(
        'locked',
        `the journal ${keys.journal} at redis ${client.address} is in use by process ${pid} on ${host}: stop that bot, or use another prefix; ` +
          `if it died, its lease ends in ${rest[0]} ms`,
      );
    }
    hasWaited = true;
    await sleep(Math.min(WAIT_STEP_MS, left));
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
