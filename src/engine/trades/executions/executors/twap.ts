/**
 * Time-weighted execution: one order per slice of time. A slice takes its share of what is left, so what an earlier one did not fill, or a
 * restart missed, is spread over the others.
 */
import type { ExecutionInput, Step } from './execution-input.ts';

/** Equal slices over time. */
export interface TwapPlan {
  readonly kind: 'twap';
  readonly startsAt: number;
  readonly endsAt: number;
  readonly slices: number;
  /** Worst price in ticks; 0: market orders. */
  readonly limit: number;
  readonly minLots: number;
  /** Slices below this one had their order. */
  readonly used: number;
}

export function twapStep(plan: TwapPlan, { now, left, child }: ExecutionInput): Step<TwapPlan> {
  const { startsAt, endsAt, slices, limit, minLots, used } = plan;
  const sliceMs = (endsAt - startsAt) / slices;
  const slice = Math.min(slices - 1, Math.max(0, Math.floor((now - startsAt) / sliceMs)));
  const wakeAt = slice === slices - 1 ? endsAt : startsAt + (slice + 1) * sliceMs;
  if (child !== null) {
    // The order of an earlier slice makes room for that of this one.
    const isDue = child.part === slice;
    return { plan, want: isDue ? { part: slice, price: child.price, lots: left } : null, wakeAt };
  }
  if (slice < used) return { plan, want: null, wakeAt };
  const share = Math.floor(left / (slices - slice));
  // A share below the least order size waits for the next slice.
  const isLast = slice === slices - 1;
  const lots = isLast || left - share < minLots ? left : share;
  if (lots < minLots) return { plan, want: null, wakeAt };
  return { plan: { ...plan, used: slice + 1 }, want: { part: slice, price: limit, lots }, wakeAt };
}
