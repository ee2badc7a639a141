/** The set-up of a worker of a search, as plain data: the strategy, the configuration, the times, and the figures to keep. */
import type { BotConfig, StrategyChoice } from '../../../config/model.ts';
import type { SpreadModel } from '../../../tape/bars/bar-reader.ts';
import type { SignalGiven } from '../../setup/options.ts';
import type { Outcome } from '../../../search/trial.ts';

export interface SearchSetup {
  /** With the values of parameters that are not searched. */
  readonly strategy: StrategyChoice;
  readonly config: BotConfig;
  readonly everyTick: boolean;
  readonly spread: SpreadModel | undefined;
  readonly signals?: readonly SignalGiven[] | undefined;
  readonly speed: number;
  readonly seed: number;
  /** Metrics of the report that a trial must have. */
  readonly metrics: readonly string[];
  /** Milliseconds since 1970. The search uses `from` to before `searchedTo`, the last part is `split` to before `to`. */
  readonly from: number;
  readonly searchedTo: number;
  readonly split: number;
  readonly to: number;
}

/** A run: values as text by parameter, on a part of the tape. */
export interface RunJob {
  readonly id: number;
  readonly params: Readonly<Record<string, string>>;
  /** Milliseconds since 1970: `from` to before `to`. */
  readonly from: number;
  readonly to: number;
}

export interface RunResult {
  readonly id: number;
  readonly outcome: Outcome;
  /** Duration of the run in milliseconds. */
  readonly ms: number;
}
