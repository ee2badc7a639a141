/** The ways to divide the equity of a wallet among strategies: the methods by name, and the interface that the engine calls. */

/** Ways to share by name; a table of shares by strategy is another one. `off`: each strategy sees the whole equity. */
export const ALLOCATIONS = {
  off: 'each strategy sees the whole equity',
  equal: 'the same for each strategy',
  'inverse-volatility': 'in proportion to 1 / volatility of its profits',
  'risk-parity': 'so that each contributes the same to the risk',
} as const satisfies Readonly<Record<string, string>>;

export type AllocationName = keyof typeof ALLOCATIONS;

export interface AllocationTerms {
  /** Shares of the strategies, at most 1 together, from their returns so far: columns of equal length, the oldest first. */
  readonly sharesOf: (returns: readonly (readonly number[])[]) => readonly number[];
  /** The first time after `time` at which the equity is shared out again, in milliseconds. */
  readonly after: (time: number) => number;
  /** Length of a period of returns in milliseconds, and how many of the newest are kept. */
  readonly returnsMs: number;
  readonly window: number;
}
