/** Bots of the package that need no code, and how an operator adds one to a bot that runs. */

/** Their names: each is `strategies/NAME.ts` of the package. */
export const READY_MADE = ['grid', 'dca', 'rebalance', 'signal', 'trend'] as const;
export type ReadyMade = (typeof READY_MADE)[number];

export function isReadyMade(word: string): word is ReadyMade {
  return (READY_MADE as readonly string[]).includes(word);
}

/** A ready-made bot that an operator added, as an entry of the configuration would say it. Plain JSON. */
export interface AddedStrategy {
  readonly bot: ReadyMade;
  readonly symbols: readonly string[];
  /** Only those that differ from the defaults. */
  readonly params: Readonly<Record<string, string>>;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** By name of the strategy. */
export type AddedByStrategy = Readonly<Record<string, AddedStrategy>>;
