/** What is allowed at all at the moment: the phase of the kernel and the halts per instrument. */
import type { Desk } from '../belief/desk.ts';
import type { KernelPhase } from '../options.ts';

export interface Halt {
  readonly instrument: number;
  readonly seq: number;
  readonly why: string;
}

export class Standing {
  phase: KernelPhase = 'new';
  /** Halts by the command that caused them. */
  readonly halts = new Map<number, Halt>();
  /** A reason why nothing may be opened anywhere, or "". */
  haltedAll = '';
  /** True once the venue has refused each of the first reads as unauthorized for so long that it is given up. */
  isTurnedAway = false;

  declare private readonly desks: readonly Desk[];

  constructor(desks: readonly Desk[]) {
    this.desks = desks;
  }

  halt(instrument: number, seq: number, why: string): boolean {
    if (this.halts.has(seq)) return false;
    this.halts.set(seq, { instrument, seq, why });
    this.desks[instrument]!.halts++;
    return true;
  }

  lift(seq: number): Halt | null {
    const halt = this.halts.get(seq);
    if (halt === undefined) return null;
    this.halts.delete(seq);
    this.desks[halt.instrument]!.halts--;
    return halt;
  }
}
