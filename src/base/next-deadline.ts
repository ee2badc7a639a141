/**
 * When the soonest of several parties wants to be run, for one who runs them all: each notes here what it schedules, and need not be
 * asked until that time has come. Then all are asked; where somebody has changed their mind, that was too early, and never too late. @hot
 */
export class NextDeadline {
  at = Infinity;

  /** Somebody wants to be run at this time. */
  note(at: number): void {
    if (at < this.at) this.at = at;
  }
}
