/** What bot and watchdog say to each other about positions: what is the bot's, and what the watchdog sent to close it. Plain JSON. */

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

/** True if the close can change the position no more and never did. */
export function hasNotLanded(fate: CloseFate | undefined): boolean {
  return fate === 'unsent' || fate === 'refused' || fate === 'absent';
}
