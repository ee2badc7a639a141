/** Rate limiting of queries. Orders have their own synchronous lane in the engine. */
import type { Query } from './venue.ts';

/** Priority of each kind of query when a bucket is short, 0 first: order outcomes, then positions, then the market. */
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

/** Timers may fire early or late by this share, so gaps are made that much longer. */
const HEADROOM = 1.05;

/** Shortest gap in milliseconds between two queries of a bucket with `perSecond`; 0 for a bucket without a limit. */
export function questionGapMs(perSecond: number): number {
  return Math.ceil((1000 / Math.max(perSecond, 0.1)) * HEADROOM);
}

/** A query that was not sent: the queue was full, or the limiter has stopped. */
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
  /** Two waiting requests with the same key are merged: both get the answer of the first. "" is never merged. */
  readonly key: string;
  readonly run: () => Promise<T>;
}

export interface PollLimiter {
  /** Runs when the bucket allows. @throws DroppedError, or rejects as `run` does */
  schedule<T>(request: PollRequest<T>): Promise<T>;
  /**
   * Starts nothing of `bucket` before `until` (milliseconds since 1970). If reads of the bucket decide about an undecided exit, `exitUntil`
   * applies instead.
   */
  backOff(bucket: string, until: number, exitUntil?: number): void;
}
