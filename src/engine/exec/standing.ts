/** What is allowed at all at the moment: the phase of the kernel, the halts per instrument, and the holds that a person lifts. */
import type { Desk } from '../belief/desk.ts';
import type { KernelPhase } from '../options.ts';
import { isWithin, legsShut, type Hold } from './holds.ts';

export interface Halt {
  readonly instrument: number;
  readonly seq: number;
  readonly why: string;
}

export class Standing {
  /** Halts by the command that caused them. */
  readonly halts = new Map<number, Halt>();
  /** Halts that a person lifts, by scope and code. */
  readonly #holds = new Map<string, Hold>();
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

  /** Halts that a person lifts, oldest first. */
  get holds(): readonly Hold[] {
    return [...this.#holds.values()];
  }

  /** Nothing may be opened in its scope until `release`. False when there is one of this scope and code. */
  hold(hold: Hold): boolean {
    const key = keyOf(hold);
    if (this.#holds.has(key)) return false;
    this.#holds.set(key, hold);
    this.#tellDesks();
    return true;
  }

  /** Lifts every hold within `scope`, of one code or of all. The holds lifted. */
  release(scope: string, code = ''): Hold[] {
    const lifted = this.holds.filter((one) => isWithin(one.scope, scope) && (code === '' || one.code === code));
    for (const one of lifted) this.#holds.delete(keyOf(one));
    if (lifted.length > 0) this.#tellDesks();
    return lifted;
  }

  /** The oldest hold that shuts the leg; null for none. */
  holdOf(desk: Desk, side: number): Hold | null {
    for (const one of this.#holds.values()) if ((legsShut(one.scope, desk.instrument) & (1 << side)) !== 0) return one;
    return null;
  }

  /** Whether the leg may be opened: as `desk.isOpen`, for a desk of which one leg is shut. */
  isLegOpen(desk: Desk, side: number): boolean {
    return this.#isOpen && desk.halts === 0 && (desk.shut & (1 << side)) === 0;
  }

  get #isOpen(): boolean {
    return this.#phase === 'armed' && this.#haltedAll === '';
  }

  #tellDesks(): void {
    for (const desk of this.desks) {
      desk.shut = 0;
      for (const hold of this.#holds.values()) desk.shut |= legsShut(hold.scope, desk.instrument);
      desk.isOpen = this.#isOpen && desk.halts === 0 && desk.shut === 0;
    }
  }
}

function keyOf({ scope, code }: Hold): string {
  return `${scope} ${code}`;
}
