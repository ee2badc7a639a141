/** Returns of a run: by month, by year, per period, and how they are distributed. */
import { deviation, mean, quantileOfSorted } from '../../../statistics/samples/moments.ts';
import { compoundedBy, monthOf, weekOf, yearOf, type CalendarSeries } from '../../calendar.ts';
import type { DaySeries, RunReport } from '../../run-report.ts';
import type { Block, Cell, Section, Table } from '../document.ts';
import { periodName, signedPercent, toneOf, unitText, whole } from '../figures.ts';
import { numbers, words } from '../text-table.ts';
import { distributionChart } from './distribution.ts';
import { heatMapOf } from './heat-map.ts';
import { scriptedChart } from '../scripted-chart.ts';

export function returnsSection(report: RunReport): Section {
  const { returns, days } = report;
  const heat = heatMapOf(days);
  const period = periodName(returns.periodMs);
  return {
    id: 'returns',
    link: 'Returns',
    title: 'Returns',
    words: 'of the equity, after all costs; compounded; the first and the last span may be parts of one',
    blocks: [
      ...(heat === null ? [] : [heat]),
      {
        kind: 'beside',
        look: 'two',
        blocks: [
          scriptedChart('chart-returns', `Return per ${period}`, `${whole(returns.time.length)} periods`),
          distributionChart(report),
          ...spansOf(days),
          samplesOf(report),
        ],
      },
    ],
  };
}

/** A row for each year, or each month of a run within one; nothing for a run within a month. */
function spansOf(days: DaySeries): Block[] {
  const years = compoundedBy(yearOf, days);
  const isOne = years.key.length < 2;
  const spans = isOne ? compoundedBy(monthOf, days) : years;
  if (spans.key.length < 2) return [];
  const most = Math.max(...[...spans.strategy, ...spans.benchmark].map(Math.abs), 1e-12);
  const bar = { title: '', bar: 'both' } as const;
  return [
    {
      kind: 'table',
      title: isOne ? 'Months beside buy and hold' : 'Years beside buy and hold',
      words: `better in ${whole(better(spans))} of ${whole(spans.key.length)}`,
      columns: [{ title: isOne ? 'month' : 'year' }, bar, numbers('strategy'), bar, numbers('buy and hold'), numbers('difference')],
      rows: spans.key.map((key, k): Cell[] => {
        const [own, held] = [spans.strategy[k]!, spans.benchmark[k]!];
        return [key, String(own / most), returnCell(own), String(held / most), returnCell(held), returnCell(own - held)];
      }),
    },
  ];
}

const better = ({ strategy, benchmark }: CalendarSeries): number => strategy.filter((own, k) => own > benchmark[k]!).length;

function returnCell(value: number): Cell {
  return { text: signedPercent(value), value, tone: toneOf(value) };
}

/** Quantiles of the returns of periods, days, weeks and months, a column for each that the run has at least two of. */
function samplesOf({ returns, days }: Pick<RunReport, 'returns' | 'days'>): Table {
  const period = periodName(returns.periodMs);
  const samples: readonly (readonly [name: string, returns: readonly number[]])[] = [
    ...(period === 'day' ? [] : [[period, returns.strategy] as const]),
    ['day', days.strategy],
    ['week', compoundedBy(weekOf, days).strategy],
    ['month', compoundedBy(monthOf, days).strategy],
  ];
  const shown = samples.filter(([name, { length }]) => length > 1 || name === period);
  const columns = shown.map(([, values]) => Float64Array.from(values).sort());
  const row = (name: string, of: (sorted: Float64Array) => Cell): Cell[] => [name, ...columns.map(of)];
  const at = (name: string, share: number): Cell[] => row(name, (sorted) => returnCell(quantileOfSorted(sorted, share)));
  return {
    kind: 'table',
    title: 'Quantiles of returns',
    words: '5 % of them lie below the row 5 %',
    columns: [words('return per'), ...shown.map(([name]) => numbers(name))],
    rows: [
      row('count', ({ length }) => whole(length)),
      at('worst', 0),
      at('5 %', 0.05),
      at('25 %', 0.25),
      at('median', 0.5),
      at('75 %', 0.75),
      at('95 %', 0.95),
      at('best', 1),
      row('mean', (sorted) => returnCell(mean(sorted))),
      row('deviation', (sorted) => unitText('share', deviation(sorted))),
      row('with a gain', (sorted) => unitText('share', sorted.filter((one) => one > 0).length / sorted.length)),
    ],
  };
}
