/** What the kernel writes down, so that a restart knows every order it may have at the venue. */
import type { Approved, Command } from '../../domain/command.ts';
import type { OutcomeStatus } from '../../domain/outcome.ts';
import type { ExitKind } from './brackets.ts';
import type { SavedHalt } from './halt-codes.ts';

/** Called synchronously, in order; implementations copy what they keep. `command` comes before the venue sees the command. */
export interface CommandJournal {
  command(command: Approved<Command>, strategy: string, reason: string): void;
  /** What became of command `seq`; `venueId` for accepted, `why` for the others (and "" when there is none). */
  outcome(seq: number, status: OutcomeStatus, venueId: string, why: string, time: number): void;
  /** `lots` more of order `seq` filled, by push or by inference; `ticks` 0 when the price is not known. */
  fill(seq: number, lots: number, ticks: number, time: number): void;
  /** Order `seq` ended as `how` (domain/order.ts); `filled` lots are known to have filled, and no more can turn out to have if `isSettled`. */
  ended(seq: number, how: number, filled: number, isSettled: boolean, time: number): void;
  /** What order `seq`, which has ended, filled is known for good. */
  settled(seq: number, filled: number, time: number): void;
  /** Leg `index` (2 · instrument + side) is `total` lots; the venue's time of the newest that is known of it is `provenAt`, 0 for none. */
  leg(index: number, total: number, provenAt: number, time: number): void;
  /** Nothing is opened in a scope from now on. */
  halt(halt: SavedHalt, time: number): void;
  /** Anything else that a restart or a reader must know: a command of an operator, a parameter that was set. */
  note(kind: string, data: Readonly<Record<string, unknown>>, time: number): void;
  /** The halt has ended. */
  lift(halt: SavedHalt, why: string, by: string, time: number): void;
  /** A preset exit of order `seq` closed `lots` at `ticks` (0: not known); `venueId` is that of the venue's own order, "" when unknown. */
  fired(
    seq: number,
    what: ExitKind,
    lots: number,
    ticks: number,
    venueId: string,
    time: number,
    facts: Readonly<Record<string, unknown>>,
  ): void;
}
