/** The journal interface of the kernel: the records that let a restart know every order it may have at the venue. */
import type { Approved, Command } from '../../../domain/orders/command.ts';
import type { OutcomeStatus } from '../../../domain/orders/outcome.ts';
import type { BracketKind } from '../records/brackets.ts';
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import type { Leg } from '../records/leg.ts';

/**
 * All methods are called synchronously and in order; implementations copy what they keep. `command` is called before the venue gets the
 * command.
 */
export interface CommandJournal {
  command(command: Approved<Command>, strategy: string, reason: string): void;
  /** Outcome of command `seq`; `venueId` if accepted, else `why`; the other one is "". */
  outcome(seq: number, status: OutcomeStatus, venueId: string, why: string, time: number): void;
  /**
   * Order `seq` filled `lots` more, pushed or inferred; `ticks` is 0 if the price is unknown. `worth` is the value of all its inferred fills
   * in ticks × lots.
   */
  fill(seq: number, lots: number, ticks: number, worth: number, time: number): void;
  /** Order `seq` ended as `how` (domain/orders/order.ts) with `filled` known lots. `isSettled`: no further fills can be reported. */
  ended(seq: number, how: number, filled: number, isSettled: boolean, time: number): void;
  /** The fills of the ended order `seq` are final. */
  settled(seq: number, filled: number, time: number): void;
  /** What is known of a leg has changed (state/records/saved.ts says what is kept of it). */
  leg(leg: Leg, time: number): void;
  /** A halt begins. */
  halt(halt: SavedHalt, time: number): void;
  /** Any other record that a restart or a reader needs: a command of an operator, a parameter that was set. */
  note(kind: string, data: Readonly<Record<string, unknown>>, time: number): void;
  /** A halt has ended. */
  lift(halt: SavedHalt, why: string, by: string, time: number): void;
  /** A bracket of order `seq` closed `lots` at `ticks` (0: unknown); `venueId` is that of the venue's own order, "" if unknown. */
  fired(
    seq: number,
    what: BracketKind,
    lots: number,
    ticks: number,
    venueId: string,
    time: number,
    facts: Readonly<Record<string, unknown>>,
  ): void;
}
