/** BUY, SELL and unknown, in the order of their codes. */
export const SIDES_OF_TRADES = ['BUY', 'SELL', 'unknown'] as const;
