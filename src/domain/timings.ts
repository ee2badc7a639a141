/** How late the venue may be, in ms: the defaults of the configuration and of the engine alike. */

/** No list of the venue is later than this. */
export const LIST_LAG_MS = 12_000;
/** An order that no read has shown for this long counts as not landed. Never less than the lag: a list that is late does not show it either. */
export const ORDER_HORIZON_MS = 60_000;
