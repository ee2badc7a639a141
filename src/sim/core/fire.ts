/**
 * Prices reach triggers. A plan order becomes an OPEN order of the venue's making with the same tag; if the account cannot
 * carry it then, that order ends CANCELLED at once and stays in the history. A protection closes its lots of the leg, at market or
 * at its execute price, as far as other CLOSE orders leave them available: the lots that those hold stay protected, or the orders are
 * cancelled first (`SimSpec.blockedExits`). Once all its lots are closed, the other trigger of the pair goes with it. What watches the last trade is judged
 * at trades, what watches the mark at the venue's looks, so that nobody's orders change when another's trigger fires. What a trade
 * beyond the quote sets off meets the next quote, for the one in hand is of before the trade.
 */
import { BY_MARK, CLOSE, ISOLATED, LONG, OPEN } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { CANCELLED, FILLED } from '../../domain/order.ts';
import { FUTURES, PLAN } from '../state/kinds.ts';
import { admitPlan } from './admit.ts';
import { finish, wake } from './fills.ts';
import type { Leg } from '../state/account.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import { introduce, introduceLate, leave } from './book.ts';
import { claim, create, setExits } from './create.ts';
import { withdrawPlan } from './place.ts';
import { lowerTrigger, rescan, upperTrigger, type Protection } from '../state/brackets.ts';
import type { SimState } from '../state/state.ts';

/**
 * E13. The trigger is upward when it lies above the watched price now; without a market, for LONG. By LAST it is checked at every
 * trade, by MARK at every look of the venue, once a second.
 */
export function placeTrigger(s: SimState, a: number, c: Command, tag: number, time: number): number {
  s.now = time;
  const line = s.lines[c.instrument];
  if (line === undefined || line.isSpot) return s.refuse('unknown-instrument');
  if (c.trigger <= 0) return s.refuse('trigger-required');
  const pair = s.accounts[a]!.pairs[c.instrument]!;
  const leg = c.side === LONG ? pair.long : pair.short;
  const computed = c.price > 0 ? c.price : c.trigger;
  // Computed as for a buy: the price of the trigger order, not of the market before it fires.
  if (!admitPlan(s, leg, false, computed, c.size, c.marginMode === ISOLATED, false)) return 0;
  const watched = c.triggerBy === BY_MARK ? line.mark() : line.lastOrMark();
  const order = create(s, leg, PLAN, c.side, OPEN, Math.max(c.price, 0), c.size, tag);
  order.trigger = c.trigger;
  order.isByMark = c.triggerBy === BY_MARK;
  order.isUpward = watched === 0 ? c.side === LONG : c.trigger > watched;
  setExits(order, c.takeProfit, c.takeProfitLimit, c.stopLoss, c.stopLossLimit);
  claim(s, order, c.marginMode === ISOLATED);
  line.plans.push(order);
  if (order.isByMark) s.markPlans++;
  if (order.isByMark || line.last === 0) wake(s);
  rescan(line);
  s.ledger?.order(order.no);
  return order.no;
}

/**
 * A trade has reached a trigger: those of the line that watch the last trade fire, plans first, each kind in order of arrival.
 */
export function fireTriggers(s: SimState, line: MarketState): void {
  fire(s, line, line.last, false);
}

/** The venue's look at those that watch the mark; before the first trade all of a line do. */
export function fireMarkTriggers(s: SimState, line: MarketState): void {
  fire(s, line, line.mark(), true);
}

function fire(s: SimState, line: MarketState, price: number, isByMark: boolean): void {
  if (price === 0) return;
  const isUntraded = line.last === 0;
  for (const plan of line.plans.slice()) {
    if ((plan.isByMark || isUntraded) !== isByMark) continue;
    if (plan.isUpward ? price >= plan.trigger : price <= plan.trigger) firePlan(s, plan, !isByMark);
  }
  for (const protection of (line.presetsByMark || isUntraded) === isByMark ? line.protections.slice() : []) {
    const isUp = price >= upperTrigger(protection);
    if (!isUp && price > lowerTrigger(protection)) continue;
    const at = line.protections.indexOf(protection);
    if (at >= 0) fireProtection(s, line, at, protection, isUp, !isByMark);
  }
}

/** The fired order meets the market, at once or with the next quote. */
function launch(s: SimState, order: Order, byTrade: boolean): void {
  const { line } = order;
  const isOutrun = byTrade && line.hasBook && (line.last < line.bid || line.last > line.ask);
  if (isOutrun && line.crosses(order.isSell, order.key)) introduceLate(s, order);
  else introduce(s, order);
}

/** Cancels CLOSE orders of the leg that the account placed, oldest first, until so many lots are available. */
function freeLots(s: SimState, line: MarketState, leg: Leg, wanted: number): void {
  const closing = line
    .side(leg.side === LONG)
    .list()
    .filter((order) => order.leg === leg && order.effect === CLOSE && !order.isByVenue);
  for (const order of closing.toSorted((a, b) => a.no - b.no)) {
    if (leg.total - leg.locked >= wanted) return;
    leave(line, order);
    finish(s, order, CANCELLED);
  }
}

function firePlan(s: SimState, plan: Order, byTrade: boolean): void {
  const { no, tag, leg, side, isMarket, isSell, isIsolated, price, size } = plan;
  const { takeProfit, takeProfitLimit, stopLoss, stopLossLimit } = plan;
  withdrawPlan(s, plan);
  const isFit = admitPlan(s, leg, isMarket, price, size, isIsolated, isSell);
  finish(s, plan, FILLED);
  const child = create(s, leg, FUTURES, side, OPEN, price, size, tag);
  child.parent = no;
  child.isByVenue = true;
  setExits(child, takeProfit, takeProfitLimit, stopLoss, stopLossLimit);
  if (!isFit) return refuseFired(s, child, isIsolated);
  claim(s, child, isIsolated);
  launch(s, child, byTrade);
}

/** The account cannot carry the order of a plan that fired: it ends before it meets the market. */
function refuseFired(s: SimState, child: Order, isIsolated: boolean): void {
  child.isIsolated = isIsolated;
  child.leg.opening += child.size;
  s.ledger?.order(child.no);
  finish(s, child, CANCELLED);
}

function fireProtection(s: SimState, line: MarketState, at: number, p: Protection, isUp: boolean, byTrade: boolean): void {
  const { leg } = p;
  if (s.exitsReplaceCloses) freeLots(s, line, leg, p.size);
  const size = Math.min(p.size, leg.total - leg.locked);
  const blocked = Math.min(p.size - size, leg.locked);
  p.size = blocked;
  if (blocked === 0) {
    line.protections.splice(at, 1);
    rescan(line);
  }
  if (size <= 0) return;
  const isProfit = isUp === (leg.side === LONG);
  const limit = isProfit ? p.takeProfitLimit : p.stopLossLimit;
  const exit = create(s, leg, FUTURES, leg.side, CLOSE, limit, size, 0);
  exit.parent = p.orderNo;
  exit.isByVenue = true;
  s.sink?.exit?.(exit.no, p.tag, isProfit);
  claim(s, exit, leg.pair.isIsolated);
  launch(s, exit, byTrade);
}
