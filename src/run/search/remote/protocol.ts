/** The protocol of a search and its workers: what they write to Redis, and under which names. */
import type { RedisCalls } from '../../../edge/redis/redis-client.ts';
import type { RunJob, SearchSetup } from '../workers/worker-setup.ts';

/** Longest duration of one call. */
export const CALL_MS = 10_000;
/** A worker or search that was not heard of for this time is gone. */
const ALIVE_SECONDS = 15;
const BEAT_MS = 4_000;

/** A search as its workers need it: its files by digest, and the setup with paths within them. */
export interface RemoteSearch {
  readonly tape: string;
  readonly code: string;
  readonly setup: SearchSetup;
}

/** One job in the queue. */
export interface RemoteJob {
  /** Digest of the search. */
  readonly search: string;
  readonly job: RunJob;
}

/** The queue of all searches of one program, so that a worker never gets a job of another. */
export function queueOf(program: string): string {
  return `search-${program}`;
}

/** Another prefix than that of the searches that run: see `programsOf`. */
export function searchKey(digest: string): string {
  return `tickwright:setup:${digest}`;
}

type Role = 'worker' | 'search';

/** Tells others that this process is there, until the function that it returns is called. */
export async function stayKnown(redis: RedisCalls, role: Role, program: string, id: string): Promise<() => Promise<void>> {
  const key = `tickwright:${role}:${program}:${id}`;
  const beat = (): Promise<unknown> => redis.command('SET', key, '1', 'EX', ALIVE_SECONDS).catch(() => undefined);
  await beat();
  const timer = setInterval(() => void beat(), BEAT_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await redis.command('DEL', key).catch(() => undefined);
  };
}

/** The programs of the workers or searches that are there now. */
export async function programsOf(redis: RedisCalls, role: Role): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = (await redis.command('SCAN', cursor, 'MATCH', `tickwright:${role}:*`, 'COUNT', 500)) as [string, string[]];
    for (const key of keys) {
      const program = key.split(':')[2];
      if (program !== undefined) found.add(program);
    }
    cursor = next;
  } while (cursor !== '0');
  return found;
}
