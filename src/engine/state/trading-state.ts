/** Says what may trade at the moment: the phase of the kernel, and whether any halt is active. Halts are kept by state/halts.ts. */
import { assert } from '../../base/failure/assert.ts';
import type { InstrumentContext } from './records/instrument-context.ts';
import type { Owner } from './records/owner.ts';

/** new → reconciling → armed (orders are accepted) → stopping (cancels only) → stopped. */
export type KernelPhase = 'new' | 'reconciling' | 'armed' | 'stopping' | 'stopped';

const PHASES: readonly KernelPhase[] = ['new', 'reconciling', 'armed', 'stopping', 'stopped'];

export class TradingState {
  /** True if the venue refused all first reads as unauthorized for so long that the start is given up. */
  isUnauthorized = false;
  #phase: KernelPhase = 'new';
  /** Number of halts of the bot, and of strategies. */
  #ofBot = 0;
  #ofStrategies = 0;
  #onHold = '';
  /** When the phase began, and the hold; −Infinity before the first. */
  phaseSince = -Infinity;
  holdSince = -Infinity;

  private readonly contexts: readonly InstrumentContext[];

  constructor(contexts: readonly InstrumentContext[]) {
    this.contexts = contexts;
  }

  get phase(): KernelPhase {
    return this.#phase;
  }

  get isBotHalted(): boolean {
    return this.#ofBot > 0;
  }

  /** Why nothing opens for a moment although no halt says so; "" for no such reason. */
  get onHold(): string {
    return this.#onHold;
  }

  /** Stops opens for a moment, without a halt; "" ends that. */
  hold(why: string, now: number): void {
    if (why === this.#onHold) return;
    if (this.#onHold === '') this.holdSince = now;
    this.#onHold = why;
    this.#updateContexts();
  }

  enter(phase: KernelPhase, now: number): void {
    assert(PHASES.indexOf(phase) > PHASES.indexOf(this.#phase) || phase === 'reconciling', 'phases follow one another', phase);
    this.#phase = phase;
    this.phaseSince = now;
    this.#updateContexts();
  }

  /** Counts a halt of this kind of scope: 1 began, −1 ended. Instruments, legs and owners count their own. */
  halted(kind: 'bot' | 'symbol' | 'leg' | 'strategy', by: 1 | -1): void {
    if (kind === 'bot') this.#ofBot += by;
    else if (kind === 'strategy') this.#ofStrategies += by;
    assert(this.#ofBot >= 0, 'halts of the bot are at least 0', this.#ofBot);
    assert(this.#ofStrategies >= 0, 'halts of strategies are at least 0', this.#ofStrategies);
    for (const context of this.contexts) {
      assert(context.halts >= 0, 'halts of a symbol are at least 0', context.halts);
      assert(context.long.halts >= 0, 'halts of a leg are at least 0', context.long.halts);
      assert(context.short.halts >= 0, 'halts of a leg are at least 0', context.short.halts);
    }
    this.#updateContexts();
  }

  /** True if `owner` may open there. `context.isOpen` is the fast check for the common case. */
  mayOpen(context: InstrumentContext, side: number, owner: Owner): boolean {
    if (context.isOpen) return true;
    if (this.#phase !== 'armed' || this.#onHold !== '') return false;
    return this.#ofBot === 0 && context.halts === 0 && context.leg(side).halts === 0 && owner.halts === 0;
  }

  /** An instrument is open while no halt of any kind covers it; partial halts are checked by `mayOpen`. */
  #updateContexts(): void {
    const isOpen = this.#phase === 'armed' && this.#ofBot === 0 && this.#ofStrategies === 0 && this.#onHold === '';
    for (const context of this.contexts)
      context.isOpen = isOpen && context.halts === 0 && context.long.halts === 0 && context.short.halts === 0;
  }
}
