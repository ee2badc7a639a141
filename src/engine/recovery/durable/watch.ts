/** Leverage and margin modes as read, the highest equity of a day, and the withdrawals that were reported. Records have the last alone. */
import { rememberedWithdrawals } from '../../positions/money-watch.ts';
import type { SavedWatch } from '../../positions/watch.ts';
import type { DurablePart, Fold } from './part.ts';

const NOTHING: SavedWatch = { terms: {}, money: { highs: [], withdrawals: null } };

export const WATCH = {
  key: 'watch',
  fold(saved): Fold<SavedWatch> {
    let watch = saved;
    return {
      apply({ kind, data }) {
        if (kind !== 'withdrawals') return;
        const { money, ...others } = watch ?? NOTHING;
        watch = { ...others, money: { ...money, withdrawals: rememberedWithdrawals(money.withdrawals, data['ids'] as readonly string[]) } };
      },
      save: () => watch,
    };
  },
  live: ({ watch }) => ({
    save: () => watch?.saved(),
    restore: (saved) => watch?.restore(saved),
  }),
} as const satisfies DurablePart<'watch', SavedWatch>;
