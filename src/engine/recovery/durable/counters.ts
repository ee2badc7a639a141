/** Counters of the loss limits, counters of the event limits, and shares of the equity. */
import type { SavedGuards } from '../../risk/guards.ts';
import type { SavedLosses } from '../../risk/loss-scope.ts';
import type { SavedAllocation } from '../../state/account/allocation.ts';
import type { DurablePart, Fold } from './part.ts';

/** The newest record of `kind`; of a part whose records have only the changed fields, over those of the ones before. */
function newest<S extends object>(kind: string, saved: S | undefined, hasChanges = false): Fold<S> {
  let value = saved;
  return {
    apply(record) {
      if (record.kind === kind) value = (hasChanges ? { ...value, ...record.data } : record.data) as S;
    },
    save: () => value,
  };
}

export const LOSSES = {
  key: 'losses',
  fold: (saved) => newest('losses', saved),
  live: ({ losses }) => ({ save: () => losses.saved(), restore: (saved) => losses.restore(saved) }),
} as const satisfies DurablePart<'losses', SavedLosses>;

export const GUARDS = {
  key: 'guards',
  fold: (saved) => newest('guards', saved),
  live: ({ guards }) => ({ save: () => guards.saved(), restore: (saved) => guards.restore(saved) }),
} as const satisfies DurablePart<'guards', SavedGuards>;

export const ALLOCATION = {
  key: 'allocation',
  fold: (saved) => newest('allocation', saved, true),
  live: ({ allocation }) => ({ save: () => allocation?.saved(), restore: (saved) => allocation?.restore(saved) }),
} as const satisfies DurablePart<'allocation', SavedAllocation>;
