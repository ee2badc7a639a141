/** Estimates how long a study may take. */

export interface StudyPace {
  /** Trials with a final state, and how many there may be. */
  readonly settled: number;
  readonly trials: number;
  /** Runs that this process waited for, and those whose outcome its file had. */
  readonly runs: number;
  readonly kept: number;
}

/** Milliseconds, from the runs that each trial took so far; null before one ended. `ms`: how long this process searches. */
export function timeLeftMs({ settled, trials, runs, kept }: StudyPace, ms: number): number | null {
  if (runs === 0 || settled === 0) return null;
  return (((trials - settled) * (runs + kept)) / settled) * (ms / runs);
}
