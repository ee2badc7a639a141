/** How fast questions may be asked. Orders do not pass here: their lane is synchronous and lives in the engine. */

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
  /** Starts nothing of `bucket` before `until` (milliseconds since the epoch). */
  backOff(bucket: string, until: number): void;
}
