/** The days of `report divergence --daily` for people. */
import { HOUR_MS } from '../../../base/time/time-spans.ts';
import type { DayDivergence, DivergenceDays } from '../../../control/divergence-days.ts';
import { notesSection, type Document } from '../../../report/document/document.ts';
import { numbers, words } from '../../../report/document/text-table.ts';

/** Causes that are named of each day. */
const CAUSES_SHOWN = 3;

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
        title: '',
        words:
          'error: how far live and backtest are apart, in basis points of what was traded. Each day is one of UTC; causes as in docs/sessions.md.',
        blocks: [
          {
            kind: 'table',
            columns: [
              { title: 'day' },
              ...['hours', 'backtest', 'live', 'difference', 'traded', 'error bp'].map(numbers),
              { title: '', bar: 'left' },
              words('largest causes'),
            ],
            rows: days.map((one) => [
              one.isOver ? one.day : `${one.day} so far`,
              (one.coveredMs / HOUR_MS).toFixed(1),
              signed(one.backtest),
              signed(one.live),
              signed(one.difference),
              cents(one.traded),
              { text: one.errorBp === null ? 'nothing traded' : one.errorBp.toFixed(2), value: one.errorBp },
              { text: '', value: one.errorBp === null ? 0 : one.errorBp / most },
              causesOf(one) || 'none',
            ]),
          },
        ],
      },
    ],
  };
}

/** "2026-11-28: live −12.30, its backtest +4.00, 163.00 bp of 1000.00 traded; latency −16.20". */
export function sentenceOf(one: DayDivergence): string {
  if (one.errorBp === null) return `${one.day}: nothing was traded`;
  const causes = causesOf(one);
  const apart = `${one.errorBp.toFixed(2)} bp of ${cents(one.traded)} traded`;
  return `${one.day}: live ${signed(one.live)}, its backtest ${signed(one.backtest)}, ${apart}${causes === '' ? '' : `; ${causes}`}`;
}

function causesOf({ causes }: DayDivergence): string {
  return causes
    .slice(0, CAUSES_SHOWN)
    .map(({ title, amount }) => `${title} ${signed(amount)}`)
    .join(', ');
}

/** To the cent, for people; the JSON has all digits. */
function cents(amount: string): string {
  const at = amount.indexOf('.');
  return at < 0 ? amount : amount.slice(0, at + 3);
}

function signed(amount: string): string {
  const text = cents(amount);
  return text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`;
}
