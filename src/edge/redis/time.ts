/** Time as lease and store use it: by a clock that never jumps. A simulation gives its own. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface LeaseTime {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Calls `work` again and again, and does not keep the process alive for it. Gives what ends that. */
  every(ms: number, work: () => void): () => void;
}

export const REAL_TIME: LeaseTime = {
  now: () => performance.now(),
  sleep,
  every(ms, work) {
    const timer = setInterval(work, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
