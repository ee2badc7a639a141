/** What the kernel writes down, so that a restart knows every order it may have at the venue. */
import type { Approved, Command } from '../domain/command.ts';
import type { OutcomeStatus } from '../domain/outcome.ts';
import type { Hold } from './exec/holds.ts';

/** Called synchronously, in order; implementations copy what they keep. `command` comes before the venue sees the command. */
export interface CommandJournal {
  command(command: Approved<Command>, strategy: string, reason: string): void;
  /** What became of command `seq`; `venueId` for accepted, `why` for the others (and "" when there is none). */
  outcome(seq: number, status: OutcomeStatus, venueId: string, why: string, time: number): void;
  /** `lots` more of order `seq` filled, by push or by inference; `ticks` 0 when the price is not known. */
  fill(seq: number, lots: number, ticks: number, time: number): void;
  /** Order `seq` ended as `how` (domain/order.ts) with `filled` lots in all. */
  ended(seq: number, how: number, filled: number, time: number): void;
  /** Opens in `instrument` are stopped because of command `seq`, or allowed again (`isHalted` false). */
  halt(instrument: number, seq: number, isHalted: boolean, why: string, time: number): void;
  /** A halt that only a person lifts begins, or one is lifted (`isHeld` false). */
  hold(hold: Hold, isHeld: boolean, time: number): void;
}
