/** `worker`: takes jobs of searches from Redis and runs them in its threads. Tapes and strategies are fetched once and kept on disk. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { openJobWorker } from '../../../edge/jobs/queue.ts';
import type { RedisClient } from '../../../edge/redis/redis-client.ts';
import { loadMarket } from '../../backtest/trials.ts';
import type { Executor } from '../workers/job-executor.ts';
import type { RunJob, RunResult } from '../workers/worker-setup.ts';
import { startThreads } from '../workers/worker-threads.ts';
import { clientOf, explained } from './remote-executor.ts';
import { programsOf, queueOf, searchKey, stayKnown, type RemoteJob, type RemoteSearch } from './protocol.ts';
import { fetchFiles } from './redis-files.ts';

export interface WorkerOptions {
  readonly url: string;
  /** See program.ts. */
  readonly program: string;
  /** Number of threads. */
  readonly workers: number;
  /** Folder for tapes and strategies. */
  readonly cache: string;
  readonly signal: AbortSignal;
  /** Gets a line about what the worker does. */
  readonly tell: (line: string) => void;
}

const LOOK_MS = 5_000;

/** Works until the signal. @throws Failure if Redis does not answer */
export async function work({ url, program, workers, cache, signal, tell }: WorkerOptions): Promise<void> {
  const redis = clientOf(url);
  try {
    await redis.command('PING');
  } catch (error) {
    redis.close();
    throw explained(error);
  }
  mkdirSync(cache, { recursive: true });
  const searches = new OpenSearches(redis, { workers, cache, tell });
  const jobs = await openJobWorker(url, queueOf(program), {
    concurrency: workers * 2,
    async run(data) {
      const { search, job } = JSON.parse(data) as RemoteJob;
      return JSON.stringify(await searches.run(search, job));
    },
  });
  const forget = await stayKnown(redis, 'worker', program, randomUUID());
  tell(`ready: ${program}, ${workers} ${workers === 1 ? 'thread' : 'threads'}`);
  const refused = new Set<string>();
  while (!signal.aborted) {
    for (const other of await programsOf(redis, 'search').catch(() => new Set<string>())) {
      if (other === program || refused.has(other)) continue;
      refused.add(other);
      tell(`refused: a search of ${other}; this worker is ${program}`);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  tell('stopping: jobs that run are finished first');
  await jobs.close();
  await searches.close();
  await forget();
  redis.close();
}

interface OpenSearch {
  readonly executor: Executor;
  readonly waiting: Map<number, { readonly id: number; done(result: RunResult): void; failed(error: Error): void }>;
}

/** The searches whose tape and strategy are loaded: one at a time, as long as its jobs come. */
class OpenSearches {
  readonly #redis: RedisClient;
  readonly #options: Pick<WorkerOptions, 'workers' | 'cache' | 'tell'>;
  #current: { readonly digest: string; readonly open: Promise<OpenSearch> } | null = null;
  #next = 0;

  constructor(redis: RedisClient, options: Pick<WorkerOptions, 'workers' | 'cache' | 'tell'>) {
    this.#redis = redis;
    this.#options = options;
  }

  async run(search: string, job: RunJob): Promise<RunResult> {
    const { executor, waiting } = await this.#use(search);
    // Ids of jobs are unique within a search only.
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      waiting.set(number, { id: job.id, done: resolve, failed: reject });
      executor.submit({ ...job, id: number });
    });
  }

  async close(): Promise<void> {
    const search = this.#current;
    this.#current = null;
    await search?.open.then(
      ({ executor }) => executor.close(),
      () => undefined,
    );
  }

  #use(digest: string): Promise<OpenSearch> {
    if (this.#current?.digest === digest) return this.#current.open;
    const before = this.#current;
    const open = (async (): Promise<OpenSearch> => {
      const old = await before?.open.catch(() => null);
      await idle(old ?? null);
      await old?.executor.close();
      return this.#load(digest);
    })();
    this.#current = { digest, open };
    open.catch(() => {
      if (this.#current?.open === open) this.#current = null;
    });
    return open;
  }

  async #load(digest: string): Promise<OpenSearch> {
    const { workers, cache, tell } = this.#options;
    const text = await this.#redis.command('GET', searchKey(digest));
    if (typeof text !== 'string') throw new Error(`the search ${digest.slice(0, 12)} is not on Redis any more`);
    const { tape, code, setup } = deserialize(Buffer.from(text, 'base64')) as RemoteSearch;
    const folder = await fetchFiles(this.#redis, tape, cache);
    const strategy = join(await fetchFiles(this.#redis, code, cache), setup.strategy.file);
    const market = loadMarket(folder, setup.config);
    tell(`search ${digest.slice(0, 12)}: tape ${tape.slice(0, 12)}, strategy ${code.slice(0, 12)}`);
    const waiting: OpenSearch['waiting'] = new Map();
    const executor = await startThreads(
      workers,
      { market, setup: { ...setup, strategy: { ...setup.strategy, file: strategy } } },
      {
        done(result) {
          const one = waiting.get(result.id);
          waiting.delete(result.id);
          one?.done({ ...result, id: one.id });
        },
        failed: (error) => {
          // A thread is lost: what it had is tried again, with fresh threads.
          if (this.#current?.digest === digest) this.#current = null;
          for (const one of waiting.values()) one.failed(error);
          waiting.clear();
        },
      },
    );
    return { executor, waiting };
  }
}

/** Waits until no job of the search runs. */
async function idle(search: OpenSearch | null): Promise<void> {
  if (search === null || search.waiting.size === 0) return;
  await sleep(20);
  return idle(search);
}
