/** The table of how the kinds of queries differ, beside what they ask. */
import type { Query } from './venue.ts';

export interface ReadKind {
  /** When the bucket is short, 0 goes first: order outcomes, then positions, then the market. */
  readonly priority: number;
  /** The request is signed, so its answer says whether the venue takes the key. */
  readonly isSigned: boolean;
  /** Rows of the answer have no venue time of their own, or none for what they leave out. A copy of an old answer is of no use. */
  readonly isUndated: boolean;
  /** The endpoint returns all symbols in one call. */
  readonly isAllAtOnce: boolean;
}

export const READ_KINDS: Readonly<Record<Query['kind'], ReadKind>> = {
  history: { priority: 1, isSigned: true, isUndated: true, isAllAtOnce: true },
  pending: { priority: 2, isSigned: true, isUndated: true, isAllAtOnce: true },
  positions: { priority: 3, isSigned: true, isUndated: true, isAllAtOnce: true },
  account: { priority: 4, isSigned: true, isUndated: true, isAllAtOnce: false },
  quotes: { priority: 4, isSigned: false, isUndated: false, isAllAtOnce: true },
  trades: { priority: 5, isSigned: false, isUndated: false, isAllAtOnce: false },
  withdrawals: { priority: 6, isSigned: true, isUndated: false, isAllAtOnce: true },
  'spot-symbols': { priority: 6, isSigned: false, isUndated: false, isAllAtOnce: true },
  stats: { priority: 7, isSigned: false, isUndated: false, isAllAtOnce: true },
};
