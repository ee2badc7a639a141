/**
 * Funding: at fixed times each open leg pays or receives a share of its value at the mark price. If the rate is positive, longs pay shorts.
 * Long and short legs of the accounts need not match; the clearing account books the difference.
 */
import { mulDivCeil, mulDivFloor } from '../../domain/amounts/scale.ts';
import { ONE } from '../../domain/amounts/units.ts';
import type { Account, Leg } from '../state/account.ts';
import type { Funding } from '../state/funding-terms.ts';
import { SLOW_UNITS, type MarketState } from '../state/market-state.ts';
import type { SimState } from '../state/state.ts';

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
export function payFunding(s: SimState, funding: Funding, at: number): void {
  for (const market of s.markets) payFundingOf(s, funding, market, at);
}

/** The same for the legs in one market. */
export function payFundingOf(s: SimState, { model }: Funding, market: MarketState, at: number): void {
  if (market.isSpot) return;
  const slow = Math.floor(market.slowMid / SLOW_UNITS);
  const { symbol } = market.instrument;
  const rate = model.rate({ symbol, configured: market.fundingRate, mark: market.mark(), slow }, at);
  if (rate === 0) return;
  for (const account of s.accounts) {
    const { long, short } = account.pairs[market.index]!;
    if (long.total > 0) settle(s, account, long, fundingOf(long, rate));
    if (short.total > 0) settle(s, account, short, fundingOf(short, rate));
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
  account.tap?.funded?.();
  s.sink?.funded?.(account.index, leg.market.index, leg.side, amount);
}
