/**
 * What waits for a price, per instrument: plan orders (they live in the order columns) and protections, the preset exits of
 * the filled part of an OPEN order. The lowest upward and highest downward trigger are cached, so a row compares two numbers.
 */
import { FARTHEST } from './resting.ts';
import { BY_MARK_BIT, UPWARD_BIT, type Orders } from './orders.ts';

/** Preset exits at work: `size` lots of a leg, closed by whichever of the two triggers comes first. */
export interface Protection {
  /** Number of the OPEN order they came with. */
  readonly orderNo: number;
  readonly leg: number;
  size: number;
  /** Ticks, 0 for none; the limits 0 for market. */
  readonly takeProfit: number;
  readonly takeProfitLimit: number;
  readonly stopLoss: number;
  readonly stopLossLimit: number;
}

/** Above or equal fires the take profit of a long and the stop of a short. */
export function upperTrigger(p: Protection): number {
  const trigger = (p.leg & 1) === 0 ? p.takeProfit : p.stopLoss;
  return trigger > 0 ? trigger : FARTHEST;
}

export function lowerTrigger(p: Protection): number {
  return (p.leg & 1) === 0 ? p.stopLoss : p.takeProfit;
}

export class Triggers {
  /** A watched price at or below / at or above these may fire something. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Slots of plan orders, in order of arrival. */
  readonly plans: number[][];
  readonly protections: Protection[][];
  /** Plan orders that watch the mark. */
  markPlans = 0;

  constructor(count: number) {
    this.low = new Float64Array(count);
    this.high = new Float64Array(count).fill(FARTHEST);
    this.plans = Array.from({ length: count }, () => []);
    this.protections = Array.from({ length: count }, () => []);
  }

  addPlan(orders: Orders, i: number, slot: number): void {
    this.plans[i]!.push(slot);
    if ((orders.traits[slot]! & BY_MARK_BIT) !== 0) this.markPlans++;
    this.rescan(orders, i);
  }

  removePlan(orders: Orders, i: number, slot: number): void {
    const plans = this.plans[i]!;
    plans.splice(plans.indexOf(slot), 1);
    if ((orders.traits[slot]! & BY_MARK_BIT) !== 0) this.markPlans--;
    this.rescan(orders, i);
  }

  /** Covers `size` more lots filled by the OPEN order in `slot`, which has preset exits. */
  protect(orders: Orders, i: number, slot: number, size: number): void {
    const list = this.protections[i]!;
    const orderNo = orders.no[slot]!;
    const known = list.findLast((p) => p.orderNo === orderNo);
    if (known !== undefined) {
      known.size += size;
      return;
    }
    list.push({
      orderNo,
      leg: orders.leg[slot]!,
      size,
      takeProfit: orders.takeProfit[slot]!,
      takeProfitLimit: orders.takeProfitLimit[slot]!,
      stopLoss: orders.stopLoss[slot]!,
      stopLossLimit: orders.stopLossLimit[slot]!,
    });
    this.rescan(orders, i);
  }

  /** The leg is flat: nothing is left to protect. */
  dropLeg(orders: Orders, i: number, leg: number): void {
    const list = this.protections[i]!;
    if (list.length === 0) return;
    const kept = list.filter((p) => p.leg !== leg);
    if (kept.length === list.length) return;
    this.protections[i] = kept;
    this.rescan(orders, i);
  }

  /** Reckons the two bounds anew. */
  rescan(orders: Orders, i: number): void {
    let low = 0;
    let high = FARTHEST;
    for (const slot of this.plans[i]!) {
      const trigger = orders.trigger[slot]!;
      if ((orders.traits[slot]! & UPWARD_BIT) !== 0) high = Math.min(high, trigger);
      else low = Math.max(low, trigger);
    }
    for (const p of this.protections[i]!) {
      high = Math.min(high, upperTrigger(p));
      low = Math.max(low, lowerTrigger(p));
    }
    this.low[i] = low;
    this.high[i] = high;
  }
}
