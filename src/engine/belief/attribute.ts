/**
 * Fills without a fills endpoint. The position is the truth and orders are its explanations: a change of a leg is given first to the
 * orders that the venue could no longer find, then to the live ones by price and time, as the venue matches them, then to those that
 * were cancelled: these filled at most in part, or their cancel would not have been taken.
 */
import { BUY, CLOSE, directionOf, OPEN, PLACE, PLACE_TRIGGER } from '../../domain/codes.ts';
import type { Core } from '../core.ts';
import { fillOrder } from '../exec/ending.ts';
import type { Order, Orders } from './orders.ts';

/**
 * Explains `gap` lots (positive: opened, negative: closed) of `leg`, seen by a read that left at `sentAt`, by fills of own orders.
 * Returns what is left unexplained; calls `filledUp` for each order that is now full.
 */
export function attribute(core: Core, leg: number, gap: number, sentAt: number, filledUp: (order: Order) => void): number {
  let left = Math.abs(gap);
  for (const order of candidates(core.orders, leg, gap > 0 ? OPEN : CLOSE, sentAt)) {
    if (left === 0) break;
    const lots = Math.min(left, mostOf(order));
    left -= lots;
    fillOrder(core, order, lots, likelyPrice(order));
    order.inferred += lots;
    if (order.remaining === 0) filledUp(order);
  }
  return gap > 0 ? left : left === 0 ? 0 : -left;
}

/** At what price the next lots of it filled: what its record says of all or of the first of them, else its limit, else 0. */
function likelyPrice(order: Order): number {
  const isAverage = order.price === 0 || !order.isAlive || order.filled === 0;
  return isAverage && order.average > 0 ? order.average : order.price;
}

/** Orders that may have filled before the read left, in the order in which they would have. Plan orders come last. */
function candidates(orders: Orders, leg: number, effect: number, sentAt: number): Order[] {
  const found: Order[] = [];
  const side = leg & 1;
  for (const order of orders.of[leg >> 1]!.known()) {
    const kind = order.kind;
    if (kind !== PLACE && kind !== PLACE_TRIGGER) continue;
    if (order.side !== side || order.effect !== effect || order.isSettled) continue;
    if (order.createdAt < sentAt && mostOf(order) > 0) found.push(order);
  }
  const better = directionOf(side, effect) === BUY ? -1 : 1;
  return found.sort((a, b) => {
    const rank = rankOf(a) - rankOf(b);
    const plan = Number(a.kind === PLACE_TRIGGER) - Number(b.kind === PLACE_TRIGGER);
    const market = Number(b.price === 0) - Number(a.price === 0);
    const price = (a.price - b.price) * better;
    return rank || plan || market || price || a.createdAt - b.createdAt || a.seq - b.seq;
  });
}

/** The record of `order` proves that it filled whole: what was inferred for it and for its rivals casts doubt on the leg's total. */
export function proveFilled(core: Core, order: Order, price: number): void {
  const lots = order.remaining;
  if (lots === 0) return;
  let others = 0;
  for (const one of order.desk.orders.known()) {
    if (one !== order && !one.isSettled && one.side === order.side && one.effect === order.effect) others += one.inferred;
  }
  order.leg.proven(order.effect, lots, others, order.inferred);
  fillOrder(core, order, lots, price);
}

/** Lots that may still have filled: an order that was cancelled was not full. */
function mostOf(order: Order): number {
  return order.isAlive ? order.remaining : order.remaining - 1;
}

function rankOf(order: Order): number {
  if (!order.isAlive) return 2;
  return order.missing > 0 ? 0 : 1;
}
