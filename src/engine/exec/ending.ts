/** The two things that end up in every ledger: a fill and an end. Both are written, shown and counted here. @hot */
import { CLOSE, PLACE_SPOT } from '../../domain/codes.ts';
import { FILLED, REFUSED, REJECTED } from '../../domain/order.ts';
import type { Core } from '../core.ts';

/** `lots` more of the order filled at `price` ticks (an average may lie between two; 0: not known). The leg moves with it. */
export function fillOrder(core: Core, slot: number, lots: number, price: number): void {
  const orders = core.orders;
  orders.fill(slot, lots);
  if (orders.seq[slot]! !== 0) core.journal.fill(orders.seq[slot]!, lots, Math.round(price), core.now);
  if (orders.kind[slot] !== PLACE_SPOT) {
    const leg = 2 * orders.instrument[slot]! + orders.side[slot]!;
    const closes = orders.effect[slot] === CLOSE;
    if (closes) core.portfolio.closed(leg, lots, core.now);
    else core.portfolio.opened(leg, lots, price, core.now);
    core.notices.leg(leg, closes ? -lots : lots, false);
  }
  core.notices.order(slot, lots, price, '', '');
}

/**
 * The order ended. Its fills are final at once when they are pushed or when nothing can have filled; otherwise the next position
 * read that began later settles them.
 */
export function endOrder(core: Core, slot: number, how: number, why: string, detail: string): void {
  const orders = core.orders;
  orders.transition(slot, how);
  orders.endedAt[slot] = core.now;
  const isFinal =
    core.isPushed ||
    how === REJECTED ||
    how === REFUSED ||
    orders.kind[slot] === PLACE_SPOT ||
    (how === FILLED && orders.filled[slot] === orders.size[slot]);
  if (isFinal) orders.settled[slot] = 1;
  core.journal.ended(orders.seq[slot]!, how, orders.filled[slot]!, core.now);
  core.notices.order(slot, 0, 0, why, detail);
  orders.releaseIfDone(slot);
}
