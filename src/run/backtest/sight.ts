/** What the bot sees of market and account in a backtest. */
import { priceOf, type Instrument } from '../../domain/instrument.ts';
import { ONE } from '../../domain/units.ts';
import type { PushedAccount } from '../../engine/state/core.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import type { TapeStream } from '../../tape/stream.ts';
import type { BacktestOptions } from '../setup/options.ts';
import type { Feed } from '../setup/mirror-row.ts';

/**
 * `ticks`: each row, fill and end at once. `points`: each row at once, and the account by polls. `polls`: everything by polls. The path of a
 * bar without finer rows has no more than its points, so polls between them would show seconds that nobody recorded. Spot rows are shown by
 * `ticks` alone.
 */
export type Sight = 'ticks' | 'points' | 'polls';

export function sightOf({ everyTick }: BacktestOptions, streams: readonly TapeStream[], feeds: readonly Feed[]): Sight {
  if (everyTick) return 'ticks';
  return streams.every(({ isPath }) => isPath) && feeds.every(({ mirrors }) => mirrors.length === 0) ? 'points' : 'polls';
}

/** Figures of the simulator's account for a bot that sees each row. */
export function pushedAccount(sim: VenueSim, instruments: readonly Instrument[]): PushedAccount {
  return {
    equity: () => sim.equity(0),
    account: () => sim.account(0, 0),
    positions: (i) =>
      sim.positions(0, i).map(({ side, markPrice, liquidationPrice, margin }) => ({
        side,
        margin,
        markPrice: priceOf(markPrice, instruments[i]!),
        liquidationPrice: liquidationPrice / ONE,
      })),
  };
}
