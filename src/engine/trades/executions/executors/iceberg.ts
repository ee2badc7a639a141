/** Iceberg: a limit order of which the venue sees a part. The next part is placed when the last has filled. */
import type { ExecutionInput, Step } from './execution-input.ts';

/** A limit order that shows a part of its size. */
export interface IcebergPlan {
  readonly kind: 'iceberg';
  readonly limit: number;
  readonly show: number;
  readonly minLots: number;
}

export function icebergStep(plan: IcebergPlan, { left }: ExecutionInput): Step<IcebergPlan> {
  const { limit, show, minLots } = plan;
  // A rest below the least order size goes with the last part.
  const lots = left - show < minLots ? left : show;
  return { plan, want: { part: 0, price: limit, lots }, wakeAt: Infinity };
}
