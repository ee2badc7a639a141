/**
 * Funding: at fixed times each open leg pays or receives a share of its value at the mark price. If the rate is positive, longs pay shorts.
 * Long and short legs of the accounts need not match; the clearing account books the difference.
 */
import { assert } from '../../base/assert.ts';
import { FUNDING_MAX } from '../../domain/instrument.ts';
import { FUNDING_MODELS, type FundingModel } from '../../domain/models/funding.ts';
import { mulDivCeil, mulDivFloor, parseScaled } from '../../domain/scale.ts';
import { RATE_DECIMALS, ONE } from '../../domain/units.ts';
import type { FundingSpec } from './terms.ts';
import type { Account, Leg } from './account.ts';
import { SLOW_UNITS } from './market-state.ts';
import type { SimState } from './state.ts';

export interface Funding {
  readonly model: FundingModel;
  /** 10^-8, of instruments without a rate of their own. */
  readonly rate: number;
}

/** null for no funding. @throws AssertionError | ScaleError when the terms are not sound */
export function fundingOfSpec({ everyMs, model, rate: text, recorded = [] }: FundingSpec): Funding | null {
  assert(Number.isInteger(everyMs) && everyMs >= 1_000 && everyMs % 1_000 === 0, 'funding.everyMs is a whole number of seconds');
  const rate = parseScaled(text, RATE_DECIMALS);
  assert(Math.abs(rate) <= FUNDING_MAX, 'a funding rate is at most 0.0075 either way');
  const made = FUNDING_MODELS[model].make({ everyMs, recorded });
  return made === null ? null : { model: made, rate };
}

/**
 * Signed amount that the leg receives at this rate: value · |rate| / 10⁸ at the mark, rounded against the leg. An isolated leg pays at
 * most its margin.
 */
function fundingOf(leg: Leg, rate: number): number {
  // mutant: shorts pay the funding of longs
  const isPayer = rate > 0 === (leg.side === 0);
  if (!isPayer) return mulDivFloor(leg.value(), Math.abs(rate), ONE);
  // mutant: funding is paid rounded down
  const due = mulDivCeil(leg.value(), Math.abs(rate), ONE);
  // mutant: funding takes more than an isolated margin
  return -(leg.pair.isIsolated ? Math.min(due, leg.margin) : due);
}

/** Pays funding for every leg of every account: cross legs from the wallet, isolated legs from their own margin. */
export function payFunding(s: SimState, { model }: Funding, at: number): void {
  for (const market of s.markets) {
    if (market.isSpot) continue;
    const slow = Math.floor(market.slowMiddle / SLOW_UNITS);
    const { symbol } = market.instrument;
    const rate = model.rate({ symbol, configured: market.fundingRate, mark: market.mark(), slow }, at);
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
  s.sink?.funded?.(account.index, leg.market.index, leg.side, amount);
}
