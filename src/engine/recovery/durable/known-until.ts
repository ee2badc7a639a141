/** Until when the bot knew the venue: no record moves it, so what is written while the venue is not read moves it neither. */
import type { DurablePart, Fold } from './part.ts';

export const KNOWN_UNTIL = {
  key: 'knownUntil',
  fold(saved): Fold<number> {
    return { apply: () => undefined, save: () => saved };
  },
  live: ({ core }) => ({
    save: () => (Number.isFinite(core.knownUntil) ? core.knownUntil : undefined),
    restore(saved) {
      core.knownUntil = saved;
    },
  }),
} as const satisfies DurablePart<'knownUntil', number>;
