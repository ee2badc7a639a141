/** The monotonic clock and timers of lease and store; a simulation passes its own. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface LeaseTime {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Calls `work` repeatedly without keeping the process alive. Returns a function that ends this. */
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
