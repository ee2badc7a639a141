/**
 * @hot Orders come and go: admission with the venue's refusals in the order of its error table, arrival at the market, cancel
 * and modify. A modify makes a new order with a new number at the back of its queue; if it is refused the old order is as it was.
 * size: the whole way of an order in, through and out, in the order of the venue's questions
 */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import * as states from '../../domain/order.ts';
import type { Reason } from '../../domain/outcome.ts';
import * as kinds from '../kinds.ts';
import type { Leg } from './account.ts';
import * as cross from './cross.ts';
import * as fills from './fills.ts';
import type { Line } from './line.ts';
import * as match from './match.ts';
import * as orders from './order.ts';
import type { Order } from './order.ts';
import { rescan } from './protection.ts';
import * as resting from './resting.ts';
import * as models from './state.ts';
import type { SimState } from './state.ts';

const { AHEAD_UNKNOWN } = orders;
const { FARTHEST } = resting;
const { QUEUE } = models;
const { CLOSE, LIMIT, MARKET } = codes;
const { CANCELLED, WORKING } = states;
const { FUTURES, PLAN, SPOT } = kinds;
const { meetOthers, wouldMeet } = cross;
const { finish, marginOf, replace } = fills;
const { take } = match;

/** Notes why, and answers 0. */
export function refuse(s: SimState, reason: Reason): 0 {
  s.refusal = reason;
  return 0;
}

/** Notes why, and answers false. */
export function deny(s: SimState, reason: Reason): false {
  s.refusal = reason;
  return false;
}

/** A futures order (E12). Answers its number, or 0 with `refusal`. */
export function place(s: SimState, a: number, c: Command, tag: number): number {
  const pair = s.accounts[a]!.pairs[c.instrument];
  if (pair === undefined || pair.line.isSpot) return refuse(s, 'unknown-instrument');
  const leg = c.side === 0 ? pair.long : pair.short;
  const isSale = c.side !== c.effect;
  const isMarket = c.type === MARKET;
  const isFit = admit(s, leg, c.effect, c.type, c.price, c.size, c.marginMode === 1, isSale);
  // Of the table's rows only the last, a close of too much, comes after this one.
  if (c.postOnly === 1 && (isFit || s.refusal === 'exceeds-position') && (isMarket || wouldTake(s, leg, isSale, c.price)))
    return refuse(s, 'would-take');
  if (!isFit) return 0;
  const order = create(s, leg, FUTURES, c.side, c.effect, isMarket ? 0 : c.price, c.size, tag);
  order.isPostOnly = c.postOnly === 1;
  if (c.takeProfit > 0 || c.stopLoss > 0) setExits(order, c.takeProfit, c.takeProfitLimit, c.stopLoss, c.stopLossLimit);
  claim(s, order, c.marginMode === 1);
  return introduce(s, order);
}

/** Whether a futures order may exist; false with `refusal`. Leaves what `admitOpen` leaves, and changes nothing else. */
export function admit(
  s: SimState,
  leg: Leg,
  effect: number,
  type: number,
  price: number,
  size: number,
  isIsolated: boolean,
  isSale: boolean,
): boolean {
  const line = leg.line;
  const isClose = effect === CLOSE;
  if (isClose && leg.total === 0) return deny(s, 'no-position');
  if (leg.pair.isIsolated !== isIsolated && leg.pair.hasPosition()) return deny(s, 'margin-mode-conflict');
  if (!isSizeFit(s, line, size, isClose)) return false;
  if (type === LIMIT && price <= 0) return deny(s, 'price-required');
  if (isClose) return admitClose(s, leg, size, 0);
  return admitOpen(s, leg, isSale, type === LIMIT ? price : 0, size, isIsolated, 0, 0);
}

function isSizeFit(s: SimState, line: Line, size: number, isClose: boolean): boolean {
  if (size > line.maxSize) return deny(s, 'size-too-large');
  if (size <= 0 || (!isClose && size < line.minSize)) return deny(s, 'size-too-small');
  return true;
}

