/** The options that a program may give for its research. The names are those of the flags of the commands, and so are the defaults. */
import type { LogFields } from '../../ports/log.ts';
import type { SamplerName } from '../../search/samplers/sampler-docs.ts';
import type { SpreadModel } from '../shell/values.ts';
import type { SearchProgressNow } from './research-job.ts';

/** A moment: milliseconds since 1970, or a date. */
export type Moment = number | Date;

/** What every run has: a strategy, a tape, settings. */
export interface MarketOptions {
  /** Folder of the tape. */
  readonly tape: string;
  /** Symbols to trade. Default: all of the tape. */
  readonly symbols?: readonly string[] | undefined;
  /** A configuration file. Default: the built-in defaults. Variables of the environment do not count. */
  readonly config?: string | undefined;
  /** Keys of the configuration with their values, such as `{ 'risk.maxOrders': 5 }`. */
  readonly set?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** First moment of the tape that is used. Default: its first row. */
  readonly from?: Moment | undefined;
  /** Moment to stop before. Default: the end of the tape. */
  readonly to?: Moment | undefined;
  /** Seed of all randomness. Default: that of the configuration. */
  readonly seed?: number | undefined;
  /** True: the strategy sees every row of the tape, more than it would see live. Default: false. */
  readonly everyTick?: boolean | undefined;
  /** Bid to ask on a tape of bars: a price, a percentage of it, or a multiple of the average true range. Default: 0.01 percent. */
  readonly spread?: SpreadModel | undefined;
  /** Folder of a finer tape, used inside the bars of a tape of bars. Default: none. */
  readonly detail?: string | undefined;
  /** File of calls of `onSignal`, as `--signals` has it: CSV or JSON lines of time, strategy and text. Default: none. */
  readonly signals?: string | undefined;
  /** Ends the work at once. The promise is then rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** What `backtest` takes. */
export interface BacktestOptions extends MarketOptions {
  /** The strategy's file, or several. Default: the strategies of the configuration. */
  readonly strategy?: string | readonly string[] | undefined;
  /** Parameters of the strategy; only with one strategy. */
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** File of a complete study: the parameters are those of its best trial. Default: none. */
  readonly study?: string | undefined;
  /** Start of the bot; the market starts earlier. Default: the first row. */
  readonly botFrom?: Moment | undefined;
  /** Draws prices inside bars by chance: no evidence. Default: false. */
  readonly insideBars?: boolean | undefined;
  /** Speed of the tape as a multiple of the recorded time. Default: 1. */
  readonly speed?: number | undefined;
  /** False: without the pessimistic and the optimistic reading beside the run. Default: true. */
  readonly bracket?: boolean | undefined;
  /** Called at most ten times a second with the rows so far and the share of the tape's time that is over. */
  readonly progress?: ((rows: number, share: number) => void) | undefined;
  /** Gets each line that a strategy writes by `ctx.log`: its virtual time in milliseconds since 1970, and its fields. */
  readonly log?: ((time: number, fields: LogFields) => void) | undefined;
}

/** What a search takes. */
export interface SearchOptions extends MarketOptions {
  /** The strategy's file. Default: the only strategy of the configuration. */
  readonly strategy?: string | undefined;
  /** What a parameter may be, as `--param` has it: "5..50", "5..50:5", "1..1000:log", "a,b" or one value. Default: within its bounds. */
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** What to maximise or minimise, as `--by` has it. Default: "sharpe". */
  readonly by?: string | undefined;
  /** Number of trials. Default: 100. */
  readonly trials?: number | undefined;
  /** How trials are chosen. Default: "tpe". */
  readonly sampler?: SamplerName | undefined;
  /** Conditions such as "maxDrawdown<0.2" or "trades>=30". Default: none. */
  readonly constraints?: readonly string[] | undefined;
  /** True: stops the worse two thirds of the trials early, twice. Default: false. */
  readonly prune?: boolean | undefined;
  /** Number of threads. Default: one for each processor. */
  readonly workers?: number | undefined;
  /** Called when the search has come further, at most ten times a second. */
  readonly progress?: ((now: SearchProgressNow) => void) | undefined;
}

/** What `optimize` takes. */
export interface OptimizeOptions extends SearchOptions {
  /** Share of the time at the end that takes no part in the search, from 0 to 0.9. Default: 0.3. */
  readonly holdout?: number | undefined;
  /** File that keeps every trial; the same call goes on where it stopped. Default: kept nowhere. */
  readonly study?: string | undefined;
}

/** What `walkForward` takes. */
export interface WalkForwardOptions extends SearchOptions {
  /** How often parameters are searched again. Default: 5. */
  readonly folds?: number | undefined;
  /** Share of the time that the first search has. Default: 0.5. */
  readonly train?: number | undefined;
  /** True: each search has the same length. Default: each begins at the start of the tape. */
  readonly rolling?: boolean | undefined;
  /** Milliseconds before each judged part that belong to no search. Default: 0. */
  readonly purgeMs?: number | undefined;
}
