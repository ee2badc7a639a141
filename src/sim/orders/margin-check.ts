/**
 * @hot Decides whether the sides of its bracket and the account's state allow a new or modified order. Refusals come in the order of the error
 * table. Nothing is changed, except the two results of `checkOpen`.
 */
import type { Leg } from '../state/account.ts';
import type { MarketState } from '../state/market-state.ts';
import { FARTHEST } from '../state/resting.ts';
import type { SimState } from '../state/state.ts';

/** Price at which an opening order enters (A69): its limit, or the opposite quote if that is better or `limit` is 0. 0 for neither. */
export function entryOf({ bid, ask }: MarketState, isSell: boolean, limit: number): number {
  const opposite = isSell ? bid : ask;
  if (opposite === 0 || opposite === FARTHEST) return limit;
  if (limit === 0 || (isSell ? opposite > limit : opposite < limit)) return opposite;
  return limit;
}

/**
 * True if take-profit and stop-loss of an order that opens LONG or SHORT (`isShort`) lie on their sides of the entry price (A69). 0 for a
 * trigger that it does not have. `entry` 0: not known, so all are allowed.
 */
export function checkBracket(s: SimState, isShort: boolean, takeProfit: number, stopLoss: number, entry: number): boolean {
  if (!s.checksBracketSide || entry === 0) return true;
  const up = isShort ? -1 : 1;
  const isOnSide = (takeProfit <= 0 || (takeProfit - entry) * up > 0) && (stopLoss <= 0 || (entry - stopLoss) * up > 0);
  return isOnSide || s.deny('price-invalid');
}

/** True if a trigger order, or the opening order that it creates, is allowed. */
export function checkTrigger(
  s: SimState,
  leg: Leg,
  isMarket: boolean,
  price: number,
  size: number,
  isIsolated: boolean,
  isSell: boolean,
): boolean {
  const market = leg.market;
  if (leg.pair.isIsolated !== isIsolated && leg.pair.hasPosition()) return s.deny('margin-mode-conflict');
  if (size > market.maxSize) return s.deny('size-too-large');
  if (size < market.minSize) return s.deny('size-too-small');
  if (price <= 0 && !isMarket) return s.deny('price-required');
  return checkOpen(s, leg, isSell, isMarket ? 0 : price, size, size, isIsolated, 0);
}

/**
 * True if the leg can open these lots. `more`: lots beyond those that the order has already claimed; `hold`: money that it already holds.
 * Stores the margin in `s.margin` and its price in `s.computed`. `price` is 0 for a market order.
 */
export function checkOpen(
  s: SimState,
  leg: Leg,
  isSell: boolean,
  price: number,
  size: number,
  more: number,
  isIsolated: boolean,
  hold: number,
): boolean {
  const market = leg.market;
  const at = market.computed(isSell, price);
  // There is no price yet to value it.
  if (at === 0) return s.deny('price-required');
  const unit = at * market.unitValue;
  if ((leg.total + leg.opening + more) * unit > leg.maxValue) return s.deny('size-too-large');
  const value = size * unit;
  if (value < market.minNotional) return s.deny('size-too-small');
  const margin = leg.marginOf(value);
  s.margin = margin;
  s.computed = at;
  const account = leg.account;
  const usable = isIsolated ? account.movable() : account.available();
  return margin <= usable + hold || s.deny('insufficient-balance');
}
