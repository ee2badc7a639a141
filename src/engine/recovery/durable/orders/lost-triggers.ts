/** Trigger orders that ended without a known result (state/orders/lost-triggers.ts). */
import { isLost, type SavedTrigger } from '../../../state/orders/lost-triggers.ts';
import { EXPLAINED } from './explained.ts';
import { ORDERS } from './orders.ts';
import type { DurablePart, Fold } from '../part.ts';

export const LOST_TRIGGERS = {
  key: 'lostTriggers',
  fold(saved = []): Fold<readonly SavedTrigger[]> {
    const lost = [...saved];
    return {
      apply({ kind, seq, time, data }, of) {
        const isFinal = kind === 'settled' || (kind === 'ended' && data['isSettled'] !== false);
        const order = isFinal ? of(ORDERS).bySeq.get(seq) : undefined;
        if (order === undefined || !isLost(order, kind === 'ended', of(EXPLAINED).lots)) return;
        const { symbol, side, size, price, trigger = 0, triggerBy = 0, createdAt, endedAt = time } = order;
        lost.push({ seq, symbol, side, size, price, trigger, triggerBy, createdAt, endedAt });
      },
      save: () => lost,
    };
  },
  live: ({ core }) => ({
    save: () => core.lostTriggers.saved,
    restore: (saved) => core.lostTriggers.restore(saved),
  }),
} as const satisfies DurablePart<'lostTriggers', readonly SavedTrigger[]>;
