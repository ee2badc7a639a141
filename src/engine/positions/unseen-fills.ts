/** Own orders whose fills may not all be known yet: until they are, a read may show the known total of a leg by chance. */
import { OPEN } from '../../domain/codes.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { VenueOffset } from '../market/venue-offset.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Order } from '../state/records/order.ts';

/** The shared state that this file uses. */
export interface UnseenFillsCore extends Core {
  readonly orders: Orders;
  readonly venueOffset: VenueOffset;
}

/** Largest error of the estimated venue clock (market/venue-offset.ts), in milliseconds. */
const CLOCK_SLACK_MS = 1_000;

/** True if an opening order may have fills that are not known yet. Then the leg may not be flat, and its brackets stay. */
export function mayHoldMore({ orders }: UnseenFillsCore, leg: Leg): boolean {
  return orders.of[leg.index >> 1]!.known().some((order) => order.effect === OPEN && mayFillUnseen(order, leg));
}

/** Venue time up to which every fill of an own order of the leg is known; Infinity if no order may have others. */
export function unseenSince({ orders, venueOffset }: UnseenFillsCore, leg: Leg): number {
  let since = Infinity;
  for (const order of orders.of[leg.index >> 1]!.known()) {
    if (!mayFillUnseen(order, leg)) continue;
    const madeAt = order.createdAt + venueOffset.leastSince(order.createdAt) - CLOCK_SLACK_MS;
    // A list that showed no other fill was not older than this.
    const shownAt = order.isAlive && order.shownMost <= order.filled ? order.shownFresh - 1 : -Infinity;
    since = Math.min(since, Math.max(madeAt, shownAt));
  }
  return since;
}

function mayFillUnseen(order: Order, leg: Leg): boolean {
  return order.leg === leg && !order.isSettled && (order.isAlive ? order.remaining : order.maybeFilled) > 0;
}
