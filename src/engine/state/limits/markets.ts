/** Creates the market state of each instrument. */
import type { Instrument } from '../../../domain/instrument.ts';
import { numberOf, statedOf } from './limits.ts';
import type { RiskLimits } from '../../../domain/limits.ts';
import { MarketState } from '../../market/market-state.ts';
import { PriceFilter } from '../../market/price-filter.ts';

/** One per instrument. `isRealTime`: every price arrives at its own time. */
export function marketsOf(instruments: readonly Instrument[], limits: RiskLimits, isRealTime: boolean): readonly MarketState[] {
  return instruments.map(
    (one) => new MarketState(new PriceFilter(numberOf('maxPriceJump', statedOf(limits, 'maxPriceJump', one)), isRealTime)),
  );
}
