/**
 * A venue in front of the simulator's port that gives some commands and reads a fault, as a test asks: refused, never sent, lost, without
 * an answer, late or twice. Its reports are true: an order that it refuses does not exist.
 */
import type { Approved, Command } from '../../domain/orders/command.ts';
import type { Rejection } from '../../domain/orders/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Query } from '../../ports/venue.ts';
import { ACCEPTED, REJECTED, SILENT_INBOX, VenueEvent, type Inbox } from '../../ports/venue-event.ts';
import type { BacktestPort } from '../backtest/venue/backtest-port.ts';
import { copyOf, DelayedWork } from '../backtest/venue/delayed-work.ts';

/** What happens to one command. `late` and `slow` are in milliseconds: the command arrives late, or only its answer. */
export type CommandFate =
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unheard' }
  | { readonly kind: 'late'; readonly ms: number }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'twice' };

/** What happens to one read: no answer, or a late one. */
export type ReadFate = { readonly kind: 'failed' } | { readonly kind: 'slow'; readonly ms: number };

export interface FaultSpec {
  readonly port: BacktestPort;
  readonly clock: Clock;
  /** Milliseconds from a command to its answer, and until a missing answer is given up. */
  readonly tripMs: number;
  readonly timeoutMs: number;
  /** Called once for each command, in the order they leave; null: nothing goes wrong. */
  readonly command: (command: Command) => CommandFate | null;
  readonly read: (query: Query) => ReadFate | null;
}

export class FaultPort implements BacktestPort {
  readonly #spec: FaultSpec;
  readonly #later: DelayedWork;
  /** Fates of commands that are on their way through the port. */
  readonly #fates = new Map<number, CommandFate>();
  readonly #event = new VenueEvent();
  #outcomes = SILENT_INBOX;
  #answers = SILENT_INBOX;

  constructor(spec: FaultSpec) {
    this.#spec = spec;
    this.#later = new DelayedWork(spec.port, spec.clock);
  }

  get nextDue(): number {
    return this.#later.nextDue;
  }

  run(): void {
    this.#later.run();
  }

  connect(outcomes: Inbox, answers: Inbox): void {
    this.#outcomes = outcomes;
    this.#answers = answers;
    this.#spec.port.connect({ take: (event) => this.#outcome(event) }, answers);
  }

  execute(command: Approved<Command>): void {
    const { port, tripMs, timeoutMs } = this.#spec;
    const fate = this.#spec.command(command);
    const { seq } = command;
    if (fate === null) return port.execute(command);
    switch (fate.kind) {
      case 'refused':
        return this.#hears(tripMs, (event) => event.rejected(seq, fate.rejection));
      case 'unsent':
        return this.#hears(0, (event) => event.unsent(seq, 'connection-refused'));
      case 'lost':
        return this.#hears(timeoutMs, (event) => event.unknown(seq, 'timeout'));
      case 'late': {
        const copy = { ...command };
        return this.#in(fate.ms, () => port.execute(copy));
      }
      case 'unheard':
        this.#hears(timeoutMs, (event) => event.unknown(seq, 'timeout'));
        break;
      case 'slow':
      case 'twice':
        break;
    }
    this.#fates.set(seq, fate);
    port.execute(command);
  }

  query(query: Query): void {
    const fate = this.#spec.read(query);
    if (fate === null) return this.#spec.port.query(query);
    if (fate.kind === 'failed') return this.#in(this.#spec.timeoutMs, () => this.#answers.take(this.#event.failed(query, 'timeout')));
    this.#in(fate.ms, () => this.#spec.port.query(query));
  }

  /** An outcome or a push on its way to the bot. */
  #outcome(event: VenueEvent): void {
    const { kind, seq } = event;
    const fate = kind === ACCEPTED || kind === REJECTED ? this.#fates.get(seq) : undefined;
    if (fate === undefined) return this.#outcomes.take(event);
    this.#fates.delete(seq);
    if (fate.kind === 'unheard') return;
    const copy = copyOf(event);
    if (fate.kind === 'slow') return this.#in(fate.ms, () => this.#outcomes.take(copy));
    this.#outcomes.take(event);
    if (fate.kind === 'twice') this.#in(this.#spec.tripMs, () => this.#outcomes.take(copy));
  }

  #hears(ms: number, fill: (event: VenueEvent) => VenueEvent): void {
    this.#in(ms, () => this.#outcomes.take(fill(this.#event)));
  }

  #in(ms: number, run: () => void): void {
    this.#later.at(this.#spec.clock.now() + ms, run);
  }
}
