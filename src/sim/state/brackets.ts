/**
 * Trigger orders and brackets (take-profit and stop-loss of the filled part of an OPEN order) that wait for a price. The market keeps the
 * lowest upward and the highest downward trigger by the last trade, so that a row compares only two numbers.
 */
import type { Leg } from './account.ts';
import type { Bracket } from './bracket.ts';
import type { MarketState } from './market-state.ts';
import type { Order } from './order.ts';
import { FARTHEST, HIGH } from './resting.ts';

/** The price at or above which it fires: take-profit of a LONG, stop-loss of a SHORT. */
export function upperTrigger(p: Bracket): number {
  const trigger = p.leg.side === 0 ? p.takeProfit : p.stopLoss;
  return trigger > 0 ? trigger : FARTHEST;
}

/** The price at or below which it fires: stop-loss of a LONG, take-profit of a SHORT; 0 for none. */
export function lowerTrigger(p: Bracket): number {
  return p.leg.side === 0 ? p.stopLoss : p.takeProfit;
}

/** The bracket of an OPEN order covers `size` more filled lots. */
export function addBracket(order: Order, size: number): void {
  const { market } = order;
  const known = market.brackets.findLast((p) => p.orderNo === order.no);
  if (known !== undefined) {
    known.size += size;
    return;
  }
  const { no: orderNo, tag, leg, takeProfit, takeProfitLimit, stopLoss, stopLossLimit } = order;
  market.brackets.push({ orderNo, tag, leg, size, takeProfit, takeProfitLimit, stopLoss, stopLossLimit });
  rescan(market);
}

/** Removes the brackets of a leg that has become flat. */
export function dropBrackets(leg: Leg): void {
  const { market } = leg;
  if (market.brackets.length === 0) return;
  const kept = market.brackets.filter((p) => p.leg !== leg);
  if (kept.length === market.brackets.length) return;
  market.brackets = kept;
  rescan(market);
}

/** Computes the two trigger bounds and the watch prices. Brackets that watch the mark need no watch price. */
export function rescan(market: MarketState): void {
  let low = 0;
  let high = HIGH;
  for (const order of market.triggerOrders) {
    if (order.isByMark) continue;
    if (order.isUpward) high = Math.min(high, order.trigger);
    else low = Math.max(low, order.trigger);
  }
  for (const p of market.bracketsByMark ? [] : market.brackets) {
    high = Math.min(high, upperTrigger(p));
    low = Math.max(low, lowerTrigger(p));
  }
  market.triggerLow = low;
  market.triggerHigh = high;
  market.watch();
}
