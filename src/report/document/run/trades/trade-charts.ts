/** Charts of the closed trades of a run. The script of the page draws into their places. */
import { ONE } from '../../../../domain/amounts/units.ts';
import { tradeRows } from '../../../backtest-report.ts';
import { plainTick } from '../../../html/plot/scale.ts';
import type { RunReport } from '../../../run-report.ts';
import type { Chart, Section } from '../../document.ts';
import { money, whole } from '../../figures.ts';
import { histogramChart } from '../../returns/histogram-chart.ts';
import { scriptedChart } from '../../scripted-chart.ts';

/** Nothing without trades. */
export function tradeChartsSection(report: RunReport): Section[] {
  const { stats } = report;
  if (stats.trades === 0) return [];
  return [
    {
      id: 'trades',
      link: 'Trades',
      title: 'Trades',
      words: 'after fees; excursions: how far prices went against and in favour of a trade while it was open, as shares of its entry price',
      blocks: [
        scriptedChart('chart-profit', 'Cumulative profit per trade', `${whole(stats.trades)} closed trades in order of closing`),
        {
          kind: 'beside',
          look: 'three',
          blocks: [
            scriptedChart('chart-excursions', 'Excursions', 'adverse to the left, favourable upwards'),
            scriptedChart('chart-holding', 'Holding times', 'trades by how long they were held'),
            resultsChart(report),
          ],
        },
      ],
    },
  ];
}

/** How many trades had which result. */
function resultsChart(report: RunReport): Chart {
  return {
    kind: 'chart',
    title: 'Results of trades',
    words: 'net, how many had which',
    draw: () =>
      histogramChart({
        id: 'chart-results',
        values: tradeRows(report).net.map((net) => net / ONE),
        of: 'trades',
        text: money,
        tick: plainTick,
      }),
  };
}
