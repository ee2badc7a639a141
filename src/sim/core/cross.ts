/**
 * @hot Accounts trade with each other, where the venue lets them (`SimSpec.crossing`). An order that arrives or goes on taking first
 * meets the resting limit orders of other accounts that are at least as good as the recorded book's best: at their price, best price
 * first, oldest first within a price. What is left of it meets the book. A resting order of its own account that stands in its
 * way is cancelled, so that nobody trades with himself. A market order that waits for size has no price and is not met. The tape
 * knows nothing of such a trade: it moves no price, and no trigger. Before the first row of a market nobody trades: nothing could
 * say what a leg is worth.
 */
import * as states from '../../domain/order.ts';
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

/** Lets the order, which rests in no book or takes, meet the others. Returns true when it has ended by it. */
export function meetOthers(s: SimState, market: MarketState, order: Order): boolean {
  if (market.mark() === 0) return false;
  const side = order.isSell ? market.buys : market.sells;
  const worst = worstPrice(market, order.isSell, order.key);
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

/** Whether an order of this limit would meet an order of another account. */
export function wouldMeet(market: MarketState, account: Account, isSell: boolean, price: number): boolean {
  if (market.mark() === 0) return false;
  const side = isSell ? market.buys : market.sells;
  for (let at = side.count - 1; at >= 0; at--) {
    const other = side.orders[at]!;
    if (other.isMarket) continue;
    if ((other.key - price) * side.sign < 0) return false;
    if (other.account !== account) return true;
  }
  return false;
}

/** The order's own limit or the best price of the recorded market, whichever is nearer: what is beyond it is not met. */
function worstPrice(market: MarketState, isSell: boolean, key: number): number {
  if (isSell) return Math.max(key, market.hasBook ? market.bid : market.last);
  const best = market.hasBook ? market.ask : market.last;
  return best > 0 && best < FARTHEST ? Math.min(key, best) : key;
}

/** The order against the one at place `at`. Returns true when the order has ended by it. */
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
