/**
 * Calls against the order in which `assembly.ts` makes the parts: a part that is made early raises one, and a part that is made later takes
 * it. The list is complete: every other call goes to a part that exists already.
 */
import type { LimitAction } from '../../domain/limits.ts';
import type { HaltScope } from './halts.ts';
import type { Leg } from './records/leg.ts';
import type { Order } from './records/order.ts';

export interface InternalEvents {
  /** Command `seq` got no outcome in time. */
  noOutcome(seq: number): void;
  /** The outcome of command `seq`, which made no order: of margin or margin mode. */
  marginOutcome(seq: number, how: 'accepted' | 'refused' | 'unknown'): void;
  /** The cancel of `order`, a command of `kind`, has no outcome; the order must still be cancelled. */
  cancelLost(order: Order, kind: number, cause: string): void;
  /** The cancel of `order` is wanted once more. True if it had no outcome several times: it is repeated at its pace, and not now. */
  cancelWanted(order: Order): boolean;
  /** The cancel of a trigger order did not find it: it may have triggered. */
  triggerGone(order: Order): void;
  /** The venue does not know the unknown `order`: the answer to its probe. */
  probeRefused(order: Order): void;
  /** A limit was exceeded that does more than halt opens. */
  limitExceeded(action: LimitAction, scope: HaltScope, code: string): void;
  /**
   * Orders of others changed the leg by exactly `lots`. False if reads of the leg do not agree with that. With `mustFit` the fees of own
   * orders have to agree as well.
   */
  changeProven(leg: Leg, lots: number, mustFit: boolean): boolean;
  /** History was read for a suspected change. With `isRecorded` it explains the change; else only the reads count. */
  historyRead(leg: Leg, isRecorded: boolean): void;
  /** No record of the ended `order` came within the horizon; its fills are known by positions. */
  recordMissing(order: Order): void;
  /** History that was read from `sentAt` on, with a record of venue time `freshAt`, shows no trade of another party on the leg. */
  historyClean(leg: Leg, sentAt: number, freshAt: number): void;
  /** The pending orders, or the 24-hour figures, of an instrument are needed soon. */
  readSoon(kind: 'pending' | 'stats', instrument: number): void;
}
