/**
 * @hot Brings an order to its market: it takes, rests in the book, moves or leaves. Book side, queue ahead and watch prices are updated
 * together.
 */
import * as accountTrades from './account-trades.ts';
import type { MarketState } from '../state/market-state.ts';
import * as match from './match.ts';
import type { Order } from '../state/order.ts';
import type { SimState } from '../state/state.ts';

const { meetOthers } = accountTrades;
const { take } = match;

/** Brings a new order to the market: it takes what it crosses, and the rest of it rests. Returns its number. */
export function introduce(s: SimState, order: Order): number {
  const market = order.market;
  if (s.isObserved || market.crosses(order.isSell, order.key)) return introduceObserved(s, market, order);
  market.rest(order);
  return order.no;
}

/** The same if there is a ledger, or accounts trade with each other. */
function introduceObserved(s: SimState, market: MarketState, order: Order): number {
  const no = order.no;
  if (s.ledger !== null) s.ledger.order(no);
  if (s.isCrossing && meetOthers(s, market, order)) return no;
  if (!market.crosses(order.isSell, order.key)) market.rest(order);
  else if (!take(s, market, order)) wait(market, order);
  return no;
}

/**
 * For an order that a trade beyond the quote triggered. The quote is older than that trade, so the order waits for the next quote and
 * takes from it.
 */
export function introduceLate(s: SimState, order: Order): void {
  if (s.ledger !== null) s.ledger.order(order.no);
  wait(order.market, order);
}

/** Puts the order into the book as one that continues to take. */
function wait(market: MarketState, order: Order): void {
  order.isTaking = true;
  market.taking++;
  market.side(order.isSell).insert(order);
  market.watch();
}

/** Removes the order from the book. */
export function leave(market: MarketState, order: Order): void {
  market.leave(order, market.side(order.isSell).placeOf(order));
}
