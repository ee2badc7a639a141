/** The interface of an executor: from its plan and what it sees it computes the one order that should be at the venue now. Pure. */

/** What an executor sees. Prices in ticks, 0 before the first quote. */
export interface ExecutionInput {
  readonly now: number;
  readonly bid: number;
  readonly ask: number;
  /** Lots that no order has filled yet. */
  readonly left: number;
  /** Lots that have filled. */
  readonly filled: number;
  /** The order that is at the venue. */
  readonly child: { readonly part: number; readonly price: number } | null;
}

/** The order that should be at the venue. */
export interface Wanted {
  /** A different part than the child's means another order. */
  readonly part: number;
  /** In ticks; 0 for a market order. */
  readonly price: number;
  readonly lots: number;
}

export interface Step<Plan> {
  readonly plan: Plan;
  /** null: no order should be there. */
  readonly want: Wanted | null;
  /** When to look again even if nothing happens; Infinity for never. */
  readonly wakeAt: number;
}
