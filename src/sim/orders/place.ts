/**
 * @hot Places, modifies and cancels futures orders. Refusals come in the order of the error table. A modify creates a new order with a new
 * number at the back of the queue. If it is refused, the old order is unchanged.
 */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import * as states from '../../domain/orders/order.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import * as kinds from '../state/kinds.ts';
import type { Account } from '../state/account.ts';
import * as marginCheck from './margin-check.ts';
import * as book from '../matching/book.ts';
import * as creation from './create.ts';
import * as accountTrades from '../matching/account-trades.ts';
import * as fills from '../matching/fills.ts';
import * as openOrders from './open-orders.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import { rescan } from '../state/brackets.ts';
import type { SimState } from '../state/state.ts';
import { onlyMakes } from '../../domain/orders/time-in-force.ts';

const { CLOSE, MARKET } = codes;
const { CANCELLED, WORKING } = states;
const { FUTURES, TRIGGER, SPOT } = kinds;
const { checkBracket, checkOpen, entryOf } = marginCheck;
const { introduce, leave } = book;
const { claim, create, setBracket } = creation;
const { wouldMeet } = accountTrades;
const { finish, replace } = fills;
const { isFull } = openOrders;

/** Places a futures order (E12). Returns its number, or 0 with `refusal`. */
export function place(s: SimState, account: Account, c: Command, tag: number): number {
  const pair = account.pairs[c.instrument];
  if (pair === undefined || pair.market.isSpot) return s.refuse('unknown-instrument');
  const market = pair.market;
  const leg = c.side === 0 ? pair.long : pair.short;
  const isClose = c.effect === CLOSE;
  const isSell = c.side !== c.effect;
  const isIsolated = c.marginMode === 1;
  const isMarket = c.type === MARKET;
  const price = isMarket ? 0 : c.price;
  const size = c.size;
  const hasExits = c.takeProfit > 0 || c.stopLoss > 0;
  if (hasExits && !isClose && !checkBracket(s, isSell, c.takeProfit, c.stopLoss, entryOf(market, isSell, price))) return 0;
  if (isClose && leg.total === 0) return s.refuse('no-position');
  if (pair.isIsolated !== isIsolated && pair.hasPosition()) return s.refuse('margin-mode-conflict');
  if (size > market.maxSize) return s.refuse('size-too-large');
  if (size < (isClose ? 1 : market.minSize)) return s.refuse('size-too-small');
  if (price <= 0 && !isMarket) return s.refuse('price-required');
  if (!isClose && !checkOpen(s, leg, isSell, price, size, size, isIsolated, 0)) return 0;
  if (onlyMakes(c.force) && (isMarket || wouldTake(s, leg.market, leg.account, isSell, price))) return s.refuse('would-take');
  if (isClose && size > leg.total - leg.locked) return s.refuse('exceeds-position');
  if (!isClose && isFull(s, account, market)) return s.refuse('size-too-large');
  const order = create(s, leg, FUTURES, c.side, c.effect, price, size, tag);
  order.force = c.force;
  if (hasExits) setBracket(order, c.takeProfit, c.takeProfitLimit, c.stopLoss, c.stopLossLimit);
  claim(s, order, isIsolated);
  return introduce(s, order);
}

/** True if an order with this limit would take from the book or from another account. */
function wouldTake(s: SimState, market: MarketState, account: Account, isSell: boolean, price: number): boolean {
  return market.crosses(isSell, price) || (s.isCrossing && wouldMeet(market, account, isSell, price));
}

/** The account's working order of this number, or null with `refusal`. */
function workingOrder(s: SimState, a: number, no: number): Order | null {
  const order = s.orders.find(no);
  if (order !== null && order.status === WORKING && order.account.index === a) return order;
  s.refusal = 'order-not-found';
  return null;
}

/** Cancels a working order: futures (E15), trigger (E16), or spot (E2) with `isSpot`. */
export function cancel(s: SimState, a: number, no: number, isSpot: boolean): boolean {
  const order = workingOrder(s, a, no);
  if (order === null) return false;
  if ((order.kind === SPOT) !== isSpot) return s.deny('order-not-found');
  return end(s, order);
}

/** Cancels the order of a record that the caller holds. */
export function cancelOrder(s: SimState, order: Order): boolean {
  if (order.kind === SPOT) return s.deny('order-not-found');
  return end(s, order);
}

function end(s: SimState, order: Order): boolean {
  withdraw(s, order);
  finish(s, order, CANCELLED);
  return true;
}

/** Removes an order from the book or from the trigger orders. The caller ends it. */
export function withdraw(s: SimState, order: Order): void {
  if (order.kind === TRIGGER) withdrawTrigger(s, order);
  else leave(order.market, order);
}

/** Removes a trigger order. */
export function withdrawTrigger(s: SimState, order: Order): void {
  const triggerOrders = order.market.triggerOrders;
  triggerOrders.splice(triggerOrders.indexOf(order), 1);
  if (order.isByMark) s.markPlans--;
  rescan(order.market);
}

