/** Time as a dependency: the core uses this clock and never the system's. */
export interface Clock {
  /** Milliseconds since the Unix epoch, never decreasing. */
  now(): number;
}
