/** Rate limiting of reads. The throttles of orders and of polls are in the engine. */

/** Timers may fire early or late by this share, so gaps are made that much longer. */
const HEADROOM = 1.05;

/** Shortest gap in milliseconds between two queries of a bucket with `perSecond`; 0 for a bucket without a limit. */
export function queryGapMs(perSecond: number): number {
  return Math.ceil((1000 / Math.max(perSecond, 0.1)) * HEADROOM);
}

/** Why a request was not sent: too many are waiting, or the throttle has stopped. */
export type DropReason = 'queue-full' | 'stopped';

/** A request that was not sent. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError';
  readonly reason: DropReason;
  constructor(reason: DropReason) {
    super(`dropped: ${reason}`);
    this.reason = reason;
  }
}

/** A request waiting for its turn. Exactly one of `start` and `drop` is called, once. */
export interface PollRequest {
  /** Rate bucket of the endpoint. */
  readonly bucket: string;
  /** 0 goes first. */
  readonly priority: number;
  readonly start: () => void;
  readonly drop: (why: DropReason) => void;
}

/** Turns for a query that needs several requests: every request except the first waits for one. */
export interface PollTurns {
  /** Resolves when the request may be sent. @throws DroppedError */
  turn(bucket: string, priority: number): Promise<void>;
}
