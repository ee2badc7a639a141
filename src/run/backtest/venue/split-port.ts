/** Gives orders and reads separate paths to the same simulator, so that neither waits for the other, as with separate connections. */
import type { Query } from '../../../ports/venue.ts';
import type { Inbox } from '../../../ports/venue-event.ts';
import type { Approved, Command } from '../../../domain/orders/command.ts';
import type { BacktestPort } from './backtest-port.ts';

export class SplitPort implements BacktestPort {
  readonly #orders: BacktestPort;
  readonly #reads: BacktestPort;

  constructor(orders: BacktestPort, reads: BacktestPort) {
    this.#orders = orders;
    this.#reads = reads;
  }

  get nextDue(): number {
    return Math.min(this.#orders.nextDue, this.#reads.nextDue);
  }

  /** Orders first, where both are due. */
  run(): void {
    this.#orders.run();
    this.#reads.run();
  }

  connect(outcomes: Inbox, answers: Inbox): void {
    this.#orders.connect(outcomes, answers);
    this.#reads.connect(outcomes, answers);
  }

  execute(command: Approved<Command>): void {
    this.#orders.execute(command);
  }

  query(query: Query): void {
    this.#reads.query(query);
  }
}
