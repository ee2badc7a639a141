/** Metrics as sections: a value with its unit, or how much is missing from its sample. */
import type { Metric } from '../../metrics/metric.ts';
import { METRIC_FAMILIES, METRICS, type MetricKey } from '../../metrics/metrics.ts';
import type { MetricResult, MetricResults } from '../../metrics/results.ts';
import type { RunReport } from '../../run-report.ts';
import type { Cell, Item, Row, Section } from '../document.ts';
import { numbers, words } from '../text-table.ts';
import { intervalText, metricText, shortMetricText, unbroken, unitText, whole } from '../figures.ts';

/** The metrics that a report always shows. */
export const CHIEF_METRICS: readonly MetricKey[] = [
  'holdReturn',
  'cagr',
  'volatility',
  'sharpe',
  'sortino',
  'mar',
  'winRate',
  'profitFactor',
  'expectancy',
  'averageWin',
  'averageLoss',
  'longestLosingRun',
];

/** The value with its interval. */
function withInterval(result: MetricResult): string {
  const interval = intervalText(result);
  return unbroken(metricText(result)) + (interval === '' ? '' : `   ${unbroken(`(95 %: ${interval})`)}`);
}

/** Nothing if the report has none of them. */
export function chiefMetrics(metrics: MetricResults): Section[] {
  const items = CHIEF_METRICS.flatMap((key): Item[] => {
    const result = metrics[key];
    return result === undefined ? [] : [[result.name, withInterval(result)]];
  });
  return items.length === 0 ? [] : [{ id: 'metrics', title: 'Metrics', words: '', blocks: [{ kind: 'list', items }] }];
}

const idOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, '-');

/** Every metric by its family: value, interval, sample and definition; with another run, its values too. */
export function metricsSection({ metrics }: RunReport, other?: RunReport): Section {
  const known = Object.entries(metrics);
  const rows = Object.entries(METRIC_FAMILIES).flatMap(([title, family]): Row[] => {
    const own = known.filter(([key]) => Object.hasOwn(family, key));
    if (own.length === 0) return [];
    return [[title], ...own.map(([key, result]) => metricRow(key, result, other === undefined ? null : (other.metrics[key] ?? 'none')))];
  });
  const beside = other === undefined ? [] : [numbers('other run')];
  return {
    id: 'metrics',
    link: 'Metrics',
    title: `All ${known.length} metrics`,
    words: 'intervals: 95 %, stationary block bootstrap; “too few” where the sample is smaller than the least that says something',
    blocks: [
      {
        kind: 'table',
        columns: [{ title: 'metric' }, numbers('value'), ...beside, numbers('95 % interval'), numbers('sample'), words('definition')],
        rows,
      },
    ],
  };
}

/** `beside` is the result of the other run; "none" if that run does not have the metric, null without another run. */
function metricRow(key: string, result: MetricResult, beside: MetricResult | 'none' | null): Cell[] {
  // A stored report may have a metric that this version does not.
  const definition: Metric | undefined = METRICS[key as MetricKey];
  return [
    result.name,
    { text: metricText(result), value: result.value, key: `metrics.${key}.value`, tone: result.sample < result.least ? 'warn' : '' },
    ...(beside === null ? [] : [beside === 'none' ? '–' : metricText(beside)]),
    intervalText(result),
    `${whole(result.sample)} ${result.of}`,
    definition === undefined ? '' : `${definition.formula}${definition.source === '' ? '' : ` (${definition.source})`}`,
  ];
}

/** The metrics of two reports side by side, with the second less the first. Those that neither has are left out. */
export function comparedMetrics(one: MetricResults, other: MetricResults, names: readonly [string, string]): Section[] {
  return Object.entries(METRIC_FAMILIES).flatMap(([title, family]) => {
    const rows = Object.keys(family).flatMap((key) => {
      const [a, b] = [one[key], other[key]];
      if (a === undefined || b === undefined || (a.value === null && b.value === null)) return [];
      return [[a.name, shortMetricText(a), shortMetricText(b), difference(a, b)]];
    });
    const columns = [{ title: '' }, ...[...names, 'difference'].map(numbers)];
    return rows.length === 0 ? [] : [{ id: idOf(title), title, words: '', blocks: [{ kind: 'table', columns, rows }] } satisfies Section];
  });
}

function difference({ unit, value }: MetricResult, other: MetricResult): string {
  if (value === null || other.value === null) return '';
  const change = Number(other.value) - Number(value);
  if (change === 0) return '0';
  return `${change < 0 ? '−' : '+'}${unitText(unit, Math.abs(change))}`;
}
