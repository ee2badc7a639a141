/** Equity of a run: its charts, its returns, statistics over a moving window, and the deepest drawdowns. */
import { rollingSeries, type RollingSeries } from '../../rolling-series.ts';
import type { RunReport } from '../../run-report.ts';
import { sentence, type Block, type Cell, type Section, type Table } from '../document.ts';
import { duration, moment, money, percent, periodName, unitText, whole } from '../figures.ts';
import { numbers, words } from '../text-table.ts';
import { median } from '../../../statistics/samples/moments.ts';
import { returnsSection } from './returns-section.ts';
import { scriptedChart } from '../scripted-chart.ts';

/** The script of the page draws into the places of the charts. */
export function equitySections(report: RunReport): Section[] {
  const { series, drawdowns } = report;
  const shaded = Math.min(SHADED, drawdowns.length);
  return [
    {
      id: 'equity',
      link: 'Equity',
      title: 'Equity',
      words: 'drag to zoom, double click to see all; times in UTC',
      blocks: [
        scriptedChart(
          'chart-equity',
          'Equity and buy and hold',
          `${whole(series.time.length)} points${shaded === 0 ? '' : `; shaded: the ${shaded === 1 ? 'deepest drawdown' : `${whole(shaded)} deepest drawdowns`}`}`,
        ),
        scriptedChart('chart-drawdown', 'Under water', 'distance from the highest equity so far'),
        scriptedChart('chart-exposure', 'Exposure', 'value of all open positions'),
      ],
    },
    {
      id: 'drawdowns',
      link: 'Drawdowns',
      title: 'Deepest drawdowns',
      words: 'by their depth; the first are shaded on the chart of the equity',
      blocks: [drawdownsOf(drawdowns)],
    },
    returnsSection(report),
    rollingSection(report),
  ];
}

/** Drawdowns that are shaded. */
export const SHADED = 5;

function drawdownsOf(drawdowns: RunReport['drawdowns']): Block {
  if (drawdowns.length === 0) return sentence('The equity never fell below a peak.');
  return {
    kind: 'table',
    columns: [
      ...['#', 'depth', 'amount'].map(numbers),
      ...['peak (UTC)', 'lowest', 'new peak'].map((title) => ({ title })),
      ...['fell for', 'recovered in'].map(numbers),
    ],
    rows: drawdowns.map(({ from, trough, to, amount, share }, k) => [
      String(k + 1),
      percent(share),
      money(amount),
      moment(from),
      moment(trough),
      to === null ? 'not yet' : moment(to),
      duration(trough - from),
      to === null ? 'not yet' : duration(to - trough),
    ]),
  };
}

/** What is rolled, in the order in which it is shown. */
const ROLLED = [
  ['sharpe', 'Sharpe ratio', 'ratio'],
  ['sortino', 'Sortino ratio', 'ratio'],
  ['volatility', 'volatility', 'share'],
  ['holdVolatility', 'volatility of buy and hold', 'share'],
  ['beta', 'beta to buy and hold', 'ratio'],
] as const;

/** "a day", "an hour"; a length such as "5m 00s" stays. */
function withArticle(period: string): string {
  if (/^\d/.test(period)) return period;
  return `${period.startsWith('h') ? 'an' : 'a'} ${period}`;
}

function rollingSection(report: RunReport): Section {
  const series = rollingSeries(report);
  const window =
    series === null ? '' : `a window of ${whole(series.window)} periods of ${withArticle(periodName(report.returns.periodMs))}; `;
  return {
    id: 'rolling',
    link: 'Rolling',
    title: 'Rolling figures',
    words: `${window}ratios and volatility are those of a year`,
    blocks: [
      {
        kind: 'beside',
        look: 'three',
        blocks: [
          scriptedChart('chart-sharpe', 'Sharpe and Sortino ratio', ''),
          scriptedChart('chart-volatility', 'Volatility', ''),
          scriptedChart('chart-beta', 'Beta to buy and hold', ''),
        ],
      },
      ...(series === null ? [] : [rolledTable(series)]),
    ],
  };
}

function rolledTable(series: RollingSeries): Table {
  return {
    kind: 'table',
    columns: [words(''), ...['least', 'median', 'most', 'newest'].map(numbers)],
    rows: ROLLED.map(([key, name, unit]): Cell[] => {
      const known = series[key].filter((value) => value !== null);
      const sorted = Float64Array.from(known).sort();
      return [name, ...[sorted[0], median(sorted), sorted.at(-1), series[key].at(-1)].map((value) => unitText(unit, value))];
    }),
  };
}
