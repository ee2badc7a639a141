/** The states of an order and the allowed transitions. The tracker and the documentation use this table; any other transition is a bug. */

export const SUBMITTING = 0;
export const WORKING = 1;
export const MODIFYING = 2;
export const CANCELLING = 3;
/** Sent, but the outcome is unknown. Counts as alive. */
export const UNKNOWN = 4;
export const FILLED = 5;
export const CANCELLED = 6;
/** The venue rejected it. */
export const REJECTED = 7;
/** Ended because a modify replaced it. */
export const REPLACED = 8;
/** We refused it (risk), or it was never sent: nothing reached the venue. */
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

/** Allowed next states, by state. End states have none. */
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

/** True if `to` may follow `from`. */
export function mayFollow(from: number, to: number): boolean {
  return TRANSITIONS[from]?.includes(to) ?? false;
}
