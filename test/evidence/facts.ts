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
}

/** A record of an own order, in pending orders (E18) or order history (E17), in an answer of time `answered`. */
export interface OrderRecord {
  readonly kind: 'order';
  readonly answered: number;
  readonly order: number;
  /** `replaced`: a modify ended this id, and the order goes on under another. */
  readonly status: 'new' | 'filled' | 'cancelled' | 'replaced';
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
}

/** A complete list of pending orders (E18) without this order. */
export interface NotPending {
  readonly kind: 'not-pending';
  readonly answered: number;
  readonly order: number;
}

/** A complete order history (E17) without this order. */
export interface NotEnded {
  readonly kind: 'not-ended';
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

/** A complete list of positions without the leg. */
export interface Flat {
  readonly kind: 'flat';
  readonly answered: number;
}

export type Fact = OrderRecord | NotPending | NotEnded | PositionRecord | Flat;

export interface LegFacts {
  readonly orders: readonly OwnOrder[];
  readonly facts: readonly Fact[];
  /** Lots of the leg at the time `begun`, before any of the orders. */
  readonly start: number;
  readonly begun: number;
  /** How late a list may be. */
  readonly lag: number;
  /** The venue's time of the question. */
  readonly now: number;
}
