/** The ways in which the bot of a backtest sees market and account. */
import { priceOf, type Instrument } from '../../../domain/instrument.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import type { PushedAccount } from '../../../engine/state/account/account-figures.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { BacktestOptions } from '../../setup/options.ts';

/** `ticks`: each row, fill and end at once. `bars`: each bar, and what it brought, at its end. `polls`: everything by polls. */
export type MarketView = 'ticks' | 'bars' | 'polls';

export function marketViewOf({ everyTick }: BacktestOptions, isOnBars: boolean): MarketView {
  if (isOnBars) return 'bars';
  return everyTick ? 'ticks' : 'polls';
}

/** Figures of the simulator's account for a bot that sees each row. */
export function pushedAccount(sim: VenueSim, instruments: readonly Instrument[], passed: () => readonly number[]): PushedAccount {
  return {
    passed,
    equity: () => sim.equity(0),
    account: () => sim.account(0, 0),
    leverage(i) {
      const { longLeverage, shortLeverage } = sim.account(0, i);
      return [longLeverage, shortLeverage];
    },
    positions: (i) =>
      sim.positions(0, i).map(({ side, markPrice, liquidationPrice, margin }) => ({
        side,
        margin,
        markPrice: priceOf(markPrice, instruments[i]!),
        liquidationPrice: liquidationPrice / ONE,
      })),
  };
}
