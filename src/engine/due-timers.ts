/** Runs timers of the kernel that are due, each with the work that follows from it. @hot */
import { AGAIN_MS, type TimerQueue } from '../base/time/timer-queue.ts';
import type { PendingWork } from './state/records/pending-work.ts';

export class DueTimers {
  declare private readonly timerQueue: TimerQueue;
  declare private readonly pendingWork: PendingWork;
  declare private readonly drain: () => void;
  /** The timer that runs; −1 for none. */
  private running = -1;
  /** Timers whose time has come, but that have not run. */
  private readonly noted: number[] = [];

  /** `drain`: does the work that a timer has left. */
  constructor(timerQueue: TimerQueue, pendingWork: PendingWork, drain: () => void) {
    this.timerQueue = timerQueue;
    this.pendingWork = pendingWork;
    this.drain = drain;
  }

  /** True if a timer is due at `time`, or was noted and has not run. */
  isDue(time: number): boolean {
    return this.timerQueue.next <= time || this.noted.length > 0;
  }

  /** Timers that are due at the end of bars run after these, whatever handlers set until then. */
  note(now: number): void {
    const { timerQueue, noted } = this;
    for (let id = timerQueue.take(now); id >= 0; id = timerQueue.take(now)) noted.push(id);
  }

  /** Runs those that were noted, then all that are due. */
  run(now: number): void {
    const { timerQueue, pendingWork, noted } = this;
    while (noted.length > 0) {
      timerQueue.run(noted.shift()!, now);
      if (pendingWork.isSome) this.drain();
    }
    for (let id = timerQueue.take(now); id >= 0; id = timerQueue.take(now)) {
      this.running = id;
      timerQueue.run(id, now);
      this.running = -1;
      if (pendingWork.isSome) this.drain();
    }
  }

  /** A timer that a bug stopped runs again: without polls no exit would end. One of a strategy does not, because it may have traded. */
  again(now: number): void {
    const { timerQueue, running: id } = this;
    this.running = -1;
    if (id < 0 || timerQueue.isOnce(id) || timerQueue.at(id) < Infinity) return;
    timerQueue.set(id, now + AGAIN_MS);
  }
}
