/** What is allowed at all at the moment: the phase of the kernel, and whether any halt stands. Halts are kept by state/halts.ts. */
import type { InstrumentContext } from './instrument-context.ts';
import type { Owner } from './owner.ts';

/** new → reconciling → armed (orders are taken) → stopping (cancels only) → stopped. */
export type KernelPhase = 'new' | 'reconciling' | 'armed' | 'stopping' | 'stopped';

export class TradingState {
  /** True once the venue has refused each of the first reads as unauthorized for so long that it is given up. */
  isTurnedAway = false;
  #phase: KernelPhase = 'new';
  /** Halts of the bot, and of strategies. */
  #ofBot = 0;
  #ofStrategies = 0;

  declare private readonly contexts: readonly InstrumentContext[];

  constructor(contexts: readonly InstrumentContext[]) {
    this.contexts = contexts;
  }

  get phase(): KernelPhase {
    return this.#phase;
  }

  get isBotHalted(): boolean {
    return this.#ofBot > 0;
  }

  enter(phase: KernelPhase): void {
    this.#phase = phase;
    this.#updateContexts();
  }

  /** A halt of this kind of scope began (1) or ended (−1); desks, legs and owners have counted theirs. */
  halted(kind: 'bot' | 'symbol' | 'leg' | 'strategy', by: 1 | -1): void {
    if (kind === 'bot') this.#ofBot += by;
    else if (kind === 'strategy') this.#ofStrategies += by;
    this.#updateContexts();
  }

  /** Whether an order of `owner` may open there. `desk.isOpen` says the same faster when it is true. */
  mayOpen(context: InstrumentContext, side: number, owner: Owner): boolean {
    if (context.isOpen) return true;
    return this.#phase === 'armed' && this.#ofBot === 0 && context.halts === 0 && context.leg(side).halts === 0 && owner.halts === 0;
  }

  /** A desk is open while no halt of any kind touches it; what is halted in part is asked for in detail. */
  #updateContexts(): void {
    const isOpen = this.#phase === 'armed' && this.#ofBot === 0 && this.#ofStrategies === 0;
    for (const context of this.contexts)
      context.isOpen = isOpen && context.halts === 0 && context.long.halts === 0 && context.short.halts === 0;
  }
}