/** Whether so many lots may be closed; of those that wait to be, the order itself has `own`. */
function admitClose(s: SimState, leg: Leg, size: number, own: number): boolean {
  if (size > leg.total - leg.locked + own) return deny(s, 'exceeds-position');
  return true;
}

/**
 * Whether so many lots may be opened; of what is claimed already the order itself has `own` lots and the money `hold`. Leaves the margin
 * in `s.margin` and the price by which it is reckoned in `s.reckoned`. `price` is 0 for a market order.
 */
function admitOpen(
  s: SimState,
  leg: Leg,
  isSale: boolean,
  price: number,
  size: number,
  isIsolated: boolean,
  own: number,
  hold: number,
): boolean {
  const line = leg.line;
  const at = line.reckoned(isSale, price);
  // Nothing says yet what it would be worth.
  if (at === 0) return deny(s, 'price-required');
  const unit = at * line.unitValue;
  if ((leg.total + leg.opening - own + size) * unit > leg.maxValue) return deny(s, 'size-too-large');
  const value = size * unit;
  if (value < line.minNotional) return deny(s, 'size-too-small');
  const margin = marginOf(value, leg.leverage);
  s.margin = margin;
  s.reckoned = at;
  const usable = isIsolated ? leg.account.movable() : leg.account.available();
  if (margin > usable + hold) return deny(s, 'insufficient-balance');
  return true;
}

/** Whether an order of this limit would take from the book or from another account. */
function wouldTake(s: SimState, leg: Leg, isSale: boolean, price: number): boolean {
  return leg.line.crosses(isSale, price) || (s.isCrossing && wouldMeet(leg.line, leg.account, isSale, price));
}

/** A record of a new order, which claims nothing yet. `price` is 0 for a market order; for spot `leg` is any of the account's. */
export function create(s: SimState, leg: Leg, kind: number, side: number, effect: number, price: number, size: number, tag: number): Order {
  const order = s.orders.claim(++s.lastNo, leg.account, leg.line, leg);
  const isSale = side !== effect;
  order.tag = tag;
  order.parent = 0;
  order.kind = kind;
  order.side = side;
  order.effect = effect;
  order.isSale = isSale;
  order.isMarket = price === 0;
  order.isPostOnly = false;
  order.isIsolated = false;
  order.isTaking = false;
  order.isByVenue = false;
  order.isLiquidation = false;
  order.hasExits = false;
  order.status = WORKING;
  if (price > 0 || isSale) order.key = price;
  else order.key = FARTHEST;
  order.price = price;
  order.size = size;
  order.filled = 0;
  order.filledValue = 0;
  order.fee = 0;
  order.realised = 0;
  order.ahead = 0;
  order.hold = 0;
  order.createdAt = s.now;
  order.updatedAt = s.now;
  s.made = order;
  return order;
}

/** The futures order's claim on its leg: lots to close, or lots to open and the margin for them, as `admit` left it. Fixes the margin mode. */
export function claim(s: SimState, order: Order, isIsolated: boolean): void {
  const leg = order.leg;
  order.isIsolated = isIsolated;
  if (leg.pair.isIsolated !== isIsolated) leg.pair.switchMode(isIsolated);
  leg.pair.openOrders++;
  if (order.kind === PLAN) return;
  if (order.effect === CLOSE) {
    leg.locked += order.size;
    return;
  }
  order.holdPrice = s.reckoned;
  order.hold = s.margin;
  leg.opening += order.size;
  order.account.holds += s.margin;
}

/** The same for an order that has its claim and becomes one of another size: the difference. */
function claimAnew(s: SimState, order: Order, size: number): void {
  const leg = order.leg;
  const more = size - order.size;
  order.size = size;
  if (order.effect === CLOSE) {
    leg.locked += more;
    return;
  }
  const margin = s.margin;
  leg.opening += more;
  order.account.holds += margin - order.hold;
  order.hold = margin;
  order.holdPrice = s.reckoned;
}

