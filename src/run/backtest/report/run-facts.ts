/** The facts that the notes of a backtest report are made from. */
import type { Instrument } from '../../../domain/instrument.ts';
import type { StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { KernelStatus } from '../../../engine/status.ts';
import type { SpotBook } from '../../../report/fills/spot-book.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { Manifest } from '../../../tape/file/manifest.ts';
import type { BacktestOptions } from '../../setup/options.ts';
import type { MeasuredTerms } from '../../setup/sim-terms.ts';
import type { QuietLog } from '../counts/quiet-log.ts';
import type { RunCounters } from '../counts/run-counters.ts';
import type { MarketView } from '../venue/market-view.ts';

/** A finished run. */
export interface RunFacts {
  readonly options: BacktestOptions;
  readonly manifest: Manifest;
  readonly sees: MarketView;
  readonly instruments: readonly Instrument[];
  readonly strategies: readonly StrategySetup[];
  /** Symbols without a configuration. */
  readonly guessed: readonly string[];
  /** Symbols whose built-in grid gave way to the tape's, in sentences. */
  readonly adjusted: readonly string[];
  /** Milliseconds between two equity samples. */
  readonly sampleMs: number;
  readonly status: KernelStatus;
  readonly sim: VenueSim;
  /** Terms of the impact by symbol, if they were measured. */
  readonly impact: MeasuredTerms | null;
  readonly counters: RunCounters;
  readonly log: QuietLog;
  /** What is to be said of a market of bars. */
  readonly barNotes: readonly string[];
  /** null where no strategy trades spot. */
  readonly spot: SpotBook | null;
}
