/** The limit of open orders of an account on a symbol (A73). */
import type { Account } from '../state/account.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import type { SimState } from '../state/state.ts';

/** True if the account has as many resting orders and waiting trigger orders of the market as it may have. */
export function isFull(s: SimState, account: Account, market: MarketState): boolean {
  if (s.openOrders === 0) return false;
  let count = 0;
  const add = (order: Order): void => {
    if (order.account === account) count++;
  };
  market.buys.forEach(add);
  market.sells.forEach(add);
  market.triggerOrders.forEach(add);
  return count >= s.openOrders;
}
