/** A queue of jobs on Redis, done by workers anywhere; the only importer of bullmq. A job whose worker died is given to another. */
import type * as BullMQ from 'bullmq';
import { Failure } from '../../base/failure/failure.ts';

const PREFIX = 'tickwright';
/** How often a job is tried that ends with an error. */
const ATTEMPTS = 3;
const BACKOFF_MS = 500;
/** A worker renews its claim on a job within this time; then others may take it. */
const LOCK_MS = 6_000;
const LOOK_FOR_STALLED_MS = 3_000;
/** How often a job may lose its worker before it counts as failed. */
const STALLED_MAX = 20;
/** Finished jobs are forgotten after this time; their outcomes are in the events by then. */
const KEEP_SECONDS = 3_600;

export interface JobEvents {
  /** May be called more than once for a job. */
  done(id: string, result: string): void;
  /** The last attempt ended with an error. */
  failed(id: string, reason: string): void;
}

export interface Jobs {
  add(id: string, data: string): Promise<void>;
  /** Looks whether these jobs have ended, and tells those that have: an event may be lost, the record of a job is not. */
  look(ids: readonly string[]): Promise<void>;
  /** Removes jobs that no worker has begun. */
  remove(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Puts jobs into the queue `name` and listens to their ends. Waits until Redis answers. */
export async function openJobs(url: string, name: string, events: JobEvents): Promise<Jobs> {
  const { Queue, QueueEvents } = await bullmq();
  const queue = new Queue<string, string>(name, { connection: connectionTo(url), prefix: PREFIX });
  const ends = new QueueEvents(name, { connection: connectionTo(url), prefix: PREFIX });
  // Errors of the connection: the client connects again by itself.
  queue.on('error', () => undefined);
  ends.on('error', () => undefined);
  ends.on('completed', ({ jobId, returnvalue }) => events.done(jobId, returnvalue));
  ends.on('failed', ({ jobId, failedReason }) => events.failed(jobId, failedReason));
  await Promise.all([queue.waitUntilReady(), ends.waitUntilReady()]);
  const kept = { removeOnComplete: { age: KEEP_SECONDS }, removeOnFail: { age: KEEP_SECONDS } };
  return {
    async add(id, data) {
      await queue.add('run', data, { jobId: id, attempts: ATTEMPTS, backoff: { type: 'fixed', delay: BACKOFF_MS }, ...kept });
    },
    async look(ids) {
      for (const id of ids) {
        const job = await queue.getJob(id);
        if (job?.finishedOn === undefined) continue;
        if (await job.isFailed()) events.failed(id, job.failedReason);
        else if (await job.isCompleted()) events.done(id, job.returnvalue);
      }
    },
    async remove(ids) {
      for (const id of ids) await queue.remove(id).catch(() => 0);
    },
    async close() {
      await Promise.all([queue.close(), ends.close()]);
    },
  };
}

export interface JobWorker {
  /** Takes no more jobs, waits for those that run, and disconnects. */
  close(): Promise<void>;
}

/** Takes up to `concurrency` jobs of the queue `name` at a time. `run` gives the result of the data of a job. */
export async function openJobWorker(
  url: string,
  name: string,
  { concurrency, run }: { readonly concurrency: number; readonly run: (data: string) => Promise<string> },
): Promise<JobWorker> {
  const { Worker } = await bullmq();
  const worker = new Worker<string, string>(name, ({ data }) => run(data), {
    connection: connectionTo(url),
    prefix: PREFIX,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: LOOK_FOR_STALLED_MS,
    maxStalledCount: STALLED_MAX,
  });
  worker.on('error', () => undefined);
  await worker.waitUntilReady();
  return { close: () => worker.close() };
}

/** The package is not installed with this one, because few need it. @throws Failure if it is not there */
async function bullmq(): Promise<typeof BullMQ> {
  try {
    return await import('bullmq');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Failure(
      'package-missing',
      { what: 'a search on Redis needs the package bullmq, which is not installed', where: '--redis' },
      { cause: error },
    );
  }
}

function connectionTo(url: string): BullMQ.ConnectionOptions {
  return { url, maxRetriesPerRequest: null };
}
