/** Worker threads that run the jobs of a search. Each has a job in hand while it runs another, so none waits for the next. */
import { Worker } from 'node:worker_threads';
import { Failure } from '../../base/failure.ts';
import { ownModule } from '../../base/own-module.ts';
import type { Executor, ExecutorEvents } from './executor.ts';
import type { RunJob, RunResult } from './setup.ts';
import type { ThreadData } from './thread.ts';

/** Jobs that a thread has at a time: one that runs and one that waits. */
const IN_HAND = 2;

interface Thread {
  readonly worker: Worker;
  jobs: number;
}

/** Starts `count` threads. They are ready, or have failed, when the promise settles. @throws Failure of the strategy */
export async function startThreads(count: number, data: ThreadData, events: ExecutorEvents): Promise<Executor> {
  const threads: Thread[] = [];
  const waiting: RunJob[] = [];
  let isClosed = false;

  const feed = (): void => {
    for (const thread of threads) {
      while (thread.jobs < IN_HAND && thread.jobs <= Math.min(...threads.map(({ jobs }) => jobs))) {
        const job = waiting.shift();
        if (job === undefined) return;
        thread.jobs++;
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        thread.worker.postMessage(job);
      }
    }
  };
  const start = (): Promise<void> =>
    new Promise((ready, failed) => {
      const worker = new Worker(new URL(ownModule(new URL('./thread.ts', import.meta.url))), { workerData: data });
      const thread: Thread = { worker, jobs: 0 };
      worker.on('message', (result: RunResult | null) => {
        if (result === null) {
          threads.push(thread);
          return ready();
        }
        thread.jobs--;
        feed();
        events.done(result);
      });
      worker.on('error', (error) => {
        if (isClosed) return;
        failed(error);
        events.failed(error);
      });
      worker.on('exit', () => {
        if (isClosed) return;
        const error = new Failure('program-fault', { what: 'a worker thread of the search ended early', where: 'optimize' });
        failed(error);
        events.failed(error);
      });
    });
  await Promise.all(Array.from({ length: count }, start));
  return {
    capacity: count * IN_HAND,
    submit(job) {
      waiting.push(job);
      feed();
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
