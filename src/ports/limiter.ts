/** How fast questions may be asked. Orders do not pass here: their lane is synchronous and lives in the engine. */
import type { Query } from './venue.ts';

/** What is asked first when a bucket is short, 0 before 9: what became of orders, then what is held, then the market. */
export const QUESTION_PRIORITY: Readonly<Record<Query['kind'], number>> = {
  history: 1,
  pending: 2,
  positions: 3,
  withdrawals: 6,
  'spot-symbols': 6,
  account: 4,
  quotes: 4,
  trades: 5,
  stats: 7,
};

/** Timers fire up to this share early or late: the gap between two starts is made that much longer. */
const HEADROOM = 1.05;

/** Least milliseconds between two questions of a bucket that allows so many a second; 0 for a bucket without a limit. */
export function questionGapMs(perSecond: number): number {
  return Math.ceil((1000 / Math.max(perSecond, 0.1)) * HEADROOM);
}

/** A question that was not asked: the queue was full, or the limiter has stopped. Nothing left the machine. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError';
  readonly reason: 'queue-full' | 'stopped';
  constructor(reason: 'queue-full' | 'stopped') {
    super(`dropped: ${reason}`);
    this.reason = reason;
  }
}

export interface PollRequest<T> {
  /** Rate bucket of the contract. */
  readonly bucket: string;
  /** 0 goes first, 9 last. */
  readonly priority: number;
  /** Two waiting requests of one key are one: the second gets the first one's answer. "" is never merged. */
  readonly key: string;
  readonly run: () => Promise<T>;
}

export interface PollLimiter {
  /** Runs when the bucket allows. @throws DroppedError, or rejects as `run` does */
  schedule<T>(request: PollRequest<T>): Promise<T>;
  /**
   * Starts nothing of `bucket` before `until` (milliseconds since the epoch), or before `exitUntil` where the bucket decides about exits and
   * one is undecided.
   */
  backOff(bucket: string, until: number, exitUntil?: number): void;
}
