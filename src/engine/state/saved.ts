/** Orders and legs as a snapshot keeps them: plain JSON. */

/** An order as a snapshot keeps it, alive or with fills that are not final: plain JSON. */
export interface SavedOrder {
  readonly seq: number;
  readonly strategy: string;
  readonly kind: number;
  readonly symbol: string;
  readonly side: number;
  readonly effect: number;
  readonly type: number;
  readonly price: number;
  readonly size: number;
  readonly filled: number;
  readonly postOnly: number;
  readonly marginMode: number;
  readonly state: number;
  readonly venueId: string;
  /** Number of the order this one replaces, 0 for none. */
  readonly replaces: number;
  /** The client id of an order that this journal did not number; others are known by their number. */
  readonly clientId?: string | undefined;
  readonly createdAt: number;
  /** When the last command about it left: no read that began before this is used against it. */
  readonly sentAt: number;
  /** When it ended, where it has. */
  readonly endedAt?: number | undefined;
}
/** A leg as fills prove it. */
export interface SavedLeg {
  readonly symbol: string;
  readonly side: number;
  readonly total: number;
  /** The venue's time of the newest that is known of it, 0 for none. */
  readonly provenAt: number;
}
