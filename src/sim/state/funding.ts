/**
 * Funding: at fixed times each open leg pays or receives a share of its value at the mark price. If the rate is positive, longs pay shorts.
 * Long and short legs of the accounts need not match; the clearing account books the difference.
 */
import { assert } from '../../base/assert.ts';
import { FUNDING_MAX } from '../../domain/instrument.ts';
import { mulDivCeil, mulDivFloor, parseScaled } from '../../domain/scale.ts';
import { RATE_DECIMALS } from '../../domain/units.ts';
import type { FundingSpec } from './terms.ts';
import type { Account, Leg } from './account.ts';
import { SLOW_UNITS, type MarketState } from './market-state.ts';
import type { SimState } from './state.ts';

const ONE = 100_000_000;
/** Premium model: largest difference between premium and configured rate that is corrected, 0.05 %. */
const BAND = 50_000;

export interface FundingTerms {
  readonly everyMs: number;
  readonly isPremium: boolean;
  /** 10^-8. */
  readonly rate: number;
}

/** @throws AssertionError | ScaleError if the values are invalid */
export function fundingTerms({ everyMs, model, rate: text }: FundingSpec): FundingTerms {
  assert(Number.isInteger(everyMs) && everyMs >= 1_000 && everyMs % 1_000 === 0, 'funding.everyMs is a whole number of seconds');
  const rate = parseScaled(text, RATE_DECIMALS);
  assert(Math.abs(rate) <= FUNDING_MAX, 'a funding rate is at most 0.0075 either way');
  return { everyMs, isPremium: model === 'premium', rate };
}

/** The first funding time after `time`. Funding times are multiples of the interval since 1970: every 8 hours means 0, 8 and 16 UTC. */
export function fundingAfter(terms: FundingTerms, time: number): number {
  return (Math.floor(time / terms.everyMs) + 1) * terms.everyMs;
}

/**
 * The current rate in 10⁻⁸. `constant`: the configured rate I. `premium`: P = trunc((mark − S) · 10⁸ / S) with S =
 * floor(slowMiddle / 1024), then min(max(P + min(max(I − P, −BAND), BAND), −0.75 %), 0.75 %); I if there is no slow mid.
 */
function fundingRate(terms: FundingTerms, market: MarketState): number {
  const configured = market.fundingRate;
  const slow = Math.floor(market.slowMiddle / SLOW_UNITS);
  if (!terms.isPremium || slow === 0) return configured;
  const premium = Math.trunc(((market.mark() - slow) * ONE) / slow);
  const drawn = premium + Math.min(Math.max(configured - premium, -BAND), BAND);
  return Math.min(Math.max(drawn, -FUNDING_MAX), FUNDING_MAX);
}

/**
 * Signed amount that the leg receives at this rate: value · |rate| / 10⁸ at the mark, rounded against the leg. An isolated leg pays at
 * most its margin.
 */
function fundingOf(leg: Leg, rate: number): number {
  const isPayer = rate > 0 === (leg.side === 0);
  if (!isPayer) return mulDivFloor(leg.value(), Math.abs(rate), ONE);
  const due = mulDivCeil(leg.value(), Math.abs(rate), ONE);
  return -(leg.pair.isIsolated ? Math.min(due, leg.margin) : due);
}

/** Pays funding for every leg of every account: cross legs from the wallet, isolated legs from their own margin. */
export function payFunding(s: SimState, terms: FundingTerms): void {
  for (const market of s.markets) {
    if (market.isSpot) continue;
    const rate = fundingRate(terms, market);
    if (rate === 0) continue;
    for (const account of s.accounts) {
      const { long, short } = account.pairs[market.index]!;
      if (long.total > 0) settle(s, account, long, fundingOf(long, rate));
      if (short.total > 0) settle(s, account, short, fundingOf(short, rate));
    }
  }
  s.clearing.assertBalanced();
}

function settle(s: SimState, account: Account, leg: Leg, amount: number): void {
  if (amount === 0) return;
  account.funding += amount;
  s.clearing.moved(amount);
  leg.funding += amount;
  leg.updatedAt = s.now;
  if (leg.pair.isIsolated) {
    leg.margin += amount;
    account.isolatedMargin += amount;
  }
  s.clearing.funded(amount);
  s.ledger?.cash(account.index, s.coin, amount, 'funding', 0, 'futures');
}
