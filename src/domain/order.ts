/**
 * The life of an order as the bot believes it: one table of states and what may follow. The tracker and the documentation
 * both read this table; a transition that is not in it is a bug.
 */

export const SUBMITTING = 0;
export const WORKING = 1;
export const MODIFYING = 2;
export const CANCELLING = 3;
/** Sent, and what became of it is not known. Counts as alive. */
export const UNKNOWN = 4;
export const FILLED = 5;
export const CANCELLED = 6;
/** The venue refused it. */
export const REJECTED = 7;
/** Ended because a modify put another order in its place. */
export const REPLACED = 8;
/** We refused it (risk), or it never left: nothing reached the venue. */
export const REFUSED = 9;

export const ORDER_STATES = [
  'submitting',
  'working',
  'modifying',
  'cancelling',
  'unknown',
  'filled',
  'cancelled',
  'rejected',
  'replaced',
  'refused',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What may follow each state, by number. Ended states absorb. */
export const TRANSITIONS: readonly (readonly number[])[] = [
  /* submitting */ [WORKING, FILLED, CANCELLED, REJECTED, REFUSED, UNKNOWN, CANCELLING],
  /* working    */ [MODIFYING, CANCELLING, FILLED, CANCELLED, REPLACED, UNKNOWN],
  /* modifying  */ [WORKING, CANCELLING, REPLACED, FILLED, CANCELLED, UNKNOWN],
  /* cancelling */ [WORKING, CANCELLED, FILLED, REPLACED, REJECTED, REFUSED, UNKNOWN],
  /* unknown    */ [WORKING, FILLED, CANCELLED, REJECTED, REPLACED, REFUSED, CANCELLING],
  [],
  [],
  [],
  [],
  [],
];

/** True for a state that ends an order. */
export function isEnded(state: number): boolean {
  return state >= FILLED;
}

/** True when `to` may follow `from`. */
export function mayFollow(from: number, to: number): boolean {
  return TRANSITIONS[from]?.includes(to) ?? false;
}
