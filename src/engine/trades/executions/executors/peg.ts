/** Peg: a limit order at a distance from bid, ask or mid price. It moves with them, not more often than allowed, never beyond its limit. */
import type { ExecutionInput, Step } from './execution-input.ts';

/** A limit order that follows the market. Prices in ticks. */
export interface PegPlan {
  readonly kind: 'peg';
  readonly to: 'bid' | 'ask' | 'mid';
  /** Away from the market, for a buy below. May be negative. */
  readonly offset: number;
  /** Worst price, 0 for none. */
  readonly limit: number;
  readonly isBuy: boolean;
  readonly isPostOnly: boolean;
  /** A move of fewer ticks is not followed. */
  readonly step: number;
  readonly everyMs: number;
  readonly movedAt: number;
}

export function pegStep(plan: PegPlan, input: ExecutionInput): Step<PegPlan> {
  const { now, child, left } = input;
  const price = pegPrice(plan, input);
  if (price <= 0) return { plan, want: child === null ? null : { part: 0, price: child.price, lots: left }, wakeAt: Infinity };
  if (child === null) return { plan: { ...plan, movedAt: now }, want: { part: 0, price, lots: left }, wakeAt: Infinity };
  const isFar = Math.abs(price - child.price) >= plan.step;
  const mayMoveAt = plan.movedAt + plan.everyMs;
  const isMoving = isFar && now >= mayMoveAt;
  return { plan, want: { part: 0, price: isMoving ? price : child.price, lots: left }, wakeAt: isFar && !isMoving ? mayMoveAt : Infinity };
}

/** In ticks, rounded away from the market; 0 without a quote. */
function pegPrice({ to, offset, limit, isBuy, isPostOnly }: PegPlan, { bid, ask }: ExecutionInput): number {
  if (bid <= 0 || ask <= 0) return 0;
  const base = to === 'bid' ? bid : to === 'ask' ? ask : (bid + ask) / 2;
  const price = isBuy ? Math.floor(base - offset) : Math.ceil(base + offset);
  const most = isBuy ? Math.min(limit || Infinity, isPostOnly ? ask - 1 : Infinity) : Math.max(limit, isPostOnly ? bid + 1 : 0);
  return isBuy ? Math.min(price, most) : Math.max(price, most);
}
