/** The saved form of a schedule of a strategy. */
export interface SavedSchedule {
  readonly name: string;
  /** Cron expression in UTC; "" in a journal record means that the schedule was removed. */
  readonly cron: string;
  /** Due times up to this one have been handled. Milliseconds. */
  readonly until: number;
  /** True if the strategy declares it: it goes with its declaration. */
  readonly isDeclared: boolean;
}
