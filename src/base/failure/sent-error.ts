/** An error that goes from a thread to the one that started it, as data that can be copied. */
import { Failure, type Problem } from './failure.ts';
import type { FailureCode } from './failures.ts';

export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Code and problems of a `Failure`; null for another error. */
  readonly failure: { readonly code: FailureCode; readonly problems: readonly Problem[] } | null;
}

export function sentError(error: unknown): SentError {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, failure: error instanceof Failure ? { code: error.failure, problems: error.problems } : null };
}

/** The error again: a `Failure` if it was one. */
export function receivedError({ failure, message, name, stack }: SentError): Error {
  return failure === null ? Object.assign(new Error(message), { name, stack }) : new Failure(failure.code, failure.problems);
}
