/** Lots of the newest orders without our name that have explained changes of legs (state/orders/foreign-fill-ledger.ts). */
import { ALL_LOTS, lotsAdded, type SavedForeignFills } from '../../../state/orders/foreign-fill-ledger.ts';
import type { DurablePart, Fold } from '../part.ts';
import { number, text } from '../fields.ts';

export interface ExplainedFold extends Fold<SavedForeignFills> {
  readonly lots: ReadonlyMap<string, number>;
}

export const EXPLAINED = {
  key: 'explained',
  fold(saved, snapshot): ExplainedFold {
    const lots = new Map(saved);
    const add = (venueId: string, more = ALL_LOTS): void => {
      const sum = lotsAdded(lots.get(venueId), more);
      // The newest are last.
      lots.delete(venueId);
      lots.set(venueId, sum);
    };
    // A snapshot of an earlier version has ids alone.
    for (const venueId of (snapshot['toldIds'] ?? []) as readonly string[]) add(venueId);
    return {
      lots,
      apply({ kind, data }) {
        if (kind === 'explained') add(text(data['venueId']), number(data['lots']));
        else if (kind === 'trigger-fired') add(text(data['venueId']));
        // A journal of an earlier version does not say how many lots of the order that was.
        else if (kind === 'exit' && !lots.has(text(data['venueId']))) add(text(data['venueId']));
      },
      save: () => [...lots],
    };
  },
  live: ({ core: { foreignFills } }) => ({
    save: () => foreignFills.saved,
    restore: (saved) => foreignFills.restore(saved),
  }),
} as const satisfies DurablePart<'explained', SavedForeignFills>;