/** Modifies an order (E14). Returns the new order's number, or 0 with `refusal`. */
export function modify(s: SimState, a: number, no: number, c: Command, tag: number): number {
  const order = workingOrder(s, a, no);
  if (order === null) return 0;
  s.made = order;
  return modifyOrder(s, order, c, tag);
}

/**
 * Modifies the order of a record that the caller holds. Only a futures order without a fill can be modified; others are 'order-not-found'.
 * A price, size or trigger of 0 keeps the old value. Returns the new order's number, or 0 with `refusal`. After a refusal the old order is
 * unchanged, unless the venue cancels first and the account's state was the reason.
 */
export function modifyOrder(s: SimState, order: Order, c: Command, tag: number): number {
  if (order.kind !== FUTURES || order.filled > 0) return s.refuse('order-not-found');
  if (c.price <= 0 && c.size <= 0 && c.takeProfit <= 0 && c.stopLoss <= 0) return s.refuse('nothing-to-modify');
  if (c.price > 0 && order.isMarket) return s.refuse('price-invalid');
  const price = c.price > 0 ? c.price : order.price;
  const size = c.size > 0 ? c.size : order.size;
  const more = size - order.size;
  const leg = order.leg;
  const market = order.market;
  const isSell = order.isSell;
  if (
    order.effect !== CLOSE &&
    !checkBracket(s, isSell, takeProfitAfter(order, c), stopLossAfter(order, c), entryOf(market, isSell, price))
  )
    return refuseChange(s, order, s.refusal);
  if (onlyMakes(order.force) && wouldTake(s, market, order.account, isSell, price)) return refuseChange(s, order, 'price-invalid');
  if (size > market.maxSize) return refuseChange(s, order, 'size-too-large');
  if (order.effect === CLOSE) {
    if (more > leg.total - leg.locked) return refuseChange(s, order, 'exceeds-position');
  } else {
    if (size < market.minSize) return refuseChange(s, order, 'size-too-small');
    if (!checkOpen(s, leg, isSell, price, size, more, order.isIsolated, order.hold)) return refuseChange(s, order, s.refusal);
  }
  // The fast path below is only for a change of price and size of the best order, without ledger and crossing.
  if (c.takeProfit > 0 || c.stopLoss > 0 || s.isObserved || order.isTaking) return reinsert(s, order, c, price, size, tag);
  if (market.crosses(isSell, price) || !market.side(isSell).isFirst(order, price)) return reinsert(s, order, c, price, size, tag);
  applyModify(s, order, price, size, tag);
  order.key = price;
  market.stay(order);
  return order.no;
}

/** Refuses a modify: the order is unchanged, or cancelled if the venue cancels first. */
function refuseChange(s: SimState, order: Order, reason: Reason): 0 {
  if (s.cancelsToModify) {
    withdraw(s, order);
    finish(s, order, CANCELLED);
  }
  return s.refuse(reason);
}

/** Removes the order and brings the new one to the market. Returns its number. */
function reinsert(s: SimState, order: Order, c: Command, price: number, size: number, tag: number): number {
  leave(order.market, order);
  order.isTaking = false;
  order.ahead = 0;
  applyModify(s, order, price, size, tag);
  if (!order.isMarket) order.key = price;
  if (c.takeProfit > 0 || c.stopLoss > 0) changeBracket(order, c);
  return introduce(s, order);
}

/** Turns the record into the new order and adjusts its claims by the result of `checkOpen`. */
function applyModify(s: SimState, order: Order, price: number, size: number, tag: number): void {
  const leg = order.leg;
  const more = size - order.size;
  replace(s, order, tag);
  order.size = size;
  order.price = price;
  if (order.effect === CLOSE) {
    leg.locked += more;
    return;
  }
  const margin = s.margin;
  leg.opening += more;
  order.account.holds += margin - order.hold;
  order.hold = margin;
  order.holdPrice = s.computed;
}

/** Changes the bracket of an order. */
function changeBracket(order: Order, c: Command): void {
  const { hasExits } = order;
  const takeProfit = takeProfitAfter(order, c);
  const stopLoss = stopLossAfter(order, c);
  setBracket(order, takeProfit, hasExits ? order.takeProfitLimit : 0, stopLoss, hasExits ? order.stopLossLimit : 0);
}

/** Take-profit trigger of an order after a modify, in which 0 keeps the old one. 0 for none. */
function takeProfitAfter(order: Order, c: Command): number {
  return c.takeProfit > 0 ? c.takeProfit : order.hasExits ? order.takeProfit : 0;
}

/** Stop-loss trigger of an order after a modify, in which 0 keeps the old one. 0 for none. */
function stopLossAfter(order: Order, c: Command): number {
  return c.stopLoss > 0 ? c.stopLoss : order.hasExits ? order.stopLoss : 0;
}
