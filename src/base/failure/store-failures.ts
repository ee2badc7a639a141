/**
 * Says what each error of a store means to a user, and so its exit code: one table for every store (embedded, Redis) and every phase (open,
 * run, stop, commands).
 */
import { FAILURES, type FailureCode } from './failures.ts';

export const STORE_FAILURES = {
  /** Another process has it. */
  locked: 'store-occupied',
  /** No room on its disk or in its memory. */
  full: 'store-full',
  /** It does not answer, is no primary, or its disk fails: it may be back at the next try. */
  unreachable: 'store-away',
  /** It refuses user, password or permission. */
  refused: 'store-refused',
  /** Its settings, version or format cannot hold a journal. */
  unsafe: 'store-unusable',
  /** Its content is not what was written. */
  corrupt: 'store-unusable',
  /** The server that took over lacks records that were committed. */
  behind: 'store-behind',
  /** It was restored to an earlier state. */
  'rolled-back': 'store-unusable',
  /** It failed before, or in a way that no other code describes. */
  poisoned: 'store-unusable',
} as const satisfies Readonly<Record<string, FailureCode>>;

export type StoreErrorCode = keyof typeof STORE_FAILURES;

/** True if a process manager should start the bot again. */
export function mayPass(code: StoreErrorCode): boolean {
  return FAILURES[STORE_FAILURES[code]].kind === 'occupied';
}
