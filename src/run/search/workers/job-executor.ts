/** Runs the jobs of a search: in threads of this process, or by workers on Redis. */
import type { RunJob, RunResult } from './worker-setup.ts';

export interface Executor {
  /** Number of jobs worth having submitted at a time. */
  readonly capacity: number;
  submit(job: RunJob): void;
  close(): Promise<void>;
}

export interface ExecutorEvents {
  done(result: RunResult): void;
  /** No job can be run any more. */
  failed(error: Error): void;
}
