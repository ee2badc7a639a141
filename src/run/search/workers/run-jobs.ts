/** Runs a list of jobs, by default in worker threads. */
import type { Outcome } from '../../../search/trial.ts';
import type { Executor, ExecutorEvents } from './job-executor.ts';
import type { RunJob } from './worker-setup.ts';
import type { ThreadData } from './thread.ts';
import { startThreads } from './worker-threads.ts';

export interface JobWatch {
  /** Ends the work early; the outcomes so far are returned. */
  readonly signal?: AbortSignal;
  /** Called with the number of jobs that are done. */
  readonly done?: ((count: number) => void) | undefined;
  /** Starts what runs the jobs; default: threads of these jobs alone. */
  readonly threads?: typeof startThreads | undefined;
}

/** The outcomes by id of the job. @throws Failure of the strategy */
export function runJobs(jobs: readonly RunJob[], workers: number, data: ThreadData, watch: JobWatch = {}): Promise<Map<number, Outcome>> {
  return new Promise((resolve, reject) => {
    const outcomes = new Map<number, Outcome>();
    const waiting = jobs.toReversed();
    let executor: Executor | null = null;
    const end = (): void => void executor?.close().then(() => resolve(outcomes));
    const events: ExecutorEvents = {
      done({ id, outcome }) {
        outcomes.set(id, outcome);
        watch.done?.(outcomes.size);
        if (outcomes.size === jobs.length || watch.signal?.aborted === true) return end();
        const job = waiting.pop();
        if (job !== undefined) executor?.submit(job);
      },
      failed: reject,
    };
    const { threads = startThreads } = watch;
    threads(workers, data, events).then((started) => {
      executor = started;
      if (jobs.length === 0) return end();
      for (let k = 0; k < started.capacity; k++) {
        const job = waiting.pop();
        if (job !== undefined) started.submit(job);
      }
    }, reject);
  });
}
