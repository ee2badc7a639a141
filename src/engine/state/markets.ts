/** The market of each instrument, and what is said of prices that are not believed. */
import { priceOf, type Instrument } from '../../domain/instrument.ts';
import type { Core } from './core.ts';
import { numberOf, statedOf } from './limits.ts';
import type { RiskLimits } from '../../domain/limits.ts';
import { MarketState } from '../market/market-state.ts';
import { PriceFilter } from '../market/price-filter.ts';

/** By instrument. `isPushed`: prices are seen as they are made. */
export function marketsOf(instruments: readonly Instrument[], limits: RiskLimits, isPushed: boolean): readonly MarketState[] {
  return instruments.map(
    (one) => new MarketState(new PriceFilter(numberOf('maxPriceJump', statedOf(limits, 'maxPriceJump', one)), isPushed)),
  );
}

/** A price that is not believed: rejected as no price at all, or held until other evidence comes, which is asked for. */
export function reportDoubtful(core: Core, i: number, bid: number, ask: number): void {
  const instrument = core.instruments[i]!;
  const { symbol } = instrument;
  const { filter } = core.market[i]!;
  const isHeld = filter.heldTicks > 0 && bid > 0 && ask >= bid;
  const price = (ticks: number): number => priceOf(ticks, instrument);
  const fields = { symbol, bid: price(bid), ask: price(ask), believed: price(filter.believed) };
  core.counters.count(isHeld ? 'price-held' : 'quote-rejected', symbol, core.now, fields);
  if (isHeld) core.wantsEvidence(i);
}

/** A quote of a time that the venue's own clock has not reached. */
export function reportAhead(core: Core, i: number, byMs: number): void {
  const { symbol } = core.instruments[i]!;
  core.counters.count('quote-time-ahead', symbol, core.now, { symbol, byMs });
}
