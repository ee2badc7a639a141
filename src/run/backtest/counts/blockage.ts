/** Since when nothing is placed because every intent is refused. */
import type { Blocked } from '../../../report/run-report.ts';

/** So many intents in a row are no accident. */
const INTENTS_MIN = 10;

export class Blockage {
  /** Number of refused intents so far. */
  refusals: () => number = () => 0;
  #refusedBefore = 0;
  #from = Number.NaN;
  readonly #rules = new Set<string>();

  /** Called for each order that is placed. */
  placed(): void {
    this.#refusedBefore = this.refusals();
    if (Number.isNaN(this.#from)) return;
    this.#from = Number.NaN;
    this.#rules.clear();
  }

  /** Called for some of the refused intents, of each rule for the first. */
  refused(time: number, rule: string): void {
    if (Number.isNaN(this.#from)) this.#from = time;
    this.#rules.add(rule);
  }

  /** The refusals after the last order; null if they are few. */
  found(): Blocked | null {
    const intents = this.refusals() - this.#refusedBefore;
    if (intents < INTENTS_MIN || Number.isNaN(this.#from)) return null;
    return { from: this.#from, intents, rules: [...this.#rules] };
  }
}
