/** The result beside its pessimistic and its optimistic reading. */
import type { RunReport } from '../../run-report.ts';
import { sentence, type Cell, type Section } from '../document.ts';
import { numbers } from '../text-table.ts';
import { money, percent, profit, shortMetricText, whole } from '../figures.ts';

export function readingsSection({ bracket }: Pick<RunReport, 'bracket'>): Section[] {
  if (bracket === null) return [];
  const rows = bracket.readings.map(({ name, terms, failed, net, fees, maxDrawdownShare, trades, wins, fills, sharpe }): Cell[] => [
    { text: name, words: failed.length === 0 ? terms : `${terms}; stopped: ${failed.join(', ')}` },
    profit(net),
    money(fees),
    percent(maxDrawdownShare),
    whole(trades),
    trades === 0 ? '–' : percent(wins / trades, 1),
    whole(fills),
    sharpe === null ? '–' : shortMetricText(sharpe),
  ]);
  return [
    {
      id: 'bracket',
      link: 'Worst and best',
      title: 'Between worst and best',
      words: 'the same run with the guesses of the model turned against you, and for you',
      blocks: [
        sentence(bracket.sentence),
        {
          kind: 'table',
          columns: [{ title: '' }, ...['net', 'fees', 'drawdown', 'trades', 'wins', 'fills', 'Sharpe'].map(numbers)],
          rows,
        },
      ],
    },
  ];
}
