/** The answer about how well the backtest of each day predicted its trading. Money is decimal strings in the quote coin. */

/** A cause of the difference of a day, by its name in docs/sessions.md. */
export interface DayCause {
  readonly cause: string;
  readonly title: string;
  readonly amount: string;
}

/** A day in UTC, as far as sessions recorded it. */
export interface DayDivergence {
  /** "2026-11-28". */
  readonly day: string;
  /** How much of the day is recorded. */
  readonly coveredMs: number;
  /** False for a day that is not over. */
  readonly isOver: boolean;
  readonly sessions: number;
  readonly backtest: string;
  readonly live: string;
  /** Live less backtest: the sum of the causes. */
  readonly difference: string;
  /** Value of the fills: that of the session or of its backtest, whichever is larger. */
  readonly traded: string;
  /** Basis points: how far live and backtest are apart for each 10,000 that were traded. Null if neither traded. */
  readonly errorBp: number | null;
  /** The largest first; those of 0 are left out. */
  readonly causes: readonly DayCause[];
}

export interface DivergenceDays {
  /** Oldest first. */
  readonly days: readonly DayDivergence[];
  /** What is missing, and why. */
  readonly notes: readonly string[];
}
