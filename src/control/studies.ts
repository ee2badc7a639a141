/**
 * Studies of `optimize` as the pages show them: what each has written to its file. Times are milliseconds since 1970, 0 for never. Figures are
 * texts in their unit; those that are drawn are numbers.
 */

/** `running`: a process searches. `interrupted`: none does, and trials are missing. `unreadable`: `says` has the reason. */
export type StudyState = 'running' | 'ended' | 'interrupted' | 'unreadable';

export interface StudyRow {
  readonly id: string;
  /** Its file without the ending, the file, and the same as a word of a command in a shell. */
  readonly name: string;
  readonly file: string;
  readonly typedFile: string;
  readonly state: StudyState;
  /** What to do, or what is wrong; "" if nothing. */
  readonly says: string;
  readonly strategy: string;
  /** Trials with a final state, and how many there may be. */
  readonly settled: number;
  readonly trials: number;
  /** When the search was begun or continued, and when it last said how far it is. */
  readonly startedAt: number;
  readonly toldAt: number;
  /** Null if it is not known, or nothing runs. */
  readonly leftMs: number | null;
  /** The objectives of the best trial so far, or of the first of the front; "" before it. */
  readonly best: string;
  /** The same trial in the part that was held out; "" before the end, and if it was not tried there. */
  readonly bestHeldOut: string;
}

/** One of the best trials. */
export interface StudyTrial {
  readonly number: number;
  /** "fast=9 slow=50". */
  readonly params: string;
  /** Its objectives, in their order. */
  readonly values: readonly string[];
  /** The same in the part that was held out; null before the end, and for a trial that was not tried there. */
  readonly heldOut: readonly string[] | null;
  readonly meetsConstraints: boolean;
  readonly endedAt: number;
}

export interface StudyAnswer extends StudyRow {
  /** Time of the monitor. */
  readonly time: number;
  readonly sampler: string;
  readonly tape: string;
  /** "largest sharpe", "smallest maxDrawdown". */
  readonly objectives: readonly string[];
  readonly constraints: readonly string[];
  /** True for each objective whose numbers are shares that people read as percent. */
  readonly areShares: readonly boolean[];
  /** Runs of a trial that is not pruned. */
  readonly rungs: number;
  /** The best trials, the best first; of several objectives the front, by the first of them. */
  readonly rows: readonly StudyTrial[];
  /** Of one objective, the best value after so many runs had ended, at each change and at the end. With one rung a trial is one run. */
  readonly curve: readonly (readonly [ended: number, value: number])[];
  /** Of several objectives, the first two of each trial: those that no other dominates, and the newest of the others. */
  readonly front: readonly (readonly [number, number])[];
  readonly others: readonly (readonly [number, number])[];
}

export interface StudiesAnswer {
  readonly time: number;
  /** Those that run first, then the newest. */
  readonly rows: readonly StudyRow[];
}
