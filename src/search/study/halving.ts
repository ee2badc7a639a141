/**
 * Pruning by successive halving (Li, Jamieson, Rostamizadeh, Gonina, Hardt, Recht & Talwalkar, "A system for massively parallel
 * hyperparameter tuning", 2018): every trial runs on a small share of the tape, and only the best third of all results so far on that
 * share continues on the next, three times as long. The decision on a trial uses its batch and the batches before, so it does not
 * depend on which worker was faster. A stopped trial is never continued.
 */
import { bestFirst } from '../ranking.ts';

const FACTOR = 3;
/** Shares of the tape that a trial runs on, one after the other. */
export const SHARES: readonly number[] = [1 / FACTOR ** 2, 1 / FACTOR, 1];

export interface RungResult {
  readonly number: number;
  /** Empty if the run gave no result. */
  readonly costs: readonly number[];
  readonly violation: number;
}

/** Results of the runs on one share of the tape. */
export class Rung {
  readonly #results: RungResult[] = [];

  /** Adds the results of a batch and returns the numbers of its trials that go on. */
  add(batch: readonly RungResult[]): ReadonlySet<number> {
    this.#results.push(...batch);
    const judged = this.#results.map(({ costs, violation }) => {
      const isResult = costs.length > 0;
      return { state: isResult ? ('done' as const) : ('failed' as const), costs, violation, rungs: 1 };
    });
    const best = bestFirst(judged).slice(0, Math.max(1, Math.floor(judged.length / FACTOR)));
    const numbers = new Set(best.filter((i) => judged[i]!.state === 'done').map((i) => this.#results[i]!.number));
    return new Set(batch.map(({ number }) => number).filter((number) => numbers.has(number)));
  }
}
