/** Equity of a run: its charts, returns by day or month, and the deepest drawdowns. */
import { chartPlace } from '../../html/markup.ts';
import type { RunReport } from '../../run-report.ts';
import { sentence, type Block, type Chart, type Section } from '../document.ts';
import { duration, moment, money, percent } from '../figures.ts';
import { numbers } from '../text-table.ts';
import { heatMapOf } from './heat-map.ts';

/** The script of the page draws into the places of the charts. */
export function equitySections(report: RunReport): Section[] {
  const { returns, days, series } = report;
  const heat = heatMapOf(days);
  const period = periodName(returns.periodMs);
  return [
    {
      id: 'equity',
      link: 'Equity',
      title: 'Equity',
      words: 'drag to zoom, double click to see all; times in UTC',
      blocks: [
        chart('chart-equity', 'Equity and buy and hold', `${series.time.length} points`),
        chart('chart-drawdown', 'Under water', 'distance from the highest equity so far'),
      ],
    },
    {
      id: 'returns',
      title: '',
      words: '',
      blocks: [
        {
          kind: 'beside',
          look: 'two',
          blocks: [
            chart('chart-exposure', 'Exposure', 'value of all open positions'),
            chart('chart-returns', `Return per ${period}`, `${returns.time.length} periods`),
            chart('chart-sharpe', 'Rolling Sharpe ratio', `a year, over a moving window`),
            { kind: 'group', blocks: [...(heat === null ? [] : [heat]), drawdownsOf(report)] },
          ],
        },
      ],
    },
  ];
}

/** Charts of the trades of a run; nothing without trades. */
export function excursionsSection({ stats }: RunReport): Section[] {
  if (stats.trades === 0) return [];
  return [
    {
      id: 'trades',
      link: 'Trades',
      title: 'Trades',
      words: 'how far prices went against and in favour of a trade while it was open, as shares of its entry price',
      blocks: [
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

const PERIODS: Readonly<Record<number, string>> = { 1000: 'second', 60_000: 'minute', 3_600_000: 'hour', 86_400_000: 'day' };

function periodName(ms: number): string {
  return PERIODS[ms] ?? duration(ms);
}

function drawdownsOf({ drawdowns }: Pick<RunReport, 'drawdowns'>): Block {
  if (drawdowns.length === 0) return sentence('The equity never fell below a peak.');
  return {
    kind: 'table',
    title: 'Deepest drawdowns',
    columns: [{ title: 'peak (UTC)' }, ...['depth', 'amount', 'fell for', 'recovered in'].map(numbers)],
    rows: drawdowns.map(({ from, trough, to, amount, share }) => [
      moment(from),
      percent(share),
      money(amount),
      duration(trough - from),
      to === null ? 'not yet' : duration(to - trough),
    ]),
  };
}
