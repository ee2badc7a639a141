/** Prices that the venue derives from the market. */
import { Decimal } from './money.ts';
import type { OrderRequest } from './rules.ts';
import type { ModelOrder, World } from './world.ts';

/** The mid price, rounded down to a tick, or the only side; 0 without a book. */
function midOf(w: World, i: number): number {
  const { book } = w.markets[i]!;
  if (book === null) return 0;
  return book.bid === 0 || book.ask === 0 ? book.bid + book.ask : Math.floor((book.bid + book.ask) / 2);
}

/**
 * Mark price: the slow mid price (the mid price itself without one) clamped between the last trade and the mid price. Without a book the
 * last trade, without a trade the mid price, 0 before any market.
 */
export function markOf(w: World, i: number): number {
  const { last, slow } = w.markets[i]!;
  const mid = midOf(w, i);
  if (last === 0 || mid === 0) return last + mid;
  const center = slow === null ? mid : slow.div(1024).floor().toNumber();
  return [last, mid, center].toSorted((a, b) => a - b)[1]!;
}

/**
 * At a check `elapsed` ms after the last one, the slow mid price moves that share of 30 s towards the mid price, in whole 1024ths of a
 * tick.
 */
export function followMid(w: World, i: number, elapsed: number): void {
  const market = w.markets[i]!;
  const target = new Decimal(midOf(w, i)).times(1024);
  if (target.isZero()) return;
  const { slow } = market;
  if (slow === null || elapsed >= 30_000) market.slow = target;
  else {
    const way = target.minus(slow);
    const step = way.abs().times(elapsed).div(30_000).floor();
    market.slow = way.isNegative() ? slow.minus(step) : slow.plus(step);
  }
}

/** The price for "by last": the last trade, or the mark on a tape without trades. */
export function lastOf(w: World, i: number): number {
  return w.markets[i]!.last || markOf(w, i);
}

/** The price to value a market order: the price it would fill at, else the mark. */
export function referenceOf(w: World, i: number, isBuy: boolean): number {
  const { book } = w.markets[i]!;
  const opposite = book === null ? 0 : isBuy ? book.ask : book.bid;
  return opposite > 0 ? opposite : markOf(w, i);
}

/** The price to value an opening order: a sell at its limit, or at the price it would fill at if that is higher; 0 without a market. */
export function computedAt(
  w: World,
  { instrument: i, isBuy, isMarket, price }: Pick<OrderRequest, 'instrument' | 'isBuy' | 'isMarket' | 'price'>,
): number {
  if (isBuy && !isMarket) return price;
  const taken = referenceOf(w, i, isBuy);
  return isMarket || taken === 0 ? taken : Math.max(taken, price);
}

/** True if an order would take: it reaches the opposite quote or, without a book, the last trade. */
export function crosses(w: World, i: number, isBuy: boolean, isMarket: boolean, price: number): boolean {
  if (isMarket) return true;
  const { book, last } = w.markets[i]!;
  const opposite = book === null ? last : isBuy ? book.ask : book.bid;
  if (opposite === 0) return false;
  return isBuy ? price >= opposite : price <= opposite;
}

export const orderCrosses = (w: World, o: ModelOrder): boolean => crosses(w, o.instrument, o.isBuy, o.isMarket, o.price);

/** True if price `a` is better for a buyer (higher) or seller (lower). */
export const isBetter = (isBuy: boolean, a: number, b: number): boolean => (isBuy ? a > b : a < b);
