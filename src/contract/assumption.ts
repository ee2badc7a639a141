/** An entry in the register of assumptions, and the areas that group the entries. */

export const AREAS = ['transport', 'errors', 'requests', 'orders', 'trigger orders', 'records', 'instruments', 'account', 'spot'] as const;

export interface Assumption {
  /** A01, A02, …; a number is never reused. */
  readonly id: string;
  readonly area: (typeof AREAS)[number];
  /** What the interface does not specify. */
  readonly says: string;
  /** What this program assumes or does. */
  readonly we: string;
  /** The file or folder that depends on it. */
  readonly where: string;
  /** Configuration keys that change our behaviour. The switches of the paper exchange name their assumption themselves. */
  readonly keys?: readonly string[];
}
