/** BUY, SELL and what a file does not tell, in the order of their codes. */
export const SIDES_OF_TRADES = ['BUY', 'SELL', 'unknown'] as const;
