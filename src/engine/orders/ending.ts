/**
 * Books the two events that every ledger needs: a fill and the end of an order. Each is journaled, shown to strategies and counted here.
 * @hot
 */
import * as codes from '../../domain/codes.ts';
import { waitsForTrigger } from '../../domain/command-traits.ts';
import * as states from '../../domain/order.ts';
import type { Leg } from '../state/records/leg.ts';
import { isLost } from '../state/records/lost-triggers.ts';
import type { Order } from '../state/records/orders.ts';
import type { Core } from '../state/core.ts';
import { onlyMakes } from '../../domain/time-in-force.ts';

const { CLOSE, PLACE_SPOT } = codes;
const { CANCELLED, REFUSED, REJECTED, REPLACED, UNKNOWN, WORKING } = states;

/** `lots` more of the order filled at `price` ticks (an average, so it may be fractional; 0: unknown). The leg changes with it. */
export function fillOrder(core: Core, order: Order, lots: number, price: number): void {
  const orders = core.orders;
  orders.fill(order, lots);
  if (order.seq !== 0) {
    core.journal.fill(order.seq, lots, Math.round(price), order.worth, core.now);
    core.onFill?.(order, lots, price);
  }
  if (core.brackets.isAny) core.brackets.filled(order.seq, lots, price, order.recordAt);
  if (core.guards.hasSlippage) core.guards.filled(order, price);
  if (order.kind !== PLACE_SPOT) {
    moveLeg(core, order.leg, order.effect, lots, price, order.owner, onlyMakes(order.force));
    if (!core.isPushed) journalLeg(core, order.leg);
  }
  core.strategyEvents.order(order, lots, price, '', '');
}

/** Journals what fills prove of the leg, for recovery after a restart. */
export function journalLeg(core: Core, leg: Leg): void {
  core.journal.leg(leg, core.now);
}

/** Applies a fill to the leg, from an order of `owner` or from a bracket at the venue. */
function moveLeg(core: Core, leg: Leg, effect: number, lots: number, price: number, owner = core.nobody, isMaker = false): void {
  if (core.losses.isOn) core.losses.filled(leg, effect, lots, price, owner, isMaker);
  const closes = effect === CLOSE;
  if (closes) leg.closed(lots, core.now);
  else leg.opened(lots, price, core.now);
  core.strategyEvents.leg(leg, closes ? -lots : lots, false);
}

/**
 * Ends the order. Its fills are final at once if they are pushed or if nothing can have filled. Otherwise its record settles them, and
 * until then the leg's range includes what it may have filled.
 */
export function endOrder(core: Core, order: Order, how: number, why: string, detail: string): void {
  const orders = core.orders;
  const mayBeReplaced = how === CANCELLED && order.state === UNKNOWN;
  orders.happens(order, how);
  if (mayBeReplaced) passExposure(core, order);
  order.endedAt = core.now;
  order.leg.endedAt = core.now;
  const isSettled = core.isPushed || isFinal(order, how, why);
  core.journal.ended(order.seq, how, order.filled, isSettled, core.now);
  core.strategyEvents.order(order, 0, 0, why, detail);
  if (order.quote !== null) core.quoteQueue.ended(order.quote, order, how);
  if (isSettled) {
    if (!core.isPushed && isLost(order, true, core.explained)) core.lostTriggers.add(order);
    return finalise(core, order);
  }
  // A successful cancel proves that at least one lot had not filled.
  const most = order.isEndRead ? Math.min(order.remaining, order.shownMost - order.filled) : order.remaining - (why === '' ? 1 : 0);
  orders.doubt(order, Math.max(0, most));
  if (order.unsure === 0) settleOrder(core, order);
  else core.onUnsettled(order);
}

/**
 * An order whose modify has no outcome yet has ended: the modify may have replaced it. Its replacement, known or not, now counts in the
 * exposure with all that it may fill.
 */
function passExposure(core: Core, order: Order): void {
  for (const one of order.context.orders.known()) {
    if (one.replaces === order.seq && one.isAlive) core.orders.reserve(one, one.remaining);
  }
}

/** The fills of the order are final. */
export function settleOrder(core: Core, order: Order): void {
  core.journal.settled(order.seq, order.filled, core.now);
  if (isLost(order, false, core.explained)) core.lostTriggers.add(order);
  finalise(core, order);
}

/** No further information about the order will arrive. */
function finalise(core: Core, order: Order): void {
  if (core.losses.isOn) core.losses.settled(order.seq);
  if (core.brackets.isAny) core.brackets.settled(order.seq);
  core.orders.settle(order);
}

/** True if an order that ended this way cannot report further fills. */
function isFinal(order: Order, how: number, why: string): boolean {
  // Only an order that has not traded can be replaced (interface §3.1).
  if (waitsForTrigger(order.kind) && how === CANCELLED && why === '') return true;
  // No record with our client id shows the result of a trigger order, so it may have landed unless it was never sent.
  if (waitsForTrigger(order.kind) && how === REFUSED && why !== 'unsent') return false;
  return how === REJECTED || how === REFUSED || how === REPLACED || order.kind === PLACE_SPOT || order.filled === order.size;
}

/** The order has replaced the one that it names, if any: that one ends, and its exposure moves to this order. */
export function endReplaced(core: Core, order: Order): void {
  if (order.replaces === 0) return;
  const old = order.replaced;
  if (old === null || !old.isAlive) {
    if (order.isAlive) core.orders.reserve(order, order.remaining);
    return;
  }
  if (old.isCancelWanted) order.isCancelWanted = true;
  if (order.isAlive) core.orders.succeed(old, order);
  endOrder(core, old, REPLACED, '', '');
}

/** A push or a read shows the order at the venue, possibly before its acceptance has arrived. */
export function arrived(core: Core, order: Order): void {
  if (order.state !== WORKING) endReplaced(core, order);
}
