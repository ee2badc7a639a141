/** At most so many intents per strategy in any running second. Cancels count, and are never refused. @hot */
import type { RiskRule } from './rule.ts';

export class FloodRule implements RiskRule {
  readonly name = 'flood';
  readonly #max: number;
  /** By strategy; none where there is no limit. */
  readonly #recent: readonly Recent[];

  constructor(strategies: number, max: number) {
    this.#max = Number.isFinite(max) ? Math.max(1, Math.floor(max)) : 0;
    this.#recent = Array.from({ length: this.#max === 0 ? 0 : strategies }, () => new Recent(this.#max)); // hot-ok: construction
  }

  allows(strategy: number, now: number): boolean {
    return this.#max === 0 || strategy < 0 || now - this.#recent[strategy]!.oldest >= 1000;
  }

  /** One intent of the strategy went through at `now`. */
  count(strategy: number, now: number): void {
    if (this.#max > 0 && strategy >= 0) this.#recent[strategy]!.add(now);
  }

  why(): string {
    return 'at most ' + this.#max + ' intents in a second';
  }
}

/** The times of a strategy's last intents, in a ring. */
class Recent {
  /** The oldest of them. */
  oldest = -Infinity;
  readonly #times: Float64Array;
  readonly #last: number;
  #at = 0;

  constructor(max: number) {
    this.#times = new Float64Array(max).fill(-Infinity); // hot-ok: construction
    this.#last = max - 1;
  }

  add(now: number): void {
    const at = this.#at;
    const next = at === this.#last ? 0 : at + 1;
    this.#times[at] = now;
    this.oldest = this.#times[next]!;
    this.#at = next;
  }
}
