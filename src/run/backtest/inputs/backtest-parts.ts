/** The types of the parts that a backtest is made of. */
import type { StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { RowTaker } from '../../../engine/strategy/rows.ts';
import type { MeasuredImpact } from '../../market/measure-impact.ts';
import type { Tape } from '../../../tape/tape.ts';
import type { RunInstruments } from '../../setup/instruments/instruments.ts';
import type { BacktestOptions } from '../../setup/options.ts';
import type { BacktestHooks } from './hooks.ts';
import type { VenueRows } from '../venue/venue-rows.ts';

export interface RunExtras {
  readonly notes?: readonly string[] | undefined;
  readonly hooks?: BacktestHooks | undefined;
}

export interface BacktestParts {
  readonly options: BacktestOptions;
  readonly market: RunInstruments;
  readonly tape: Tape;
  readonly strategies: readonly StrategySetup[];
  /** Terms of the impact model by symbol, if they are to be measured on the tape. */
  readonly impact?: ReadonlyMap<string, MeasuredImpact> | null | undefined;
  /** The row loop, see `takerOf`. */
  readonly Taker?: typeof RowTaker | undefined;
  readonly extras?: RunExtras | undefined;
  /** Mark prices and funding rates. Default: those of the tape's folder. */
  readonly venueRows?: VenueRows | undefined;
}
