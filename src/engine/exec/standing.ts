/** What is allowed at all at the moment: the phase of the kernel and the halts per instrument. */
import type { Desk } from '../belief/desk.ts';
import type { KernelPhase } from '../options.ts';

export interface Halt {
  readonly instrument: number;
  readonly seq: number;
  readonly why: string;
}

export class Standing {
  /** Halts by the command that caused them. */
  readonly halts = new Map<number, Halt>();
  /** True once the venue has refused each of the first reads as unauthorized for so long that it is given up. */
  isTurnedAway = false;
  #phase: KernelPhase = 'new';
  #haltedAll = '';

  declare private readonly desks: readonly Desk[];

  constructor(desks: readonly Desk[]) {
    this.desks = desks;
  }

  get phase(): KernelPhase {
    return this.#phase;
  }

  /** A reason why nothing may be opened anywhere, or "". */
  get haltedAll(): string {
    return this.#haltedAll;
  }

  enter(phase: KernelPhase): void {
    this.#phase = phase;
    this.#tellDesks();
  }

  /** Nothing may be opened anywhere. The first reason stands; false when there is one already. */
  haltAll(why: string): boolean {
    if (this.#haltedAll !== '') return false;
    this.#haltedAll = why;
    this.#tellDesks();
    return true;
  }

  halt(instrument: number, seq: number, why: string): boolean {
    if (this.halts.has(seq)) return false;
    this.halts.set(seq, { instrument, seq, why });
    this.desks[instrument]!.halts++;
    this.#tellDesks();
    return true;
  }

  lift(seq: number): Halt | null {
    const halt = this.halts.get(seq);
    if (halt === undefined) return null;
    this.halts.delete(seq);
    this.desks[halt.instrument]!.halts--;
    this.#tellDesks();
    return halt;
  }

  #tellDesks(): void {
    const isOpen = this.#phase === 'armed' && this.#haltedAll === '';
    for (const desk of this.desks) desk.isOpen = isOpen && desk.halts === 0;
  }
}
