/**
 * What waits for a price on a line: plan orders, and protections, the preset exits of the filled part of an OPEN order. The
 * lowest upward and highest downward trigger by the last trade are kept on the line, so that a row compares two numbers.
 */
import type { Leg } from './account.ts';
import type { MarketState } from './market-state.ts';
import type { Order } from './order.ts';
import { FARTHEST, HIGH } from './resting.ts';

/** Preset exits at work: `size` lots of a leg, closed by whichever of the two triggers comes first. */
export interface Bracket {
  /** Number and tag of the OPEN order they came with. */
  readonly orderNo: number;
  readonly tag: number;
  readonly leg: Leg;
  size: number;
  /** Ticks, 0 for none; the limits 0 for market. */
  readonly takeProfit: number;
  readonly takeProfitLimit: number;
  readonly stopLoss: number;
  readonly stopLossLimit: number;
}

/** At or above it fires: the take profit of a long, the stop of a short. */
export function upperTrigger(p: Bracket): number {
  const trigger = p.leg.side === 0 ? p.takeProfit : p.stopLoss;
  return trigger > 0 ? trigger : FARTHEST;
}

/** At or below it fires: the stop of a long, the take profit of a short; 0 for none. */
export function lowerTrigger(p: Bracket): number {
  return p.leg.side === 0 ? p.stopLoss : p.takeProfit;
}

/** Covers `size` more lots filled by an OPEN order that has preset exits. */
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

/** The leg is flat: nothing is left to protect. */
export function dropBrackets(leg: Leg): void {
  const { market } = leg;
  if (market.brackets.length === 0) return;
  const kept = market.brackets.filter((p) => p.leg !== leg);
  if (kept.length === market.brackets.length) return;
  market.brackets = kept;
  rescan(market);
}

/** Computes the two bounds again, and the watch prices from them. Brackets that watch the mark need no watch price. */
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
