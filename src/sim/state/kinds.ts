/** The small closed sets of the simulator as numbers, for its columns. */

/** What an order number names. */
export const FUTURES = 0;
export const TRIGGER = 1;
export const SPOT = 2;
export const ORDER_KINDS = ['futures', 'plan', 'spot'] as const;
