/**
 * @hot Trades between accounts, if `SimSpec.crossing` is on. A taking order first meets resting limit orders of other accounts that are at
 * least as good as the best recorded price. It trades at their price: best price first, then oldest first. The rest of it meets the
 * recorded book. A resting order of the same account in its way is cancelled, so no account trades with itself. Waiting market orders have
 * no price and are skipped. Such a trade is not on the tape: it changes no market price and fires no trigger. Before the first row of a
 * market there are no trades, because a leg could not be valued.
 */
import * as states from '../../domain/orders/order.ts';
import * as kinds from '../state/kinds.ts';
import type { Account } from '../state/account.ts';
import { fill, finish, TAKES } from './fills.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import * as resting from '../state/resting.ts';
import type { Resting } from '../state/resting.ts';
import { affordableLots } from './spot-settle.ts';
import type { SimState } from '../state/state.ts';

const { FARTHEST } = resting;
const { CANCELLED } = states;
const { SPOT } = kinds;

/** Matches a taking order with orders of other accounts. Returns true if it ended. */
export function meetOthers(s: SimState, market: MarketState, order: Order): boolean {
  if (market.mark() === 0) return false;
  const side = order.isSell ? market.buys : market.sells;
  const worst = worstPrice(market, order.isSell, order.key);
  side.reach(worst);
  let hasEnded = false;
  for (let at = side.count - 1; at >= 0 && !hasEnded; at--) {
    const other = side.orders[at]!;
    if (other.isMarket) continue;
    if ((other.key - worst) * side.sign < 0) break;
    if (other.account === order.account) {
      market.leave(other, at);
      finish(s, other, CANCELLED);
    } else hasEnded = trade(s, order, side, at);
  }
  return hasEnded;
}

/** True if an order with this limit would trade with another account. */
export function wouldMeet(market: MarketState, account: Account, isSell: boolean, price: number): boolean {
  if (market.mark() === 0) return false;
  const side = isSell ? market.buys : market.sells;
  side.reach(price);
  for (let at = side.count - 1; at >= 0; at--) {
    const other = side.orders[at]!;
    if (other.isMarket) continue;
    if ((other.key - price) * side.sign < 0) return false;
    if (other.account !== account) return true;
  }
  return false;
}

/** The worst price it may trade at: its limit, or the best price of the recorded market if that is better. */
function worstPrice(market: MarketState, isSell: boolean, key: number): number {
  if (isSell) return Math.max(key, market.hasBook ? market.bid : market.last);
  const best = market.hasBook ? market.ask : market.last;
  return best > 0 && best < FARTHEST ? Math.min(key, best) : key;
}

/** Trades with the resting order at index `at`. Returns true if the taking order ended. */
function trade(s: SimState, order: Order, side: Resting, at: number): boolean {
  const other = side.orders[at]!;
  const price = other.key;
  let size = Math.min(order.size - order.filled, other.size - other.filled);
  if (order.kind === SPOT && order.isMarket && !order.isSell) {
    size = affordableLots(order, price, size);
    if (size === 0) {
      finish(s, order, CANCELLED);
      return true;
    }
  }
  const isWhole = order.filled + size === order.size;
  fill(s, other, price, size, at);
  fill(s, order, price, size, TAKES);
  return isWhole;
}
