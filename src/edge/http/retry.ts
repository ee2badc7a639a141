/** Retries of reads and downloads. The only importer of p-retry; writes are never retried. */
import pRetry from 'p-retry';
import type { Called } from '../../venue/called.ts';

export interface RetryPlan {
  /** Attempts after the first. */
  readonly retries: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** No attempt starts later than this after the first one. */
  readonly maxTotalMs: number;
}

export const READ_RETRIES: RetryPlan = { retries: 2, firstDelayMs: 250, longestDelayMs: 2_000, maxTotalMs: 8_000 };

/** Carries an outcome through p-retry, which only handles errors. */
class WorthRetrying extends Error {
  readonly called: Called<unknown>;
  constructor(called: Called<unknown>) {
    super('the read is worth a retry');
    this.called = called;
  }
}

/**
 * Calls `attempt` until it is accepted or a retry cannot help, and returns the last outcome. An error thrown by the attempt is thrown again
 * at once.
 */
export async function withRetries<T>(attempt: () => Promise<Called<T>>, plan: RetryPlan, signal?: AbortSignal): Promise<Called<T>> {
  const run = async (): Promise<Called<T>> => {
    const called = await attempt();
    if (isWorthRetrying(called)) throw new WorthRetrying(called);
    return called;
  };
  try {
    return await pRetry(run, {
      retries: plan.retries,
      factor: 2,
      minTimeout: plan.firstDelayMs,
      maxTimeout: plan.longestDelayMs,
      maxRetryTime: plan.maxTotalMs,
      randomize: true,
      shouldRetry: ({ error }) => error instanceof WorthRetrying,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (error instanceof WorthRetrying) return error.called as Called<T>;
    throw error;
  }
}

/** A retry helps after connection errors, overload and venue faults. It does not help after a refusal or an answer with an unknown code. */
function isWorthRetrying(called: Called<unknown>): boolean {
  if (called.status === 'unsent') return called.row === 'C2' && called.cause !== 'stopped' && called.cause !== 'aborted';
  if (called.status !== 'unknown') return false;
  return RETRIED.has(called.row) && called.cause !== 'stopped' && called.cause !== 'aborted';
}

const RETRIED: ReadonlySet<string> = new Set(['C3', 'C4', 'C5', 'C8', 'C9']);

/** Thrown by an attempt that may be made again. */
export class TryAgain extends Error {
  /** True if the attempt got further than the one before: it does not count. */
  readonly isFurther: boolean;

  constructor(message: string, { isFurther = false, cause }: { readonly isFurther?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.isFurther = isFurther;
  }
}

/** Repeats `attempt` while it throws TryAgain, at most as often as the plan says. @throws the last error, or the reason of `signal` */
export async function untilDone<T>(attempt: () => Promise<T>, plan: Omit<RetryPlan, 'maxTotalMs'>, signal: AbortSignal): Promise<T> {
  return pRetry(attempt, {
    retries: plan.retries,
    factor: 2,
    minTimeout: plan.firstDelayMs,
    maxTimeout: plan.longestDelayMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => error instanceof TryAgain,
    shouldConsumeRetry: ({ error }) => !(error instanceof TryAgain && error.isFurther),
  });
}
