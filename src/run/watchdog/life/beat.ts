/** A sign of life of a bot, as one line of JSON. Each has everything, so that none depends on the one before. */

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
  /** Digest of the program and the settings that its watchdog should have. */
  readonly settings: string;
}

/** The phase of the last beat of a bot that was stopped as asked. */
export const ENDED = 'ended';

/** Null for a line that is no beat. */
export function beatOf(line: string): Beat | null {
  try {
    const beat = JSON.parse(line) as Partial<Beat> | null;
    return typeof beat?.turns === 'number' && typeof beat.epoch === 'number' ? (beat as Beat) : null;
  } catch {
    return null;
  }
}
