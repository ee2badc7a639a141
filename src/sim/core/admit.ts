/**
 * @hot Whether an order may exist, or become another, as the account stands: the venue's refusals in the order of its error table.
 * Nothing is changed but what `admitOpen` leaves.
 */
import type { Leg } from '../state/account.ts';
import type { SimState } from '../state/state.ts';

/** Whether a plan may exist, or the order that it becomes: one that opens. */
export function admitTrigger(
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
  return admitOpen(s, leg, isSell, isMarket ? 0 : price, size, size, isIsolated, 0);
}

/**
 * Whether so many lots may be opened, `more` than the order has claimed; it holds back the money `hold` by now. Leaves the margin in
 * `s.margin` and the price from which it is computed in `s.computed`. `price` is 0 for a market order.
 */
export function admitOpen(
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
  // Nothing says yet what it would be worth.
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
