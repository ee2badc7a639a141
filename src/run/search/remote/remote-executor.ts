/** Has the jobs of a search run by workers that take them from Redis. */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { serialize } from 'node:v8';
import { Failure } from '../../../base/failure/failure.ts';
import { openJobs } from '../../../edge/jobs/queue.ts';
import { RedisClient } from '../../../edge/redis/redis-client.ts';
import { StoreError } from '../../../ports/store.ts';
import { MANIFEST_FILE } from '../../../tape/file/manifest.ts';
import { logName, logsIn } from '../../../tape/write/logs.ts';
import { readManifest } from '../../../tape/read.ts';
import { strategyFiles } from '../../setup/strategy/modules.ts';
import type { Executor, ExecutorEvents } from '../workers/job-executor.ts';
import type { RunResult, SearchSetup } from '../workers/worker-setup.ts';
import { CALL_MS, programsOf, queueOf, searchKey, stayKnown, type RemoteJob, type RemoteSearch } from './protocol.ts';

/** Jobs that are in the queue or under way at a time. */
const CAPACITY = 64;
const KEEP_SECONDS = 7 * 86_400;

export interface RemoteOptions {
  readonly url: string;
  /** See program.ts. */
  readonly program: string;
  /** Folder of the tape. */
  readonly tape: string;
  readonly setup: SearchSetup;
  /** Gets a line if there is no worker. */
  readonly tell: (line: string) => void;
}

/** How often to look whether there are workers. */
const LOOK_MS = 5_000;
/** How often to look whether jobs have ended whose event was lost. */
const ENDS_MS = 2_000;

/** Puts tape, strategy and setup on Redis and gives out jobs. @throws Failure if there are only workers of other versions */
export async function startRemote({ url, program, tape, setup, tell }: RemoteOptions, events: ExecutorEvents): Promise<Executor> {
  const redis = clientOf(url);
  let forget = async (): Promise<void> => undefined;
  const waiting = new Set<string>();
  const session = randomUUID();
  try {
    await refuseOthers(redis, program);
    forget = await stayKnown(redis, 'search', program, session);
    const search = await publish(redis, tape, setup);
    const jobs = await openJobs(url, queueOf(program), {
      done(id, text) {
        if (!waiting.delete(id)) return;
        events.done(JSON.parse(text) as RunResult);
      },
      failed(id, reason) {
        if (waiting.delete(id)) events.failed(new Failure('search-worker', { what: `a worker failed: ${reason}`, where: '--redis' }));
      },
    });
    let isTold = false;
    const look = setInterval(() => {
      if (waiting.size === 0) return;
      refuseOthers(redis, program).then(
        (workers) => {
          if (workers === 0 && !isTold) tell(`no worker is there: start one with tickwright worker --redis ${new URL(url).host}`);
          isTold = workers === 0;
        },
        (error: unknown) => error instanceof Failure && events.failed(error),
      );
    }, LOOK_MS);
    let isLooking = false;
    const ends = setInterval(() => {
      if (waiting.size === 0 || isLooking) return;
      isLooking = true;
      const looked = (): void => void (isLooking = false);
      // Redis may be away for a while: the next look is soon.
      jobs.look([...waiting]).then(looked, looked);
    }, ENDS_MS);
    return {
      capacity: CAPACITY,
      submit(job) {
        const id = `${session}-${job.id}`;
        waiting.add(id);
        const data: RemoteJob = { search, job };
        jobs.add(id, JSON.stringify(data)).catch((error: unknown) => events.failed(error as Error));
      },
      async close() {
        clearInterval(look);
        clearInterval(ends);
        await jobs.remove([...waiting]);
        await jobs.close();
        await forget();
        redis.close();
      },
    };
  } catch (error) {
    await forget();
    redis.close();
    throw explained(error);
  }
}

/** @throws Failure if the URL is none */
export function clientOf(url: string): RedisClient {
  try {
    return new RedisClient({ url, timeoutMs: CALL_MS });
  } catch (error) {
    throw explained(error);
  }
}

/** A Failure for what Redis answered. */
export function explained(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const hint = error.code === 'unreachable' ? 'start it, or correct the address' : undefined;
  return new Failure('search-redis', { what: error.message, where: '--redis', hint }, { cause: error });
}

/** Number of programs that have workers. @throws Failure if all of them are other ones */
async function refuseOthers(redis: RedisClient, program: string): Promise<number> {
  const programs = await programsOf(redis, 'worker');
  if (programs.size === 0 || programs.has(program)) return programs.size;
  throw new Failure('search-version', {
    what: `expected workers of ${program}, found ${[...programs].sort().join(', ')}`,
    where: '--redis',
    hint: 'run the same version of tickwright, on the same major version of Node.js, everywhere',
  });
}

/** Puts what workers need on Redis. Returns the digest of the search. */
async function publish(redis: RedisClient, folder: string, setup: SearchSetup): Promise<string> {
  const { putFiles } = await import('./redis-files.ts');
  const streams = readManifest(folder).streams.map(({ file }) => file);
  const known = new Set(readdirSync(folder));
  const tapeFiles = [MANIFEST_FILE, ...logsIn(folder).map(logName), ...streams.filter((file) => known.has(file))];
  const tape = await putFiles(redis, folder, tapeFiles.sort());
  const files = strategyFiles();
  const root = commonFolder([setup.strategy.file, ...files]);
  const code = await putFiles(redis, root, files.map((file) => relative(root, file)).sort());
  const search: RemoteSearch = {
    tape,
    code,
    setup: { ...setup, strategy: { ...setup.strategy, file: relative(root, setup.strategy.file) } },
  };
  // Not JSON, which has no Infinity.
  const text = serialize(search).toString('base64');
  const digest = createHash('sha256').update(text).digest('hex');
  await redis.command('SET', searchKey(digest), text, 'EX', KEEP_SECONDS);
  return digest;
}

/** The deepest folder that has all files. */
function commonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => dirname(file).split(sep));
  const length = first.findIndex((part, at) => others.some((parts) => parts[at] !== part));
  return first.slice(0, length < 0 ? first.length : length).join(sep) || sep;
}
