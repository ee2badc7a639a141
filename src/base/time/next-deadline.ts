/**
 * The earliest deadline of several timer sources. Each source notes its next deadline here, so their runner need not ask them before that
 * time. It may be too early if a source has rescheduled, but never too late. @hot
 */
export class NextDeadline {
  at = Infinity;

  /** Notes a deadline. */
  note(at: number): void {
    if (at < this.at) this.at = at;
  }
}
