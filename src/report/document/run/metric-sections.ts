/** Metrics as sections: a value with its unit, or how much is missing from its sample. */
import { METRIC_FAMILIES, type MetricKey } from '../../metrics/metrics.ts';
import type { MetricResult, MetricResults } from '../../metrics/results.ts';
import type { Item, Section } from '../document.ts';
import { numbers } from '../text-table.ts';
import { intervalText, metricText, shortMetricText, unbroken, unitText } from '../figures.ts';

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
function sectionOf(title: string, metrics: MetricResults, keys: readonly string[]): Section[] {
  const items = keys.flatMap((key): Item[] => {
    const result = metrics[key];
    return result === undefined ? [] : [[result.name, withInterval(result)]];
  });
  return items.length === 0 ? [] : [{ id: idOf(title), title, words: '', blocks: [{ kind: 'list', items }] }];
}

const idOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, '-');

export function chiefMetrics(metrics: MetricResults): Section[] {
  return sectionOf('Metrics', metrics, CHIEF_METRICS);
}

/** Every metric, a section for each family. */
export function allMetrics(metrics: MetricResults): Section[] {
  return Object.entries(METRIC_FAMILIES).flatMap(([title, family]) => sectionOf(`${title}: metrics`, metrics, Object.keys(family)));
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
