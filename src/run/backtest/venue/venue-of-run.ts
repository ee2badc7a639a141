/** The simulated venue of a backtest. */
import type { Instrument } from '../../../domain/instrument.ts';
import { VenueSim } from '../../../sim/core/venue-core.ts';
import type { SimSpec } from '../../../sim/state/types.ts';
import type { BacktestOptions } from '../../setup/options.ts';
import { feeModelOf, KEPT_FOR_POLLS, simTerms, type MeasuredTerms } from '../../setup/sim-terms.ts';
import type { RunCounters } from '../counts/run-counters.ts';
import type { MarketView } from './market-view.ts';
import { ratesOf, type VenueRows } from './venue-rows.ts';

/** The coin of the result. */
export function coinOf(instruments: readonly Instrument[]): string {
  return instruments[0]?.quoteCoin ?? 'USDT';
}

/** What the simulator takes from the tape, and how the bot sees the market. */
interface MarketTerms {
  readonly impact: MeasuredTerms | null;
  readonly venueRows: VenueRows;
  readonly sees: MarketView;
}

/** The simulator, with the rules of `exchange` that decide about the orders of one account. Data that only polls need is not kept without polls. */
export function simFor(
  { config, tape }: BacktestOptions,
  instruments: readonly Instrument[],
  counters: RunCounters,
  { impact, venueRows, sees }: MarketTerms,
): VenueSim {
  const { deposits, fillModel } = config.simulation;
  const { blockedExits, bracketsBy, bracketSide, modify } = config.exchange;
  const { leverages, ...terms } = simTerms(config.simulation, { impact, funding: () => ratesOf(venueRows, tape) });
  const spec: SimSpec = {
    instruments,
    accounts: [{ name: 'bot', futures: deposits[coinOf(instruments)] ?? '0', spot: deposits, leverage: leverages }],
    fillModel,
    blockedExits,
    bracketsBy,
    bracketSide,
    modify,
    ...terms,
    marks: venueRows.marks,
    noSlowMid: sees === 'bars',
    fees: feeModelOf(config.simulation),
    ...(sees === 'polls' ? KEPT_FOR_POLLS : { historyLimit: 0, keepTrades: 0 }),
    keepStats: sees === 'polls',
  };
  return new VenueSim(spec, counters);
}
