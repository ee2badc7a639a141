/** Iceberg: a limit order of which the venue sees a part. The next part is placed when the last has filled. */
import type { IcebergPlan } from '../../state/saved-execution.ts';
import type { Sight, Step } from './executor.ts';

export function icebergStep(plan: IcebergPlan, { left }: Sight): Step<IcebergPlan> {
  const { limit, show, minLots } = plan;
  // A rest below the least order size goes with the last part.
  const lots = left - show < minLots ? left : show;
  return { plan, want: { part: 0, price: limit, lots }, wakeAt: Infinity };
}
