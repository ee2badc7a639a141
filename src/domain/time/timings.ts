/** Assumed delays of the venue in milliseconds: the defaults of configuration and engine. */

/** Longest lag of any list of the venue. */
export const LIST_LAG_MS = 12_000;
/**
 * An order that no read has shown for this long counts as not landed. At least the list lag, because a late list does not show it either.
 */
export const ORDER_HORIZON_MS = 60_000;
