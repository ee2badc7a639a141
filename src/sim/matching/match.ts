/**
 * @hot Matches orders with market rows. Takers take the displayed size of the opposite quote at its price. That size stays taken until
 * price or size of that side changes. Resting orders fill at their own price, better price first, then older first:
 * - touch: a trade at the price or beyond it, or the opposite quote reaching the price;
 * - through: a trade or the opposite quote strictly beyond the price;
 * - queue: a trade beyond the price or the opposite quote reaching it, and a trade at the price by an aggressor of the other
 *   direction once the queue ahead has traded. The queue ahead is the size displayed at the order's price when it joins the best level,
 *   and zero if it improves the best price. If it joins a deeper level, it is the size displayed when that level first becomes the best.
 *   If the displayed size falls below the queue ahead, the queue shrinks to it. If the best price moves behind the order, it is zero.
 * - prob-queue: as queue, and lots that left the level without a trade are taken from before and behind the order in proportion.
 * Orders share the size of one trade or quote.
 */
import type { ImpactModel } from '../../domain/models/impact.ts';
import * as states from '../../domain/orders/order.ts';
import * as kinds from '../state/kinds.ts';
import * as accountTrades from './account-trades.ts';
import * as fills from './fills.ts';
import type { MarketState } from '../state/market-state.ts';
import * as orders from '../state/order.ts';
import type { Order } from '../state/order.ts';
import * as resting from '../state/resting.ts';
import type { Resting } from '../state/resting.ts';
import * as spot from './spot-settle.ts';
import type { SimState } from '../state/state.ts';

const { AHEAD_UNKNOWN } = orders;
const { FARTHEST } = resting;
const { CANCELLED } = states;
const { SPOT } = kinds;
const { meetOthers } = accountTrades;
const { fill, finish, TAKES } = fills;
const { affordableLots } = spot;

/** Matches a market trade that reached a watch price. The market state already contains it. */
export function matchTrade(s: SimState, market: MarketState, price: number, size: number, aggressor: number): void {
  if (!market.hasBook && market.taking > 0) resume(s, market);
  const isAbove = price > market.buys.top;
  const left = matchSide(s, isAbove ? market.sells : market.buys, price, size, aggressor);
  if (!isAbove && price >= market.sells.top) matchSide(s, market.sells, price, left, aggressor);
}

/** Matches the resting orders of one direction with a trade. Returns the remaining size of the trade. */
function matchSide(s: SimState, side: Resting, price: number, size: number, aggressor: number): number {
  if (price !== side.top || !s.hasQueue) return sweep(s, side, price, size, aggressor);
  return aggressor === side.hitBy ? matchQueue(s, side, price, size) : size;
}

/** The same for a trade beyond the best price, or without the queue model. */
function sweep(s: SimState, side: Resting, price: number, size: number, aggressor: number): number {
  const sign = side.sign;
  side.reach(price);
  let left = size;
  for (let at = side.count - 1; at >= 0 && left > 0; at--) {
    const order = side.orders[at]!;
    const beyond = (order.key - price) * sign;
    if (beyond < 0) break;
    if (order.isTaking) continue;
    if (beyond === 0 && !s.fillsAtTouch) return s.hasQueue && aggressor === side.hitBy ? matchQueue(s, side, price, left) : left;
    const open = order.size - order.filled;
    const part = open < left ? open : left;
    left -= part;
    order.ahead = 0;
    fill(s, order, order.key, part, at);
  }
  return left;
}

/**
 * Queue model: matches the level at the trade's price; better levels are already filled. Lots of others and our orders trade in the order
 * in which they joined. Size that trades ahead shortens the queue of every order of the level.
 */
function matchQueue(s: SimState, side: Resting, price: number, size: number): number {
  if (side.followsLevel && price === side.shownAt) side.tradedSince += size;
  side.reach(price);
  let left = size;
  let eaten = 0;
  for (let at = side.count - 1; at >= 0; at--) {
    const order = side.orders[at]!;
    if (order.isTaking) continue;
    if (order.key !== price) break;
    const ahead = order.ahead;
    if (ahead === AHEAD_UNKNOWN) continue;
    const more = ahead - eaten;
    if (more >= left) {
      order.ahead = more - left;
      eaten += left;
      left = 0;
      continue;
    }
    if (more > 0) {
      eaten = ahead;
      left -= more;
    }
    order.ahead = 0;
    const open = order.size - order.filled;
    const part = open < left ? open : left;
    if (part === 0) continue;
    left -= part;
    fill(s, order, order.key, part, at);
  }
  return left;
}

/** Matches a quote row that reached a watch price. The market state already contains it. */
export function matchQuote(s: SimState, market: MarketState): void {
  const buys = market.buys;
  const sells = market.sells;
  const bid = market.bid;
  const ask = market.ask;
  if (market.taking > 0) resume(s, market);
  if (buys.top >= ask) {
    market.askLeft = meetQuote(s, buys, ask, market.askLeft);
    if (market.askLeft < market.askSize) market.isDepleted = true;
  }
  if (sells.top <= bid) {
    market.bidLeft = meetQuote(s, sells, bid, market.bidLeft);
    if (market.bidLeft < market.bidSize) market.isDepleted = true;
  }
  if (buys.top >= bid) followQueue(s, buys, bid, market.bidSize);
  if (sells.top <= ask) followQueue(s, sells, ask, market.askSize);
}

