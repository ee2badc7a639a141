/** Margin steps of unknown outcome (orders/margin/margins.ts). */
import type { SavedMarginStep } from '../../../orders/margin/margins.ts';
import { number } from '../fields.ts';
import type { DurablePart, Fold } from '../part.ts';

export const MARGIN_STEPS = {
  key: 'marginSteps',
  fold(saved = []): Fold<readonly SavedMarginStep[]> {
    const steps = new Map(saved.map((step) => [step.seq, step]));
    return {
      apply({ kind, seq, time: at, data }) {
        if (kind === 'lift' || (kind === 'outcome' && data['status'] !== 'unknown')) steps.delete(seq);
        else if (kind === 'margin-step') steps.set(number(data['seq']), data as unknown as SavedMarginStep);
        else if (kind === 'absent') {
          const step = steps.get(number(data['order']));
          if (step !== undefined) steps.set(step.seq, { ...step, absent: { at, venueTime: number(data['venueTime']) } });
        }
      },
      save: () => [...steps.values()],
    };
  },
  live: ({ margins }) => ({ save: () => margins.saved(), restore: (saved) => margins.restore(saved) }),
} as const satisfies DurablePart<'marginSteps', readonly SavedMarginStep[]>;
