/** How much of a leg is the bot's now, and may be closed. */
import type { NamedLeg } from '../../../domain/watchdog.ts';

export interface SeenLeg {
  /** Lots that own closes of the watchdog may have closed. */
  readonly closed: number;
  /** Lots that own opening orders are proven to have opened since the bot named the leg. */
  readonly opened: number;
  /** Lots of the leg in a list that contains both. */
  readonly shown: number;
}

/**
 * At most what the bot named, and what its orders opened since. What is missing beyond the own closes counts as the bot's: a stop-loss may
 * have closed it. What is there beyond the own opens is of others.
 */
export function ownLots({ own, total }: NamedLeg, { closed, opened, shown }: SeenLeg): number {
  const missing = Math.max(0, total + opened - closed - shown);
  return Math.max(0, Math.min(own + opened - closed - missing, shown));
}
