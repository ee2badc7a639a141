/** The durable part of halts: where opens are halted, and why (state/halts.ts). */
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import { haltKey } from '../../state/halts.ts';
import { number, text, type Facts } from './fields.ts';
import type { DurablePart, Fold } from './part.ts';

export const HALTS = {
  key: 'halts',
  fold(saved = []): Fold<readonly SavedHalt[]> {
    const halts = new Map(saved.map((halt) => [keyOf({ ...halt }), savedHalt({ ...halt })]));
    return {
      apply(record) {
        const { kind, seq, data } = record;
        if (kind === 'lift') halts.delete(keyOf({ ...data, seq }));
        if (kind !== 'halt') return;
        const key = keyOf({ ...data, seq });
        // An existing halt got a new reason: its start time stays.
        halts.set(key, savedHalt({ ...data, seq, since: halts.get(key)?.since ?? record.time }));
      },
      save: () => [...halts.values()],
    };
  },
  live: ({ core }) => ({
    save: () => core.halts.all(),
    restore(saved) {
      for (const halt of saved) core.halts.restore(halt);
    },
  }),
} as const satisfies DurablePart<'halts', readonly SavedHalt[]>;

/** Older journals have halts about commands alone, without scope and code. */
function keyOf({ scope, code, seq }: Facts): string {
  return seq === 0 ? haltKey(text(scope), text(code), 0) : haltKey('', '', number(seq));
}

/** A halt from a record or a snapshot. Older journals have symbol and cause instead of a scope. */
function savedHalt(kept: Facts): SavedHalt {
  const { symbol, why, scope, code, detail, since, by, seq, until } = kept;
  if (scope === undefined) {
    return {
      scope: `symbol:${text(symbol)}`,
      code: 'outcome-unknown',
      detail: text(why),
      since: Number(since ?? 0),
      by: 'bot',
      seq: number(seq),
    };
  }
  const halt = { scope: text(scope), code: text(code), detail: text(detail), since: Number(since ?? 0), by: text(by), seq: number(seq) };
  return until === undefined ? halt : { ...halt, until: number(until) };
}
