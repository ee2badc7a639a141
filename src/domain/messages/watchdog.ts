/** The messages of bot and watchdog about positions: what is the bot's, and what the watchdog sent to close it. Plain JSON. */

/** A leg with lots of the bot, as the bot last named it. */
export interface NamedLeg {
  readonly symbol: string;
  /** LONG or SHORT. */
  readonly side: number;
  /** Lots that own orders opened, and all lots of the leg. */
  readonly own: number;
  readonly total: number;
  /** Own orders that may still open more of it, with the lots that they may fill. */
  readonly opens: readonly { readonly clientId: string; readonly size: number }[];
}

/** A market order by which a watchdog closes a leg. It is noted before it leaves. */
export interface WatchdogClose {
  readonly clientId: string;
  readonly symbol: string;
  /** LONG or SHORT, and lots. */
  readonly side: number;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/**
 * What became of a close. `unsent`, `refused`, `absent`: nothing of it is at the venue. `accepted`: it landed. `ended`: a record shows its end,
 * and that it filled at least partly.
 */
export type CloseFate = 'unsent' | 'refused' | 'absent' | 'accepted' | 'ended';

/** What the record of a close that ended shows. */
export interface CloseFill {
  /** Null if the record does not say how much of the close filled. */
  readonly lots: number | null;
  /** Average price as a number (a statistic); 0 if the record shows none. */
  readonly price: number;
}

/** True if the close can change the position no more and never did. */
export function hasNotLanded(fate: CloseFate | undefined): boolean {
  return fate === 'unsent' || fate === 'refused' || fate === 'absent';
}

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

/** The line by which a bot names what is its own at the venue. */
export function legsLine(legs: readonly NamedLeg[]): string {
  return JSON.stringify({ legs });
}

/** The legs of a line; null if it says something else, or was cut off when its process ended. */
export function legsIn(line: string): readonly NamedLeg[] | null {
  try {
    const said = JSON.parse(line) as { readonly legs?: unknown } | null;
    return Array.isArray(said?.legs) ? (said.legs as readonly NamedLeg[]) : null;
  } catch {
    return null;
  }
}
