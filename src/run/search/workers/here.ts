/** Runs the jobs of a search in this thread, one after the other: for a process that must not start threads. */
import { openRunner } from './runner.ts';
import type { startThreads } from './worker-threads.ts';

export const here: typeof startThreads = async (_count, { market, setup }, events) => {
  const run = await openRunner(market, setup);
  return {
    capacity: 1,
    submit: (job) => void setImmediate(() => events.done(run(job))),
    close: async () => undefined,
  };
};
