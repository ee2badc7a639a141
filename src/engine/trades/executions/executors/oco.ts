/**
 * One cancels the other. At most one of the two orders is at the venue, so both can never fill: a limit order rests there while it is the
 * nearer one, a trigger is watched by the bot. When a trigger is reached, the resting order is withdrawn first.
 */
import type { ExecutionInput, Step } from './execution-input.ts';

/** One of the two orders of an OCO. Prices in ticks, 0 for none. */
export interface OcoLeg {
  readonly limit: number;
  /** Watched by the bot; the order is placed when the market is there. */
  readonly trigger: number;
  /** True if the trigger lies above the market. */
  readonly isAbove: boolean;
  readonly isBuy: boolean;
}

export interface OcoPlan {
  readonly kind: 'oco';
  readonly legs: readonly [OcoLeg, OcoLeg];
  /** True if both do the same to the same position side: what one fills, the other no longer does. */
  readonly isShared: boolean;
  /** The leg that was decided for; −1 before. */
  readonly chosen: number;
}

/** A resting order is replaced by another order whose price is this many times nearer. */
const NEARER = 2;

export function ocoStep(before: OcoPlan, input: ExecutionInput): Step<OcoPlan> {
  const { child, left } = input;
  const plan = before.chosen < 0 ? { ...before, chosen: choice(before, input) } : before;
  const part = plan.chosen >= 0 ? plan.chosen : restingLeg(plan, input);
  if (part < 0) return { plan, want: null, wakeAt: Infinity };
  const leg = plan.legs[part]!;
  const price = child !== null && child.part === part ? child.price : leg.limit;
  return { plan, want: { part, price, lots: left }, wakeAt: Infinity };
}

/** Index of the order that was chosen: its trigger was reached, or it has fills and the two orders differ in what they do. −1: none yet. */
function choice({ legs, isShared }: OcoPlan, { filled, child, bid, ask }: ExecutionInput): number {
  if (!isShared && filled > 0 && child !== null) return child.part;
  if (bid <= 0 || ask <= 0) return -1;
  return legs.findIndex(({ trigger, isAbove }) => trigger > 0 && (isAbove ? ask >= trigger : bid <= trigger));
}

/** The limit order that should rest; −1 for none. */
function restingLeg({ legs }: OcoPlan, { bid, ask, child }: ExecutionInput): number {
  const away = ({ limit, trigger, isBuy }: OcoLeg): number => {
    if (trigger > 0) return Infinity;
    return Math.max(0, isBuy ? ask - limit : limit - bid);
  };
  const [first, second] = [away(legs[0]), away(legs[1])];
  if (first === Infinity && second === Infinity) return -1;
  if (child === null || bid <= 0 || ask <= 0) return second < first ? 1 : 0;
  const [own, other] = child.part === 0 ? [first, second] : [second, first];
  return other * NEARER < own ? 1 - child.part : child.part;
}
