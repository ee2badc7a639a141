/**
 * What reads show of one leg (the position of one side of a symbol), and what that says of its orders. All times are milliseconds of the
 * venue's clock. A list may be late: an answer of time q shows the venue as it was at one moment from q − L to q.
 */

export const OPEN = 1;
export const CLOSE = -1;

/** An own order of the leg. */
export interface OwnOrder {
  readonly effect: typeof OPEN | typeof CLOSE;
  readonly size: number;
  /** The venue cannot have had the order before this time. */
  readonly from: number;
  /** The venue had the order at this time, if it accepted it; Infinity if that is not known. */
  readonly by: number;
  /** True if it is not known whether the venue accepted it: `by` is a time after which it does not any more. */
  readonly mayFail?: boolean;
  /** Modifies of it that may have landed, one after the other: each to a size, no earlier than `from`, while nothing had filled. */
  readonly later?: readonly { readonly size: number; readonly from: number }[];
}

/** A record of an own order, in pending orders (E18) or order history (E17), in an answer of time `answered`. */
export interface OrderRecord {
  readonly kind: 'order';
  readonly answered: number;
  readonly order: number;
  /** `replaced`: a modify ended this id, and the order goes on under another. */
  readonly status: 'new' | 'filled' | 'cancelled' | 'replaced';
  /** How many modifies made the order of this record. Absent: none. */
  readonly version?: number;
  /** Size in the record; absent: that of the order. */
  readonly size?: number;
  /** What fee and average price in the record say of the filled lots; absent: nothing. */
  readonly least?: number;
  readonly most?: number;
  /** True if the record has an average price: at least one lot filled. */
  readonly isTraded: boolean;
  /** −Infinity: not used. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** An earlier record of this update time had the same fee and average price, so nothing has filled since. Absent: there was none. */
  readonly since?: number;
}

/**
 * Complete lists of pending orders (E18) without this order. Lists that omit what is there are possible, so several in a row may count as
 * one fact: the first is of time `first`, the last of `answered`, and one of them at least is true.
 */
export interface NotPending {
  readonly kind: 'not-pending';
  readonly first: number;
  readonly answered: number;
  readonly order: number;
}

/** Complete order histories (E17) without this order, in a row as above. */
export interface NotEnded {
  readonly kind: 'not-ended';
  readonly first: number;
  readonly answered: number;
  readonly order: number;
}

/** The venue accepted a cancel of the order: a lot at least had not filled, and at the time `answered` the order had ended. */
export interface Cancelled {
  readonly kind: 'cancelled';
  readonly answered: number;
  readonly order: number;
}

/** The order had filled nothing at this time. */
export interface Untouched {
  readonly kind: 'untouched';
  readonly answered: number;
  readonly order: number;
}

/** A position record (E19, E20). */
export interface PositionRecord {
  readonly kind: 'position';
  readonly answered: number;
  readonly total: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Lots in closing orders, and lots that opening orders have left; −1 if not to be used. */
  readonly locked: number;
  readonly opening: number;
}

/** Complete lists of positions without the leg, in a row as above. */
export interface Flat {
  readonly kind: 'flat';
  readonly first: number;
  readonly answered: number;
}

export type Fact = OrderRecord | NotPending | NotEnded | Cancelled | Untouched | PositionRecord | Flat;

/** At every moment the first orders have filled no more than the second ones and `more` lots: the exits of brackets, and what they protect. */
export interface Within {
  readonly inner: readonly number[];
  readonly outer: readonly number[];
  readonly more: number;
}

/** Order `order` is what one of these trigger orders became, and it is not known which: the others filled what they have of their own. */
export interface Choice {
  readonly order: number;
  readonly triggers: readonly number[];
}

export interface LegFacts {
  readonly orders: readonly OwnOrder[];
  readonly facts: readonly Fact[];
  readonly within?: Within;
  readonly choices?: readonly Choice[];
  /** Lots of the leg at the time `begun`, before any of the orders. */
  readonly start: number;
  readonly begun: number;
  /** How late a list may be. */
  readonly lag: number;
  /** The venue's time of the question. */
  readonly now: number;
  /**
   * True if no read falls between two changes of one millisecond. The interface gives times in milliseconds, and says nothing of this: it is
   * an assumption.
   */
  readonly isWhole?: boolean;
}
