/** The two things that end up in every ledger: a fill and an end. Both are written, shown and counted here. @hot */
import * as codes from '../../domain/codes.ts';
import * as states from '../../domain/order.ts';
import type { Leg } from '../state/leg.ts';
import { isLost } from '../state/lost-triggers.ts';
import type { Order } from '../state/orders.ts';
import type { Core } from '../state/core.ts';

const { CLOSE, PLACE_SPOT, PLACE_TRIGGER } = codes;
const { CANCELLED, REFUSED, REJECTED, REPLACED, WORKING } = states;

/** `lots` more of the order filled at `price` ticks (an average may lie between two; 0: not known). The leg moves with it. */
export function fillOrder(core: Core, order: Order, lots: number, price: number): void {
  const orders = core.orders;
  orders.fill(order, lots);
  if (order.seq !== 0) core.journal.fill(order.seq, lots, Math.round(price), core.now);
  if (core.brackets.isAny) core.brackets.filled(order.seq, lots, price, order.recordAt);
  if (core.guards.hasSlippage) core.guards.filled(order, price);
  if (order.kind !== PLACE_SPOT) {
    moveLeg(core, order.leg, order.effect, lots, price, order.owner, order.postOnly !== 0);
    if (!core.isPushed) noteLeg(core, order.leg);
  }
  core.strategyEvents.order(order, lots, price, '', '');
}

/** Writes down what fills prove of the leg: a run after this one begins with it. */
export function noteLeg(core: Core, { index, total, provenAt, shownAt }: Leg): void {
  core.journal.leg(index, total, Math.max(0, provenAt, shownAt), core.now);
}

/** A fill moves the leg: of an order of `owner`, or of an exit that the venue ordered for us. */
function moveLeg(core: Core, leg: Leg, effect: number, lots: number, price: number, owner = core.nobody, isMaker = false): void {
  if (core.losses.isOn) core.losses.filled(leg, effect, lots, price, owner, isMaker);
  const closes = effect === CLOSE;
  if (closes) leg.closed(lots, core.now);
  else leg.opened(lots, price, core.now);
  core.strategyEvents.leg(leg, closes ? -lots : lots, false);
}

/**
 * The order ended. Its fills are final at once when they are pushed or when nothing can have filled; otherwise its record settles them, and
 * until then the leg may have what it could still have filled.
 */
export function endOrder(core: Core, order: Order, how: number, why: string, detail: string): void {
  const orders = core.orders;
  orders.transition(order, how);
  order.endedAt = core.now;
  const isSettled = core.isPushed || isFinal(order, how, why);
  core.journal.ended(order.seq, how, order.filled, isSettled, core.now);
  core.strategyEvents.order(order, 0, 0, why, detail);
  if (order.quote !== null) core.quoteQueue.ended(order.quote, order, how);
  if (isSettled) {
    if (!core.isPushed && isLost(order.kind, order.filled, true)) core.lostTriggers.add(order);
    return letGo(core, order);
  }
  // A cancel that was taken left something to cancel.
  const most = order.isEndRead ? order.shownMost - order.filled : order.remaining - (why === '' ? 1 : 0);
  orders.doubt(order, Math.max(0, most));
  if (order.unsure === 0) settleOrder(core, order);
  else core.onUnsettled(order);
}

/** How much the order filled is known for good. */
export function settleOrder(core: Core, order: Order): void {
  core.journal.settled(order.seq, order.filled, core.now);
  if (isLost(order.kind, order.filled, false)) core.lostTriggers.add(order);
  letGo(core, order);
}

/** Nothing more will be known of the order. */
function letGo(core: Core, order: Order): void {
  if (core.losses.isOn) core.losses.settled(order.seq);
  if (core.brackets.isAny) core.brackets.settled(order.seq);
  core.orders.settle(order);
}

/** Whether nothing more can turn out to have filled of an order that has ended so. */
function isFinal(order: Order, how: number, why: string): boolean {
  // Only an order that has not traded can be replaced (interface §3.1).
  if (order.kind === PLACE_TRIGGER && how === CANCELLED && why === '') return true;
  // No record with our client id shows what a trigger order became: that it did not land is not known, unless it never left.
  if (order.kind === PLACE_TRIGGER && how === REFUSED && why !== 'unsent') return false;
  return how === REJECTED || how === REFUSED || how === REPLACED || order.kind === PLACE_SPOT || order.filled === order.size;
}

/** The order has taken the place of the one that it replaces, if any: that one has ended, and the order counts in the exposure for both. */
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

/** Something of the order is pushed, or read of its end: the venue has it, whether its acceptance has come or not. */
export function arrived(core: Core, order: Order): void {
  if (order.state !== WORKING) endReplaced(core, order);
}
