/** What programs and notebooks import, as 'tickwright/research'. */
export { backtest, loadTape, optimize, readReport, walkForward } from './cli/programs/research.ts';
export { Failure, type Problem } from './base/failure/failure.ts';
export type { FailureCode, FailureKind } from './base/failure/failures.ts';
export type {
  BacktestOptions,
  MarketOptions,
  Moment,
  OptimizeOptions,
  SearchOptions,
  WalkForwardOptions,
} from './cli/programs/research-options.ts';
export type { SearchProgressNow } from './cli/programs/research-job.ts';
export type { AnyColumns, AnyResult, Result, RunColumns, RunResult, SearchOutcome, WalkForwardOutcome } from './cli/programs/results.ts';
export type { TableFormat, TableOptions } from './run/report/tables/table-files.ts';
export type { OpenedTape, TapeColumns, TapeSpan } from './run/market/tape-columns.ts';