/** Fills the orders that the opposite quote reaches from its displayed size. Returns the remaining size. */
function meetQuote(s: SimState, side: Resting, opposite: number, shown: number): number {
  const isBuying = side.sign > 0;
  const limit = s.needsBeyond ? opposite + side.sign : opposite;
  side.reach(limit);
  let left = shown;
  for (let at = side.count - 1; at >= 0; at--) {
    const order = side.orders[at]!;
    if (isBuying ? order.key < limit : order.key > limit) break;
    if (order.isTaking) continue;
    order.ahead = 0;
    const open = order.size - order.filled;
    const size = open < left ? open : left;
    if (size === 0) continue;
    left -= size;
    fill(s, order, order.key, size, at);
  }
  return left;
}

/** Updates the queue ahead of orders at the best price of their side; orders better than it have no queue. */
function followQueue(s: SimState, side: Resting, best: number, bestSize: number): void {
  side.reach(best);
  if (s.cancelledAhead !== null) cancelAhead(side, best, bestSize, s.cancelledAhead);
  const isBuying = side.sign > 0;
  for (let at = side.count - 1; at >= 0; at--) {
    const order = side.orders[at]!;
    const key = order.key;
    if (isBuying ? key < best : key > best) return;
    if (order.isTaking) continue;
    if (key !== best) order.ahead = 0;
    else if (order.ahead === AHEAD_UNKNOWN || order.ahead > bestSize) order.ahead = bestSize;
  }
}

/**
 * Lots of the best level that are gone since the last row, and were not traded, were cancelled. The fill model says how many of them stood
 * before each of our orders.
 */
function cancelAhead(side: Resting, best: number, bestSize: number, cancelledAhead: NonNullable<SimState['cancelledAhead']>): void {
  const total = side.shownSize - side.tradedSince;
  const gone = side.shownAt === best ? total - bestSize : 0;
  side.show(best, bestSize);
  if (gone <= 0) return;
  for (let at = side.count - 1; at >= 0; at--) {
    const order = side.orders[at]!;
    if (order.isTaking || order.key !== best || order.ahead === AHEAD_UNKNOWN || order.ahead <= 0) continue;
    order.ahead -= cancelledAhead(gone, order.ahead, total);
  }
}

/** Lets resting takers continue at a quote row, or without a book at a trade. Those that no longer cross become makers without a queue. */
function resume(s: SimState, market: MarketState): void {
  resumeSide(s, market, market.buys);
  resumeSide(s, market, market.sells);
  market.watch();
}

function resumeSide(s: SimState, market: MarketState, side: Resting): void {
  side.reachAll();
  for (let at = side.count - 1; at >= 0; at--) {
    const order = side.orders[at]!;
    if (!order.isTaking) continue;
    if (s.isCrossing && meetOthers(s, market, order)) {
      side.removeAt(at, order);
      market.taking--;
    } else if (!market.crosses(order.isSell, order.key)) {
      order.isTaking = false;
      market.taking--;
    } else if (take(s, market, order)) {
      side.removeAt(at, order);
      market.taking--;
    }
  }
}

/**
 * Fills a crossing order from the remaining size of the opposite quote. Without a book it fills completely at the last trade. Returns true
 * if the order ended.
 */
export function take(s: SimState, market: MarketState, order: Order): boolean {
  const isSell = order.isSell;
  const open = order.size - order.filled;
  let price = market.hasBook ? (isSell ? market.bid : market.ask) : market.last;
  if (price === 0 || price === FARTHEST) return false;
  const left = market.hasBook ? (isSell ? market.bidLeft : market.askLeft) : open;
  let size = open < left ? open : left;
  if (size === 0) return false;
  if (order.kind === SPOT && order.isMarket && !isSell) {
    size = affordableLots(order, price, size);
    if (size === 0) {
      finish(s, order, CANCELLED);
      return true;
    }
  }
  if (s.impact !== null) price = moved(s.impact[market.index]!, order, price, size);
  if (market.hasBook) {
    if (isSell) market.bidLeft -= size;
    else market.askLeft -= size;
    market.isDepleted = true;
  }
  fill(s, order, price, size, TAKES);
  return size === open;
}

/** The price with the impact of the order itself: never beyond its limit, never below one tick. */
function moved(impact: ImpactModel, order: Order, price: number, size: number): number {
  const ticks = impact.ticks(order.filledValue + price * size * order.market.unitValue, price);
  if (order.isSell) return Math.max(price - ticks, order.isMarket ? 1 : order.key);
  return order.isMarket ? price + ticks : Math.min(price + ticks, order.key);
}
