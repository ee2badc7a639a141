/** The search for an order whose outcome is unknown: what the resolver has seen of it so far. */
import { waitsForTrigger } from '../../domain/command-traits.ts';
import type { Case } from '../polling/cases.ts';
import type { Order } from '../state/orders.ts';
import type { ResolvePolicy } from '../../domain/command-traits.ts';

export type Step = 'pending' | 'history' | 'positions';

/** The search for one order, by its number. */
export interface Search extends Case {
  readonly policy: ResolvePolicy;
  readonly since: number;
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
 * True if it may be a trigger order that waits for its price. No list shows one: only a probe that the venue refused after the horizon
 * excludes it.
 */
export function mayWait({ policy, refusedAt, since }: Search, { kind }: Order, horizonMs: number): boolean {
  return waitsForTrigger(kind) && policy.probes && refusedAt < since + horizonMs;
}
