/** At most so many intents per strategy in any running second. Cancels count, and are never refused. @hot */
import type { Command } from '../../domain/command.ts';
import type { RiskFacts, RiskRule } from './rule.ts';

export class FloodRule implements RiskRule {
  readonly name = 'flood';
  readonly #max: number;
  /** The times of the last `max` intents of each strategy, in a ring. */
  readonly #times: Float64Array;
  readonly #at: Int32Array;

  constructor(strategies: number, max: number) {
    const bounded = Number.isFinite(max) ? Math.max(1, Math.floor(max)) : 0;
    this.#max = bounded;
    this.#times = new Float64Array(strategies * bounded).fill(-Infinity); // hot-ok: construction
    this.#at = new Int32Array(strategies); // hot-ok: construction
  }

  check(command: Command, _facts: RiskFacts, strategy: number): string | null {
    if (this.#max === 0 || strategy < 0) return null;
    const oldest = this.#times[strategy * this.#max + this.#at[strategy]!]!;
    return command.time - oldest < 1000 ? 'at most ' + this.#max + ' intents in a second' : null;
  }

  /** One intent of the strategy went through at `now`. */
  count(strategy: number, now: number): void {
    if (this.#max === 0 || strategy < 0) return;
    const at = this.#at[strategy]!;
    this.#times[strategy * this.#max + at] = now;
    this.#at[strategy] = at + 1 === this.#max ? 0 : at + 1;
  }
}
