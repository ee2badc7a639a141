/**
 * What waits for a price on a line: plan orders, and protections, the preset exits of the filled part of an OPEN order. The
 * lowest upward and highest downward trigger by the last trade are kept on the line, so that a row compares two numbers.
 */
import type { Leg } from './account.ts';
import type { MarketState } from './market-state.ts';
import type { Order } from './order.ts';
import { FARTHEST, HIGH } from './resting.ts';

/** Preset exits at work: `size` lots of a leg, closed by whichever of the two triggers comes first. */
export interface Protection {
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
export function upperTrigger(p: Protection): number {
  const trigger = p.leg.side === 0 ? p.takeProfit : p.stopLoss;
  return trigger > 0 ? trigger : FARTHEST;
}

/** At or below it fires: the stop of a long, the take profit of a short; 0 for none. */
export function lowerTrigger(p: Protection): number {
  return p.leg.side === 0 ? p.stopLoss : p.takeProfit;
}

/** Covers `size` more lots filled by an OPEN order that has preset exits. */
export function protect(order: Order, size: number): void {
  const { line } = order;
  const known = line.protections.findLast((p) => p.orderNo === order.no);
  if (known !== undefined) {
    known.size += size;
    return;
  }
  const { no: orderNo, tag, leg, takeProfit, takeProfitLimit, stopLoss, stopLossLimit } = order;
  line.protections.push({ orderNo, tag, leg, size, takeProfit, takeProfitLimit, stopLoss, stopLossLimit });
  rescan(line);
}

/** The leg is flat: nothing is left to protect. */
export function unprotect(leg: Leg): void {
  const { line } = leg;
  if (line.protections.length === 0) return;
  const kept = line.protections.filter((p) => p.leg !== leg);
  if (kept.length === line.protections.length) return;
  line.protections = kept;
  rescan(line);
}

/** Computes the two bounds again, and the watch prices from them. Brackets that watch the mark need no watch price. */
export function rescan(line: MarketState): void {
  let low = 0;
  let high = HIGH;
  for (const plan of line.plans) {
    if (plan.isByMark) continue;
    if (plan.isUpward) high = Math.min(high, plan.trigger);
    else low = Math.max(low, plan.trigger);
  }
  for (const p of line.presetsByMark ? [] : line.protections) {
    high = Math.min(high, upperTrigger(p));
    low = Math.max(low, lowerTrigger(p));
  }
  line.triggerLow = low;
  line.triggerHigh = high;
  line.watch();
}
