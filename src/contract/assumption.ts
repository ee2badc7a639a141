/** A line of the register of assumptions, and the areas it is ordered by. */

export const AREAS = ['transport', 'errors', 'requests', 'orders', 'plan orders', 'records', 'instruments', 'account', 'spot'] as const;

export interface Assumption {
  /** A01, A02, …; a number is never used again. */
  readonly id: string;
  readonly area: (typeof AREAS)[number];
  /** What is not known. */
  readonly says: string;
  /** What we do. */
  readonly we: string;
  /** The file or folder that leans on it. */
  readonly where: string;
  /** The keys of the configuration that change what we do; the switches of the paper exchange name their line themselves. */
  readonly keys?: readonly string[];
}
