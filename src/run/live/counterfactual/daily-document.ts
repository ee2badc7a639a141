/** The days of `report divergence --daily` for people. */
import { HOUR_MS } from '../../../base/time/time-spans.ts';
import type { DivergenceDays } from '../../../control/divergence-days.ts';
import { notesSection, type Document } from '../../../report/document/document.ts';
import { money, signedMoney } from '../../../report/document/figures.ts';
import { numbers, words } from '../../../report/document/text-table.ts';
import { causesOf, sentenceOf } from './day-text.ts';

export function dailyDocument({ days, notes }: DivergenceDays): Document {
  const known = days.flatMap(({ errorBp }) => (errorBp === null ? [] : [errorBp]));
  const most = Math.max(...known, 1e-9);
  const last = days.findLast(({ isOver }) => isOver);
  return {
    title: 'Backtest and trading, day by day',
    words: last === undefined ? 'No day is over yet.' : sentenceOf(last),
    sections: [
      ...notesSection(notes),
      {
        id: 'days',
        title: 'Each day',
        words:
          'error: how far live and backtest are apart, in basis points of what was traded. Each day is one of UTC; causes as in docs/sessions.md.',
        blocks: [
          {
            kind: 'table',
            columns: [
              { title: 'day' },
              ...['error bp', 'difference', 'live', 'backtest', 'traded', 'hours'].map(numbers),
              { title: '', bar: 'left' },
              words('largest causes'),
            ],
            rows: days.map((one) => [
              one.isOver ? one.day : `${one.day} so far`,
              { text: one.errorBp === null ? 'nothing traded' : one.errorBp.toFixed(2), value: one.errorBp },
              signedMoney(one.difference),
              signedMoney(one.live),
              signedMoney(one.backtest),
              money(one.traded),
              (one.coveredMs / HOUR_MS).toFixed(one.coveredMs < HOUR_MS ? 2 : 1),
              { text: '', value: one.errorBp === null ? 0 : one.errorBp / most },
              causesOf(one) || 'none',
            ]),
          },
        ],
      },
    ],
  };
}
