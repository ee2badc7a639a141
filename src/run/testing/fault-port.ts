/**
 * A venue in front of the simulator's port that gives some commands and reads a fault, as a test asks: refused, never sent, lost, without
 * an answer, late or twice. Its reports are true: an order that it refuses does not exist.
 */
import type { Approved, Command } from '../../domain/command.ts';
import type { Rejection } from '../../domain/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Answer, Inbox, PushInbox, Query } from '../../ports/venue.ts';
import type { BacktestPort } from '../backtest/venue/port.ts';
import { DelayedWork } from '../backtest/venue/delayed-work.ts';

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

export class FaultPort implements BacktestPort, PushInbox {
  readonly #spec: FaultSpec;
  readonly #later: DelayedWork;
  /** Fates of commands that are on their way through the port. */
  readonly #fates = new Map<number, CommandFate>();
  #inbox: Inbox | PushInbox | null = null;

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

  connect(inbox: Inbox | PushInbox): void {
    this.#inbox = inbox;
    this.#spec.port.connect(this);
  }

  execute(command: Approved<Command>): void {
    const { port, tripMs, timeoutMs } = this.#spec;
    const fate = this.#spec.command(command);
    const { seq } = command;
    if (fate === null) return port.execute(command);
    switch (fate.kind) {
      case 'refused':
        return this.#in(tripMs, () => this.#taker.rejected(seq, fate.rejection));
      case 'unsent':
        return this.#in(0, () => this.#taker.unsent(seq, 'connection-refused'));
      case 'lost':
        return this.#in(timeoutMs, () => this.#taker.unknown(seq, 'timeout'));
      case 'late': {
        const copy = { ...command };
        return this.#in(fate.ms, () => port.execute(copy));
      }
      case 'unheard':
        this.#in(timeoutMs, () => this.#taker.unknown(seq, 'timeout'));
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
    if (fate.kind === 'failed') return this.#in(this.#spec.timeoutMs, () => this.#taker.failed(query, 'timeout'));
    this.#in(fate.ms, () => this.#spec.port.query(query));
  }

  accepted(seq: number, venueId: string): void {
    this.#outcome(seq, () => this.#taker.accepted(seq, venueId));
  }

  rejected(seq: number, rejection: Rejection): void {
    this.#outcome(seq, () => this.#taker.rejected(seq, rejection));
  }

  unsent(seq: number, cause: string): void {
    this.#taker.unsent(seq, cause);
  }

  unknown(seq: number, cause: string): void {
    this.#taker.unknown(seq, cause);
  }

  answered(query: Query, answer: Answer, sentAt: number, venueTime: number): void {
    this.#taker.answered(query, answer, sentAt, venueTime);
  }

  failed(query: Query, cause: string): void {
    this.#taker.failed(query, cause);
  }

  pushedFill(seq: number, size: number, price: number, fee: number, liquidity: number): void {
    this.#pushed.pushedFill(seq, size, price, fee, liquidity);
  }

  pushedOwnFill(instrument: number, side: number, effect: number, size: number, price: number): void {
    this.#pushed.pushedOwnFill(instrument, side, effect, size, price);
  }

  pushedEnd(seq: number, how: number): void {
    this.#pushed.pushedEnd(seq, how);
  }

  get #taker(): Inbox {
    if (this.#inbox === null) throw new RangeError('a port is connected before it runs');
    return this.#inbox;
  }

  get #pushed(): PushInbox {
    return this.#taker as PushInbox;
  }

  #outcome(seq: number, tell: () => void): void {
    const fate = this.#fates.get(seq);
    this.#fates.delete(seq);
    if (fate?.kind === 'unheard') return;
    if (fate?.kind === 'slow') return this.#in(fate.ms, tell);
    tell();
    if (fate?.kind === 'twice') this.#in(this.#spec.tripMs, tell);
  }

  #in(ms: number, run: () => void): void {
    this.#later.at(this.#spec.clock.now() + ms, run);
  }
}
