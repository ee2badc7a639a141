/** Creates the market state of each instrument, and logs prices that the filter does not accept. */
import { priceOf, type Instrument } from '../../domain/instrument.ts';
import type { Core } from './core.ts';
import { numberOf, statedOf } from './limits.ts';
import type { RiskLimits } from '../../domain/limits.ts';
import { MarketState } from '../market/market-state.ts';
import { PriceFilter } from '../market/price-filter.ts';

/** One per instrument. `isPushed`: prices arrive in real time. */
export function marketsOf(instruments: readonly Instrument[], limits: RiskLimits, isPushed: boolean): readonly MarketState[] {
  return instruments.map(
    (one) => new MarketState(new PriceFilter(numberOf('maxPriceJump', statedOf(limits, 'maxPriceJump', one)), isPushed)),
  );
}

/** Notes prices at which a bracket may have fired, unless its fills are pushed. */
export function saw({ brackets, isPushed }: Core, instrument: number, low: number, high: number, venueTime: number): void {
  if (brackets.isAny && !isPushed) brackets.saw(instrument, low, high, venueTime);
}

/** Reports a price that the filter did not accept: rejected as invalid, or held until other evidence is read. */
export function reportDoubtful(core: Core, i: number, bid: number, ask: number): void {
  const instrument = core.instruments[i]!;
  const { symbol } = instrument;
  const { filter } = core.market[i]!;
  const isHeld = filter.heldTicks > 0 && bid > 0 && ask >= bid;
  const price = (ticks: number): number => priceOf(ticks, instrument);
  const fields = { symbol, bid: price(bid), ask: price(ask), believed: price(filter.accepted) };
  core.counters.count(isHeld ? 'price-held' : 'quote-rejected', symbol, core.now, fields);
  if (isHeld) core.wantsEvidence(i);
}

/** Reports a quote whose time is ahead of the venue's own clock. */
export function reportAhead(core: Core, i: number, byMs: number): void {
  const { symbol } = core.instruments[i]!;
  core.counters.count('quote-time-ahead', symbol, core.now, { symbol, byMs });
}
