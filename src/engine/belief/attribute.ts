/**
 * Fills without a fills endpoint. The position is the truth and orders are its explanations: a change of a leg is given to the live
 * orders of that leg by price, then time, as the venue matches them.
 */
import { BUY, CLOSE, directionOf, OPEN, PLACE, PLACE_TRIGGER } from '../../domain/codes.ts';
import type { Core } from '../core.ts';
import { fillOrder } from '../exec/ending.ts';
import type { Orders } from './orders.ts';

/**
 * Explains `gap` lots (positive: opened, negative: closed) of `leg`, seen by a read that left at `sentAt`, by fills of own orders.
 * Returns what is left unexplained; calls `filledUp` for each order that is now full.
 */
export function attribute(core: Core, leg: number, gap: number, sentAt: number, filledUp: (slot: number) => void): number {
  let left = Math.abs(gap);
  for (const slot of candidates(core.orders, leg, gap > 0 ? OPEN : CLOSE, sentAt)) {
    if (left === 0) break;
    const lots = Math.min(left, core.orders.remaining(slot));
    left -= lots;
    fillOrder(core, slot, lots, core.orders.price[slot]!);
    if (core.orders.remaining(slot) === 0) filledUp(slot);
  }
  return gap > 0 ? left : left === 0 ? 0 : -left;
}

/** Orders that may have filled before the read left, in the order in which they would have. Plan orders come last. */
function candidates(orders: Orders, leg: number, effect: number, sentAt: number): number[] {
  const found: number[] = [];
  const side = leg & 1;
  for (let slot = orders.head[leg >> 1]!; slot >= 0; slot = orders.next[slot]!) {
    const kind = orders.kind[slot]!;
    if (kind !== PLACE && kind !== PLACE_TRIGGER) continue;
    if (orders.side[slot] !== side || orders.effect[slot] !== effect || orders.settled[slot] === 1) continue;
    if (orders.createdAt[slot]! < sentAt && orders.remaining(slot) > 0) found.push(slot);
  }
  const better = directionOf(side, effect) === BUY ? -1 : 1;
  return found.sort((a, b) => {
    const plan = Number(orders.kind[a] === PLACE_TRIGGER) - Number(orders.kind[b] === PLACE_TRIGGER);
    const market = Number(orders.price[b] === 0) - Number(orders.price[a] === 0);
    const price = (orders.price[a]! - orders.price[b]!) * better;
    return plan || market || price || orders.createdAt[a]! - orders.createdAt[b]! || orders.seq[a]! - orders.seq[b]!;
  });
}
