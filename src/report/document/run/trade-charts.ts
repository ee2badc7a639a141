/** Charts of the closed trades of a run. The script of the page draws into their places. */
import { chartPlace } from '../../html/markup.ts';
import type { RunReport } from '../../run-report.ts';
import type { Chart, Section } from '../document.ts';
import { whole } from '../figures.ts';

/** Nothing without trades. */
export function tradeChartsSection({ stats }: RunReport): Section[] {
  if (stats.trades === 0) return [];
  return [
    {
      id: 'trades',
      link: 'Trades',
      title: 'Trades',
      words: 'after fees; excursions: how far prices went against and in favour of a trade while it was open, as shares of its entry price',
      blocks: [
        chart('chart-profit', 'Cumulative profit per trade', `${whole(stats.trades)} closed trades in order of closing`),
        {
          kind: 'beside',
          look: 'two',
          blocks: [
            chart('chart-excursions', 'Excursions', 'adverse to the left, favourable upwards'),
            chart('chart-holding', 'Holding times', 'trades by how long they were held'),
          ],
        },
      ],
    },
  ];
}

function chart(id: string, title: string, words: string): Chart {
  return { kind: 'chart', title, words, draw: () => chartPlace(id) };
}
