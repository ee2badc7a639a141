/**
 * What chooses the points of a study. A study asks for batches and tells results in order, so a sampler gives the same points for the
 * same seed, however many workers run them.
 */
import type { Trial } from '../trial.ts';

export interface Sampler {
  /** Places in the unit cube for the next batch of trials; empty if the space has no more points. */
  ask(): readonly (readonly number[])[];
  /** Results of the oldest batch that was not told yet, in the order of its places. */
  tell(trials: readonly Trial[]): void;
  /** Number of batches that may run before the results of the first must be told. Infinity if results do not matter. */
  readonly lead: number;
}
