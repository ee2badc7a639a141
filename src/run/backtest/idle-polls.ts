/**
 * Leaves out the polls of a backtest that cannot show anything: those of orders, positions and account while nothing has changed at the
 * simulated venue since each of them was answered, and the bot waits for no answer. Polls go on with the next command, fill, payment of funding
 * and halt, at the moments at which they would have been.
 */
import type { Kernel } from '../../engine/kernel.ts';
import type { PollKind } from '../../engine/polling/schedule.ts';
import type { Approved, Command } from '../../domain/command.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox, Query, Venue } from '../../ports/venue.ts';
import type { SimTap } from '../../sim/state/types.ts';

/** One read of each shows all of the account. */
const KINDS: readonly PollKind[] = ['pending', 'positions', 'account'];

export class IdlePolls implements Venue, SimTap {
  readonly #venue: Venue;
  readonly #clock: Clock;
  #kernel: Kernel | null = null;
  /** When something last changed, or may have. */
  #changedAt = -Infinity;
  /** By kind: venue time of its newest answer. */
  readonly #answeredAt = new Map<PollKind, number>();

  /** `venue` gets the commands and queries of the kernel. */
  constructor(venue: Venue, clock: Clock) {
    this.#venue = venue;
    this.#clock = clock;
  }

  /** Sets the kernel whose polls are left out. Returns the inbox through which it must be answered. */
  connect(kernel: Kernel): Inbox {
    this.#kernel = kernel;
    const { inbox } = kernel;
    const heard = (tell: () => void): void => {
      this.#changed();
      tell();
    };
    return {
      accepted: (seq, venueId) => heard(() => inbox.accepted(seq, venueId)),
      rejected: (seq, rejection) => heard(() => inbox.rejected(seq, rejection)),
      unsent: (seq, cause) => heard(() => inbox.unsent(seq, cause)),
      unknown: (seq, cause) => heard(() => inbox.unknown(seq, cause)),
      failed: (query, cause) => inbox.failed(query, cause),
      answered: (query, answer, sentAt, venueTime) => {
        inbox.answered(query, answer, sentAt, venueTime);
        this.#answered(query, venueTime);
      },
    };
  }

  execute(command: Approved<Command>): void {
    this.#changed();
    this.#venue.execute(command);
  }

  query(query: Query): void {
    this.#venue.query(query);
  }

  filled(): void {
    this.#changed();
  }

  ended(): void {
    this.#changed();
  }

  funded(): void {
    this.#changed();
  }

  #changed(): void {
    const now = this.#clock.now();
    this.#changedAt = now;
    const kernel = this.#kernel!;
    if (kernel.arePollsHeld) kernel.resumePolls(now);
  }

  #answered({ kind, instrument }: Query, venueTime: number): void {
    const kernel = this.#kernel!;
    if (kernel.arePollsHeld || !KINDS.includes(kind) || (kind !== 'account' && instrument >= 0)) return;
    this.#answeredAt.set(kind, venueTime);
    for (const one of KINDS) if (!((this.#answeredAt.get(one) ?? -Infinity) > this.#changedAt)) return;
    if (kernel.isSettled) kernel.holdPolls();
  }
}
