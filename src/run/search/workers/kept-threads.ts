/** Worker threads that one search leaves to the next: they load the program once, and their code stays compiled. */
import type { Executor, ExecutorEvents } from './job-executor.ts';
import type { ThreadData } from './thread.ts';
import { startThreads } from './worker-threads.ts';

/** For searches one after the other, each complete, over the same tape and strategy: only their times may differ. */
export class KeptThreads {
  #threads: Executor | null = null;
  /** Of the present search. */
  #events: ExecutorEvents | null = null;

  /** As `startThreads`, which the first search calls. Closing what it returns keeps the threads. */
  readonly start: typeof startThreads = async (count: number, data: ThreadData, events: ExecutorEvents): Promise<Executor> => {
    this.#events = events;
    this.#threads ??= await startThreads(count, data, {
      done: (result) => this.#events?.done(result),
      failed: (error) => this.#events?.failed(error),
    });
    const threads = this.#threads;
    return {
      capacity: threads.capacity,
      submit: (job) => threads.submit(job),
      close: async () => {
        this.#events = null;
      },
    };
  };

  async end(): Promise<void> {
    await this.#threads?.close();
  }
}
