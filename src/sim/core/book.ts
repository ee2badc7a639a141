/**
 * @hot How an order comes to a line's market and into its book, moves in it and leaves it: the side it rests at, the lots ahead of it,
 * and the prices that the line watches go together.
 */
import * as cross from './cross.ts';
import type { MarketState } from '../state/market-state.ts';
import * as match from './match.ts';
import type { Order } from '../state/order.ts';
import type { SimState } from '../state/state.ts';

const { meetOthers } = cross;
const { take } = match;

/** The order meets the market: it takes what it crosses, and the rest of it rests. Answers its number. */
export function introduce(s: SimState, order: Order): number {
  const market = order.market;
  if (s.isHeard || market.crosses(order.isSell, order.key)) return introduceTold(s, market, order);
  market.rest(order);
  return order.no;
}

/** The same where the ledger hears of it, or somebody is there to trade with. */
function introduceTold(s: SimState, market: MarketState, order: Order): number {
  const no = order.no;
  if (s.ledger !== null) s.ledger.order(no);
  if (s.isCrossing && meetOthers(s, market, order)) return no;
  if (!market.crosses(order.isSell, order.key)) market.rest(order);
  else if (!take(s, market, order)) wait(market, order);
  return no;
}

/**
 * An order that a trade set off beyond the quote: that quote is of before the trade, so the order waits for the next one and takes
 * what it shows.
 */
export function introduceLate(s: SimState, order: Order): void {
  if (s.ledger !== null) s.ledger.order(order.no);
  wait(order.market, order);
}

/** The order rests and goes on taking. */
function wait(market: MarketState, order: Order): void {
  order.isTaking = true;
  market.taking++;
  market.side(order.isSell).insert(order);
  market.watch();
}

/** The order rests no more. */
export function leave(market: MarketState, order: Order): void {
  market.leave(order, market.side(order.isSell).placeOf(order));
}
