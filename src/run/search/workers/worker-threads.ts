/**
 * Worker threads that run the jobs of a search. Each thread holds the next job while it runs one, so it never waits. A thread whose
 * strategy does not return is ended and replaced, and its job has an error.
 */
import type { Worker } from 'node:worker_threads';
import { Failure } from '../../../base/failure/failure.ts';
import { receivedError, type SentError } from '../../../base/failure/sent-error.ts';
import { HANDLERS, PER_STRATEGY } from '../../../engine/strategy/definition/running.ts';
import { startThread } from '../../setup/threads.ts';
import type { Executor, ExecutorEvents } from './job-executor.ts';
import type { RunJob, RunResult } from './worker-setup.ts';
import type { ThreadData } from './thread.ts';

/** Jobs that a thread has at a time: one that runs and one that waits. */
const IN_HAND = 2;
const LOOK_MS = 500;
/** A handler may take this many times longer than live, as in a backtest. */
const PATIENCE = 5;

/** Room for new objects in each thread. With 4 MB a third of a trial by polls is garbage collection; with more than 12 it takes as long as with 12. */
const YOUNG_MB = 12;

/** Starts `count` threads. They are ready, or have failed, when the promise settles. @throws Failure of the strategy */
export async function startThreads(count: number, data: ThreadData, events: ExecutorEvents): Promise<Executor> {
  const threads = new Set<Thread>();
  const waiting: RunJob[] = [];
  const limitMs = data.setup.config.handlerLimitMs * PATIENCE;
  let isClosed = false;

  const feed = (): void => {
    while (waiting.length > 0) {
      const [idlest] = [...threads].sort((a, b) => a.jobs.length - b.jobs.length);
      if (idlest === undefined || idlest.jobs.length >= IN_HAND) return;
      idlest.give(waiting.shift()!);
    }
  };
  const start = (): Promise<void> =>
    new Promise((ready, failed) => {
      const fail = (error: Error): void => {
        if (isClosed || thread.isEnded) return;
        failed(error);
        events.failed(error);
      };
      const thread: Thread = new Thread(data, {
        ready() {
          threads.add(thread);
          feed();
          ready();
        },
        done(result) {
          feed();
          events.done(result);
        },
        failed: fail,
      });
    });
  const look = setInterval(() => {
    for (const thread of threads) {
      const stuck = thread.stuckIn(limitMs);
      if (stuck === null) continue;
      threads.delete(thread);
      const [hung, ...others] = thread.end();
      waiting.unshift(...others);
      const error = `${stuck} did not return within ${limitMs} ms`;
      if (hung !== undefined) events.done({ id: hung.id, outcome: { figures: {}, hash: '', error }, ms: limitMs });
      start().catch(() => undefined);
    }
  }, LOOK_MS);
  look.unref();
  await Promise.all(Array.from({ length: count }, start));
  return {
    capacity: count * IN_HAND,
    submit(job) {
      waiting.push(job);
      feed();
    },
    async close() {
      isClosed = true;
      clearInterval(look);
      await Promise.all([...threads].map((thread) => thread.close()));
    },
  };
}

interface ThreadEvents {
  ready(): void;
  done(result: RunResult): void;
  failed(error: Error): void;
}

class Thread {
  /** The jobs that the thread holds; the first one runs. */
  readonly jobs: RunJob[] = [];
  isEnded = false;
  readonly #worker: Worker;
  /** Cells of engine/strategy/definition/running.ts of the thread. */
  #cells: Int32Array = new Int32Array(2);
  #call = 0;
  #looks = 0;

  constructor(data: ThreadData, events: ThreadEvents) {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    this.#worker = startThread(new URL('./thread.ts', import.meta.url), { resourceLimits, workerData: data });
    this.#worker.on('message', (message: RunResult | SentError | Int32Array) => {
      if (this.isEnded) return;
      if (message instanceof Int32Array) {
        this.#cells = message;
        return events.ready();
      }
      // A rejected promise that the strategy left behind.
      if ('failure' in message) return events.failed(receivedError(message));
      this.jobs.shift();
      events.done(message);
    });
    this.#worker.on('error', (error) => events.failed(error as Error));
    this.#worker.on('exit', () => {
      events.failed(new Failure('program-fault', { what: 'a worker thread of the search ended early', where: 'optimize' }));
    });
  }

  give(job: RunJob): void {
    this.jobs.push(job);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    this.#worker.postMessage(job);
  }

  /** The handler that has run for longer than `limitMs` in one call, as seen by looks twice a second; else null. */
  stuckIn(limitMs: number): string | null {
    const [who = 0, call = 0] = this.#cells;
    const isSame = who !== 0 && call === this.#call;
    this.#call = call;
    this.#looks = isSame ? this.#looks + 1 : 0;
    return this.#looks * LOOK_MS > limitMs ? (HANDLERS[who % PER_STRATEGY] ?? 'the strategy') : null;
  }

  /** Ends the thread. Returns the jobs that it had. */
  end(): RunJob[] {
    this.isEnded = true;
    void this.#worker.terminate();
    return this.jobs.splice(0);
  }

  async close(): Promise<void> {
    this.isEnded = true;
    await this.#worker.terminate();
  }
}
