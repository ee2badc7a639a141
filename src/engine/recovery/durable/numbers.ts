/** The number of the next order or command. */
import type { DurablePart, Fold } from './part.ts';
import { number } from './fields.ts';

export const NUMBERS = {
  key: 'nextSeq',
  fold(saved = 1): Fold<number> {
    let next = saved;
    return {
      apply({ kind, seq, data }) {
        next = Math.max(next, seq + 1);
        // An execution has a number too.
        if (kind === 'execution') next = Math.max(next, number((data['execution'] as { id: unknown }).id) + 1);
      },
      save: () => next,
    };
  },
  live: ({ core }) => ({
    save: () => core.nextSeq,
    restore(saved) {
      core.nextSeq = Math.max(core.nextSeq, saved);
    },
  }),
} as const satisfies DurablePart<'nextSeq', number>;
