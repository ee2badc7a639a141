/** Asking again: for reads alone, with every setting said aloud. The only importer of p-retry; a write never comes here. */
import pRetry from 'p-retry';
import type { Called } from './outcome.ts';

export interface RetryPlan {
  /** Attempts after the first. */
  readonly retries: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** No attempt begins later than this after the first. */
  readonly maxTotalMs: number;
}

export const READ_RETRIES: RetryPlan = { retries: 2, firstDelayMs: 250, longestDelayMs: 2_000, maxTotalMs: 8_000 };

/** Carries an outcome through p-retry, which knows errors only. */
class WorthRetrying extends Error {
  readonly called: Called<unknown>;
  constructor(called: Called<unknown>) {
    super('worth asking again');
    this.called = called;
  }
}

/**
 * Calls `attempt` until it is accepted or asking again cannot help, and gives the last outcome. Whatever the attempt throws is
 * thrown on at once.
 */
export async function askAgain<T>(attempt: () => Promise<Called<T>>, plan: RetryPlan, signal?: AbortSignal): Promise<Called<T>> {
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

/** A refusal stays one, and a reply that cannot be understood will look the same; a broken line or a tired venue will not. */
function isWorthRetrying(called: Called<unknown>): boolean {
  if (called.status === 'unsent') return called.row === 'C2' && called.cause !== 'stopped' && called.cause !== 'aborted';
  if (called.status !== 'unknown') return false;
  return RETRIED.has(called.row) && called.cause !== 'stopped' && called.cause !== 'aborted';
}

const RETRIED: ReadonlySet<string> = new Set(['C3', 'C4', 'C5', 'C8', 'C9']);
