/**
 * The clock of a process runs at most this share faster or slower than the venue's while it approaches a wall clock that was set: each
 * side has to allow for it.
 */
export const CLOCK_SLEW = 0.1;

/** Time as a dependency: the core uses this clock and never the system's. */
export interface Clock {
  /** Milliseconds since the Unix epoch, never decreasing. */
  now(): number;
}
