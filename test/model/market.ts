/** Prices as the venue reads them off the market. */
import type { ModelOrder, World } from './world.ts';

/**
 * Mark price: the last trade, moved into the spread where the book has left it behind; before the first trade the middle of
 * the book, rounded down; 0 before any market.
 */
export function markOf(w: World, i: number): number {
  const { book, last } = w.markets[i]!;
  if (book === null) return last;
  if (last > 0) {
    if (last < book.bid) return book.bid;
    return book.ask > 0 && last > book.ask ? book.ask : last;
  }
  if (book.bid === 0 || book.ask === 0) return book.bid + book.ask;
  return Math.floor((book.bid + book.ask) / 2);
}

/** What "by last" watches: the last trade, or the mark on a tape without trades. */
export function lastOf(w: World, i: number): number {
  return w.markets[i]!.last || markOf(w, i);
}

/** By what a market order is reckoned: what it would take, else the mark. */
export function referenceOf(w: World, i: number, isBuy: boolean): number {
  const { book } = w.markets[i]!;
  const opposite = book === null ? 0 : isBuy ? book.ask : book.bid;
  return opposite > 0 ? opposite : markOf(w, i);
}

/** Whether an order would take: it reaches the opposite quote or, before there is a book, the last trade. */
export function crosses(w: World, i: number, isBuy: boolean, isMarket: boolean, price: number): boolean {
  if (isMarket) return true;
  const { book, last } = w.markets[i]!;
  const opposite = book === null ? last : isBuy ? book.ask : book.bid;
  if (opposite === 0) return false;
  return isBuy ? price >= opposite : price <= opposite;
}

export const orderCrosses = (w: World, o: ModelOrder): boolean => crosses(w, o.instrument, o.isBuy, o.isMarket, o.price);

/** Whether price `a` is the better one for a buyer (higher) or seller (lower). */
export const isBetter = (isBuy: boolean, a: number, b: number): boolean => (isBuy ? a > b : a < b);
