/**
 * The interface of what chooses the points of a study. A study asks for batches and tells results in order, so a sampler gives the same
 * points for the same seed, however many workers run them.
 */
import type { Trial } from '../trial.ts';

export interface Sampler {
  /** Places in the unit cube for the next batch of trials; empty if the space has no more points. */
  ask(): readonly (readonly number[])[];
  /** Gives the sampler the results of its oldest batch without results, in the order of its places. */
  tell(trials: readonly Trial[]): void;
  /** Number of batches that may run before the sampler needs the results of the first. Infinity if results do not matter. */
  readonly lead: number;
}
