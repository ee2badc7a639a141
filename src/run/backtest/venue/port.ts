/** How a bot reaches the simulated venue of a backtest. */
import type { Inbox, PushInbox, Venue } from '../../../ports/venue.ts';

/** The simulator's port, or what stands before it. */
export interface BacktestPort extends Venue {
  readonly nextDue: number;
  /** Delivers what is due by now. */
  run(): void;
  connect(inbox: Inbox | PushInbox): void;
}
