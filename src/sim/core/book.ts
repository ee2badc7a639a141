/**
 * @hot How an order comes into a line's book, moves in it and leaves it: the side it rests at, the lots ahead of it, and the prices
 * that the line watches go together.
 */
import type { Line } from './line.ts';
import type { Order } from './order.ts';
import * as models from './state.ts';
import type { SimState } from './state.ts';

const { QUEUE } = models;

/** The order rests as a maker. Answers its number. */
export function rest(s: SimState, line: Line, order: Order): number {
  const key = order.key;
  if (order.isSale) {
    if (s.model === QUEUE) order.ahead = line.aheadOfSale(key);
    line.sells.insert(order);
    if (key < line.watchHigh) line.watchHigh = key;
  } else {
    if (s.model === QUEUE) order.ahead = line.aheadOfBuy(key);
    line.buys.insert(order);
    if (key > line.watchLow) line.watchLow = key;
  }
  return order.no;
}

/** The order, the best of its side, rests where it rested, at its new price. Answers its number. */
export function stay(s: SimState, line: Line, order: Order): number {
  const key = order.key;
  if (order.isSale) {
    if (s.model === QUEUE) order.ahead = line.aheadOfSale(key);
    line.sells.top = key;
    if (line.taking === 0) line.watchHigh = key < line.triggerHigh ? key : line.triggerHigh;
  } else {
    if (s.model === QUEUE) order.ahead = line.aheadOfBuy(key);
    line.buys.top = key;
    if (line.taking === 0) line.watchLow = key > line.triggerLow ? key : line.triggerLow;
  }
  return order.no;
}

/** The order rests and goes on taking. */
export function wait(line: Line, order: Order): void {
  order.isTaking = true;
  line.taking++;
  line.side(order.isSale).insert(order);
  line.watch();
}

/** The order rests no more. */
export function leave(line: Line, order: Order): void {
  line.side(order.isSale).remove(order);
  if (order.isTaking) line.taking--;
  line.left(order);
}
