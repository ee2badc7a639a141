/** A halt as kept in journal, snapshot and marker file. Plain JSON. */
export interface SavedHalt {
  /** "bot", "symbol:BTCUSDT", "symbol:spot:BTCUSDT", "leg:BTCUSDT:LONG" or "strategy:NAME". */
  readonly scope: string;
  /** A key of HALT_CODES of the engine. */
  readonly code: string;
  readonly detail: string;
  readonly since: number;
  /** "bot", or the operator or program that asked for the halt. */
  readonly by: string;
  /** Number of the command that the halt is about; 0 for none. */
  readonly seq: number;
  /** Time at which the halt ends by itself. */
  readonly until?: number;
}
