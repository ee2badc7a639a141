/** The ports by which a bot reaches the simulated venue of a backtest. */
import type { OrderPort, ReadPort } from '../../../ports/venue.ts';
import type { Inbox } from '../../../ports/venue-event.ts';

/** The simulator's port, or what stands before it. */
export interface BacktestPort extends OrderPort, ReadPort {
  readonly nextDue: number;
  /** Delivers what is due by now. */
  run(): void;
  /** Sets the receivers: of outcomes and pushes, and of answers to queries. */
  connect(outcomes: Inbox, answers: Inbox): void;
}
