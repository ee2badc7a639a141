/** A sign of life of a bot, as one line of JSON. Each has everything, so that none depends on the one before. */

/** An opening order that no list of the venue shows: one that waits for its trigger price, or an order of a spot market. */
export interface UnlistedOpen {
  readonly seq: number;
  /** Kind of its command: PLACE_TRIGGER or PLACE_SPOT. */
  readonly kind: number;
  readonly symbol: string;
  readonly clientId: string;
  /** "" until the venue has assigned one. */
  readonly venueId: string;
}

export interface Beat {
  readonly bot: string;
  readonly pid: number;
  /** Epoch of the client ids that it issues; 0 while it starts. */
  readonly epoch: number;
  /** "starting" before it has a kernel, the phase of the kernel, and at the end of a stop that was asked for "ended". */
  readonly phase: string;
  /** Turns of the event loop that the kernel has completed. A bot whose number stands still does not advance. */
  readonly turns: number;
  /** True while a halt of the whole bot is in effect: it opens nothing. */
  readonly isHalted: boolean;
  readonly unlisted: readonly UnlistedOpen[];
}

/** The phase of the last beat of a bot that was stopped as asked. */
export const ENDED = 'ended';

/** Null for a line that is no beat. */
export function beatOf(line: string): Beat | null {
  try {
    const beat = JSON.parse(line) as Partial<Beat> | null;
    return typeof beat?.turns === 'number' && typeof beat.epoch === 'number' && Array.isArray(beat.unlisted) ? (beat as Beat) : null;
  } catch {
    return null;
  }
}
