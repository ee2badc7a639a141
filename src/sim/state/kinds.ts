/** Kinds of orders as numbers. */

/** Kind of an order. "plan" is the wire's word for a trigger order. */
export const FUTURES = 0;
export const TRIGGER = 1;
export const SPOT = 2;
export const ORDER_KINDS = ['futures', 'plan', 'spot'] as const;
