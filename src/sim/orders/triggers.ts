/**
 * Fires triggers that a price has reached.
 *
 * A trigger order creates an OPEN order with the same tag. If the account cannot afford it, that order is CANCELLED at once and stays in the
 * history.
 *
 * A bracket closes its lots of the leg, at market or at its limit price. Lots held by other CLOSE orders stay in the bracket, or those orders
 * are cancelled first (`SimSpec.blockedExits`). When all its lots are closed, both triggers are removed.
 *
 * Triggers by the last trade are checked at trades, triggers by the mark at the venue's checks. An order that a trade beyond the quote
 * triggers waits for the next quote, because the current quote is older than that trade.
 */
import { BY_MARK, CLOSE, ISOLATED, LONG, OPEN } from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import { CANCELLED, FILLED } from '../../domain/orders/order.ts';
import { FUTURES, TRIGGER } from '../state/kinds.ts';
import { checkBracket, checkTrigger } from './margin-check.ts';
import { finish, wake } from '../matching/fills.ts';
import type { Leg } from '../state/account.ts';
import type { Bracket } from '../state/bracket.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import { introduce, introduceLate, leave } from '../matching/book.ts';
import { claim, create, setBracket } from './create.ts';
import { isFull } from './open-orders.ts';
import { withdrawTrigger } from './place.ts';
import { lowerTrigger, rescan, upperTrigger } from '../state/brackets.ts';
import type { SimState } from '../state/state.ts';

/**
 * Places a trigger order (E13). It fires upward if the trigger lies above the watched price now; without a market, if it is LONG. LAST is
 * checked at every trade, MARK at every check, once a second.
 */
export function placeTrigger(s: SimState, a: number, c: Command, tag: number, time: number): number {
  s.now = time;
  const market = s.markets[c.instrument];
  if (market === undefined || market.isSpot) return s.refuse('unknown-instrument');
  if (c.trigger <= 0) return s.refuse('trigger-required');
  const pair = s.accounts[a]!.pairs[c.instrument]!;
  const leg = c.side === LONG ? pair.long : pair.short;
  const computed = c.price > 0 ? c.price : c.trigger;
  if (!checkBracket(s, c.side !== LONG, c.takeProfit, c.stopLoss, computed)) return 0;
  // Valued at the price of the trigger order, as for a buy, not at the market before it fires.
  if (!checkTrigger(s, leg, false, computed, c.size, c.marginMode === ISOLATED, false)) return 0;
  if (isFull(s, leg.account, market)) return s.refuse('size-too-large');
  const watched = c.triggerBy === BY_MARK ? market.mark() : market.lastOrMark();
  const order = create(s, leg, TRIGGER, c.side, OPEN, Math.max(c.price, 0), c.size, tag);
  order.trigger = c.trigger;
  order.isByMark = c.triggerBy === BY_MARK;
  order.isUpward = watched === 0 ? c.side === LONG : c.trigger > watched;
  setBracket(order, c.takeProfit, c.takeProfitLimit, c.stopLoss, c.stopLossLimit);
  claim(s, order, c.marginMode === ISOLATED);
  market.triggerOrders.push(order);
  if (order.isByMark) s.markPlans++;
  if (order.isByMark || market.last === 0) wake(s);
  rescan(market);
  s.ledger?.order(order.no);
  return order.no;
}

/** Fires what watches the last trade: trigger orders first, then brackets, each in order of arrival. */
export function fireTriggers(s: SimState, market: MarketState): void {
  fire(s, market, market.last, false);
}

/** Fires what watches the mark price. Before a market's first trade, everything does. */
export function fireMarkTriggers(s: SimState, market: MarketState): void {
  fire(s, market, market.mark(), true);
}

function fire(s: SimState, market: MarketState, price: number, isByMark: boolean): void {
  if (price === 0) return;
  const isUntraded = market.last === 0;
  for (const order of market.triggerOrders.slice()) {
    if ((order.isByMark || isUntraded) !== isByMark) continue;
    if (order.isUpward ? price >= order.trigger : price <= order.trigger) fireTrigger(s, order, !isByMark);
  }
  for (const bracket of (market.bracketsByMark || isUntraded) === isByMark ? market.brackets.slice() : []) {
    const isUp = price >= upperTrigger(bracket);
    if (!isUp && price > lowerTrigger(bracket)) continue;
    const at = market.brackets.indexOf(bracket);
    if (at >= 0) fireBracket(s, market, at, bracket, isUp, !isByMark);
  }
}

/** Sends the created order to the market: at once, or with the next quote if the trade ran ahead of the quote. */
function launch(s: SimState, order: Order, byTrade: boolean): void {
  const { market } = order;
  const isOutrun = byTrade && market.hasBook && (market.last < market.bid || market.last > market.ask);
  if (isOutrun && market.crosses(order.isSell, order.key)) introduceLate(s, order);
  else introduce(s, order);
}

/** Cancels the account's CLOSE orders of the leg, oldest first, until `wanted` lots are available. */
function freeLots(s: SimState, market: MarketState, leg: Leg, wanted: number): void {
  const closing = market
    .side(leg.side === LONG)
    .list()
    .filter((order) => order.leg === leg && order.effect === CLOSE && !order.isByVenue);
  for (const order of closing.toSorted((a, b) => a.no - b.no)) {
    if (leg.total - leg.locked >= wanted) return;
    leave(market, order);
    finish(s, order, CANCELLED);
  }
}

export function fireTrigger(s: SimState, order: Order, byTrade: boolean): void {
  const { no, tag, leg, side, isMarket, isSell, isIsolated, price, size } = order;
  const { takeProfit, takeProfitLimit, stopLoss, stopLossLimit } = order;
  withdrawTrigger(s, order);
  const isFit = checkTrigger(s, leg, isMarket, price, size, isIsolated, isSell);
  finish(s, order, FILLED);
  const child = create(s, leg, FUTURES, side, OPEN, price, size, tag);
  child.parent = no;
  child.isByVenue = true;
  setBracket(child, takeProfit, takeProfitLimit, stopLoss, stopLossLimit);
  if (!isFit) return refuseFired(s, child, isIsolated);
  claim(s, child, isIsolated);
  launch(s, child, byTrade);
}

/** The account cannot afford the order that a trigger order created: it is cancelled before it reaches the book. */
function refuseFired(s: SimState, child: Order, isIsolated: boolean): void {
  child.isIsolated = isIsolated;
  child.leg.opening += child.size;
  s.ledger?.order(child.no);
  finish(s, child, CANCELLED);
}

export function fireBracket(s: SimState, market: MarketState, at: number, p: Bracket, isUp: boolean, byTrade: boolean): void {
  const { leg } = p;
  if (s.bracketsReplaceCloses) freeLots(s, market, leg, p.size);
  const size = Math.min(p.size, leg.total - leg.locked);
  const blocked = Math.min(p.size - size, leg.locked);
  p.size = blocked;
  if (blocked === 0) {
    market.brackets.splice(at, 1);
    rescan(market);
  }
  if (size <= 0) return;
  const isProfit = isUp === (leg.side === LONG);
  const limit = isProfit ? p.takeProfitLimit : p.stopLossLimit;
  const closing = create(s, leg, FUTURES, leg.side, CLOSE, limit, size, 0);
  closing.parent = p.orderNo;
  closing.isByVenue = true;
  s.sink?.bracket?.(closing.no, p.tag, isProfit);
  claim(s, closing, leg.pair.isIsolated);
  launch(s, closing, byTrade);
}