export function setExits(order: Order, takeProfit: number, takeProfitLimit: number, stopLoss: number, stopLossLimit: number): void {
  order.hasExits = takeProfit > 0 || stopLoss > 0;
  order.takeProfit = takeProfit;
  order.takeProfitLimit = takeProfitLimit;
  order.stopLoss = stopLoss;
  order.stopLossLimit = stopLossLimit;
}

/** The order meets the market: it takes what it crosses, and the rest of it rests. Answers its number. */
export function introduce(s: SimState, order: Order): number {
  const line = order.line;
  if (s.ledger !== null || s.isCrossing || line.crosses(order.isSale, order.key)) return introduceTold(s, line, order);
  return rest(s, line, order);
}

/** The same where the ledger hears of it, or somebody is there to trade with. */
function introduceTold(s: SimState, line: Line, order: Order): number {
  const no = order.no;
  if (s.ledger !== null) s.ledger.order(no);
  if (s.isCrossing && meetOthers(s, line, order)) return no;
  if (!line.crosses(order.isSale, order.key)) return rest(s, line, order);
  if (!take(s, line, order)) wait(line, order);
  return no;
}

/** The order rests as a maker. Answers its number. */
function rest(s: SimState, line: Line, order: Order): number {
  if (s.model === QUEUE) order.ahead = aheadOf(line, order);
  (order.isSale ? line.sells : line.buys).insert(order);
  line.joined(order);
  return order.no;
}

/** The order rests and goes on taking. */
function wait(line: Line, order: Order): void {
  order.isTaking = true;
  line.taking++;
  (order.isSale ? line.sells : line.buys).insert(order);
  line.watch();
}

/**
 * An order that a trade set off beyond the quote: that quote is of before the trade, so the order waits for the next one and takes
 * what it shows.
 */
export function introduceLate(s: SimState, order: Order): void {
  if (s.ledger !== null) s.ledger.order(order.no);
  wait(order.line, order);
}

/** Lots of others that trade before an order that joins now. */
function aheadOf(line: Line, order: Order): number {
  if (!line.hasBook) return 0;
  const key = order.key;
  if (order.isSale) {
    if (key === line.ask) return line.askSize;
    return key < line.ask ? 0 : AHEAD_UNKNOWN;
  }
  if (key === line.bid) return line.bidSize;
  return key > line.bid ? 0 : AHEAD_UNKNOWN;
}

/** The account's order of this number, or null with `refusal`. */
function orderOf(s: SimState, a: number, no: number): Order | null {
  const order = s.orders.find(no);
  if (order !== null && order.account.index === a) return order;
  s.refusal = 'order-not-found';
  return null;
}

/** Takes a working order off the book, or a plan off its watch, and cancels it (E15, E16, and E2 with `isSpot`). */
export function cancel(s: SimState, a: number, no: number, isSpot: boolean): boolean {
  const order = orderOf(s, a, no);
  if (order === null) return false;
  if ((order.kind === SPOT) !== isSpot) return deny(s, 'order-not-found');
  return cancelOrder(s, order);
}

/** E15 and E16 for who holds the record of what was order `no`. */
export function cancelHeld(s: SimState, order: Order, no: number): boolean {
  if (order.no !== no || order.kind === SPOT) return deny(s, 'order-not-found');
  return cancelOrder(s, order);
}

function cancelOrder(s: SimState, order: Order): boolean {
  if (order.status !== WORKING) return deny(s, 'order-not-found');
  withdraw(s, order);
  finish(s, order, CANCELLED);
  return true;
}

/** Out of the book or off the watch; the caller ends it. */
export function withdraw(s: SimState, order: Order): void {
  if (order.kind === PLAN) withdrawPlan(s, order);
  else leaveBook(order);
}

function leaveBook(order: Order): void {
  const line = order.line;
  (order.isSale ? line.sells : line.buys).remove(order);
  if (order.isTaking) line.taking--;
  line.left(order);
}

