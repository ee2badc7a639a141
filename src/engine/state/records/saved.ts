/** Orders and legs in a snapshot: plain JSON. */
import type { ClosedAhead } from './leg.ts';
import type { Absent } from './order.ts';

/** An order in a snapshot: live, or ended with fills that are not final. */
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
  /** Value of its inferred fills in ticks × lots; absent for none, and in journals of older versions. */
  readonly worth?: number | undefined;
  /**
   * Fees and realised profit of its fills in money, and the venue time of the record that showed them; absent before the first. As of the
   * snapshot, like the balance that contains them: later records are read again.
   */
  readonly booked?: { readonly fee: number; readonly profit: number; readonly at: number } | undefined;
  /** Of a trigger order: price in ticks and BY_LAST or BY_MARK. Absent for other orders, and in journals of older versions. */
  readonly trigger?: number | undefined;
  readonly triggerBy?: number | undefined;
  readonly force: number;
  readonly marginMode: number;
  readonly state: number;
  readonly venueId: string;
  /** Number of the order that this one replaces, 0 for none. */
  readonly replaces: number;
  /** Number of the order of unknown outcome that this one repeats; absent for none. */
  readonly repeats?: number | undefined;
  /** The client id of an order that this journal did not number; absent for orders known by their number. */
  readonly clientId?: string | undefined;
  readonly createdAt: number;
  /** When the last command about it left: reads that began earlier are not compared with it. */
  readonly sentAt: number;
  /** While its outcome is unknown: when a complete read first did not show it. */
  readonly absent?: Absent | undefined;
  /** When it ended; absent for a live order. */
  readonly endedAt?: number | undefined;
}
/** A leg as fills prove it. What is absent is 0: in the last three because there is none, or the journal is of an older version. */
export interface SavedLeg {
  readonly symbol: string;
  readonly side: number;
  /** Lots; below zero by what was closed before its opening was shown. */
  readonly total: number;
  /** Lots of the total that own orders opened; absent for a flat leg, and in journals of earlier versions. */
  readonly own?: number | undefined;
  /** Newest venue time known of the leg, 0 for none. */
  readonly provenAt: number;
  /** Lots of its last change whose cause was still being read. */
  readonly unexplained?: number | undefined;
  /** Venue time up to which reads agreed with the total. */
  readonly agreedUpTo?: number | undefined;
  /** Signed lots that were reported as another party's before any record showed them, and the venue time until which they traded. */
  readonly untraced?: readonly [lots: number, until: number] | undefined;
  /** What strategies were told as closed before the fill that had opened it, oldest first; a time that is not known is null. */
  readonly closedAhead?: readonly (Omit<ClosedAhead, 'at'> & { readonly at: number | null })[] | undefined;
}
