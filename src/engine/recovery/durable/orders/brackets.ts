/** Brackets of own orders that the venue holds, or may hold once the orders fill (state/records/brackets.ts). */
import { emptyCommand } from '../../../../domain/orders/command.ts';
import type { JournalRecord } from '../../../../ports/store.ts';
import { bracketOf, closedByBracket, filledByOrder, settleBracket, type Bracket } from '../../../state/records/brackets.ts';
import { number, text, type Mutable } from '../fields.ts';
import { ORDERS } from './orders.ts';
import type { DurablePart, Fold } from '../part.ts';

export const BRACKETS = {
  key: 'brackets',
  fold(saved = []): Fold<readonly Bracket[]> {
    const brackets = new Map<number, Mutable<Bracket>>(saved.map((one) => [one.seq, { ...one }]));
    /** The bracket of the newest fill, until the record of its leg shows the venue's time: our clock may have been wrong. */
    let filled: Mutable<Bracket> | undefined;
    const settled = (seq: number): void => {
      const bracket = brackets.get(seq);
      if (bracket === undefined) return;
      settleBracket(bracket);
      if (bracket.most === 0) brackets.delete(seq);
    };
    const changes: Readonly<Record<string, (record: JournalRecord) => void>> = {
      command({ seq, data }) {
        const given = { ...emptyCommand(), ...data, seq };
        const made = bracketOf(given, brackets.get(given.target), text(data['strategy']), text(data['reason']));
        if (made !== null) brackets.set(seq, made);
      },
      fill({ seq, time, data }) {
        filled = brackets.get(seq);
        if (filled !== undefined) filledByOrder(filled, number(data['lots']), number(data['ticks']), time);
      },
      leg({ data }) {
        const provenAt = number(data['provenAt']);
        if (filled !== undefined && provenAt > 0) filled.filledAt = provenAt;
        filled = undefined;
      },
      exit({ seq, data }) {
        const bracket = brackets.get(seq);
        if (bracket !== undefined) closedByBracket(bracket, number(data['lots']));
      },
      'brackets-ended'({ data }) {
        for (const seq of data['orders'] as readonly number[]) {
          const bracket = brackets.get(seq);
          if (bracket !== undefined) bracket.endedAt = number(data['at']);
        }
      },
      settled: ({ seq }) => settled(seq),
    };
    return {
      apply(record, of) {
        const { kind, seq, data } = record;
        if (kind !== 'ended') changes[kind]?.(record);
        else if (data['isSettled'] !== false || !of(ORDERS).bySeq.has(seq)) settled(seq);
      },
      save: () => [...brackets.values()],
    };
  },
  live: ({ core }) => ({
    save: () => core.brackets.saved((seq) => core.orders.find(seq) !== null),
    restore(saved) {
      for (const bracket of saved) core.brackets.add({ ...bracket });
    },
  }),
} as const satisfies DurablePart<'brackets', readonly Bracket[]>;