/** Off the watch. */
export function withdrawPlan(s: SimState, order: Order): void {
  const plans = order.line.plans;
  plans.splice(plans.indexOf(order), 1);
  if (order.isByMark) s.markPlans--;
  rescan(order.line);
}

/** E14. Answers the new order's number, or 0 with `refusal`. */
export function modify(s: SimState, a: number, no: number, c: Command, tag: number): number {
  const order = orderOf(s, a, no);
  return order === null ? 0 : modifyHeld(s, order, no, c, tag);
}

/**
 * E14 for who holds the record of what was order `no`. Only a futures order that has not traded can be modified; any other is
 * 'order-not-found'. A price, size or trigger of 0 in the command keeps the old. Answers the new order's number, or 0 with `refusal`;
 * then the old one is as it was, or cancelled where the venue modifies by cancelling first and what the account's state decides came
 * out against the new one.
 */
export function modifyHeld(s: SimState, order: Order, no: number, c: Command, tag: number): number {
  if (order.no !== no || order.status !== WORKING || order.kind !== FUTURES || order.filled > 0) return refuse(s, 'order-not-found');
  const hasNewExits = c.takeProfit > 0 || c.stopLoss > 0;
  if (c.price <= 0 && c.size <= 0 && !hasNewExits) return refuse(s, 'nothing-to-modify');
  if (c.price > 0 && order.isMarket) return refuse(s, 'price-invalid');
  const price = c.price > 0 ? c.price : order.price;
  const size = c.size > 0 ? c.size : order.size;
  const isTaker = order.isPostOnly && wouldTake(s, order.leg, order.isSale, price);
  const isFit = isTaker ? deny(s, 'price-invalid') : admitInPlace(s, order, price, size);
  if (!isFit) {
    if (s.cancelsToModify) {
      withdraw(s, order);
      finish(s, order, CANCELLED);
    }
    return 0;
  }
  const stays = staysBest(s, order, price);
  if (!stays) leaveBook(order);
  replace(s, order, tag);
  claimAnew(s, order, size);
  s.made = order;
  order.price = price;
  if (!order.isMarket) order.key = price;
  if (hasNewExits) changeExits(order, c);
  return stays ? stay(s, order) : introduce(s, order);
}

/** Whether at this price, too, the order rests as a maker before all others of its side. */
function staysBest(s: SimState, order: Order, price: number): boolean {
  if (order.isTaking || s.isCrossing) return false;
  const line = order.line;
  const isSale = order.isSale;
  return !line.crosses(isSale, price) && (isSale ? line.sells : line.buys).isFirst(order, price);
}

/** It rests where it rested, at its new price. Answers its number. */
function stay(s: SimState, order: Order): number {
  if (s.ledger !== null) s.ledger.order(order.no);
  const line = order.line;
  if (s.model === QUEUE) order.ahead = aheadOf(line, order);
  (order.isSale ? line.sells : line.buys).top = order.key;
  line.moved(order);
  return order.no;
}

/** Whether the order may become one of another price and size. */
function admitInPlace(s: SimState, order: Order, price: number, size: number): boolean {
  const leg = order.leg;
  const isClose = order.effect === CLOSE;
  if (!isSizeFit(s, order.line, size, isClose)) return false;
  if (isClose) return admitClose(s, leg, size, order.size);
  return admitOpen(s, leg, order.isSale, price, size, leg.pair.isIsolated, order.size, order.hold);
}

/** A trigger of 0 in the command keeps the old one. */
function changeExits(order: Order, c: Command): void {
  const { hasExits } = order;
  const takeProfit = c.takeProfit > 0 ? c.takeProfit : hasExits ? order.takeProfit : 0;
  const stopLoss = c.stopLoss > 0 ? c.stopLoss : hasExits ? order.stopLoss : 0;
  setExits(order, takeProfit, hasExits ? order.takeProfitLimit : 0, stopLoss, hasExits ? order.stopLossLimit : 0);
}
