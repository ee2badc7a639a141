/** The search for an order whose outcome is unknown: its query, what the resolver has seen of it so far, and its end if nothing is found. */
import { waitsForTrigger } from '../../../domain/orders/command-traits.ts';
import { CANCELLED, FILLED, REFUSED } from '../../../domain/orders/order.ts';
import type { Case } from '../../polling/cases.ts';
import type { Query } from '../../../ports/venue.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { ResolvePolicy } from '../../../domain/orders/command-traits.ts';

export type Step = 'pending' | 'history' | 'positions';

/** The search for one order, by its number. */
export interface Search extends Case {
  readonly policy: ResolvePolicy;
  readonly since: number;
  /** Complete looks after the horizon that did not show it. */
  absences: number;
  looks: number;
  probedAt: number;
  /** When the newest probe was sent whose answer was that there is no such order. */
  refusedAt: number;
  /** Time of the last complete look. */
  seenAt: number;
  isBlind: boolean;
  isQuarantined: boolean;
  /** The query that was sent last. */
  step: Step;
}

/**
 * True if it may be a trigger order that waits for its price. No list shows one: only a probe that the venue refused after `overAt`, the end
 * of the horizon, excludes it.
 */
export function mayWait({ policy, refusedAt }: Search, { kind }: Order, overAt: number): boolean {
  return waitsForTrigger(kind) && policy.probes && refusedAt < overAt;
}

/**
 * The history query (E17) for one order: by client id, or from its creation time on for a trigger order, whose ids may have changed. Of all
 * symbols while the venue does not know that of the order: no list of that symbol has a record then.
 */
export function historyOf({ context, createdAt, instrument: own, isTriggered, kind }: Order, clientId: string): Query {
  const instrument = context.isOffline ? -1 : own;
  if (!waitsForTrigger(kind) && !isTriggered) return { kind: 'history', instrument, clientId, since: 0 };
  return { kind: 'history', instrument, clientId: '', since: Math.max(0, createdAt - 60_000) };
}

/** End state of an order that no read has shown: cancelled by another party if it was accepted, else not landed. */
export function presumedEnd(order: Order): number {
  if (order.remaining === 0) return FILLED;
  return order.venueId === '' ? REFUSED : CANCELLED;
}
