/** Time as an argument: the core asks this and never the system. */
export interface Clock {
  /** Milliseconds since the Unix epoch, never going backwards. */
  now(): number;
}
