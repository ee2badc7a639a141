/** Metrics as text: a value with its unit, or how much is missing from its sample. */
import { HARD, intervalText, metricText, unitText } from '../document/figures.ts';
import { METRIC_FAMILIES, type MetricKey } from '../metrics/metrics.ts';
import type { MetricResult, MetricResults } from '../metrics/results.ts';
import { aligned, entry, section } from './text-parts.ts';

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

const NAME = 25;

/** A text that is not broken into lines. */
const unbroken = (text: string): string => text.replaceAll(' ', HARD);

/** The value with its interval. */
function withInterval(result: MetricResult): string {
  const interval = intervalText(result);
  return unbroken(metricText(result)) + (interval === '' ? '' : `   ${unbroken(`(95 %: ${interval})`)}`);
}

function linesOf(metrics: MetricResults, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const result = metrics[key];
    return result === undefined ? [] : entry(result.name, withInterval(result), NAME);
  });
}

export function chiefMetrics(metrics: MetricResults): string[] {
  const lines = linesOf(metrics, CHIEF_METRICS);
  return lines.length === 0 ? [] : [...section('Metrics'), ...lines];
}

/** Every metric, a section for each family. */
export function allMetrics(metrics: MetricResults): string[] {
  return Object.entries(METRIC_FAMILIES).flatMap(([title, family]) => {
    const lines = linesOf(metrics, Object.keys(family));
    return lines.length === 0 ? [] : [...section(`${title}: metrics`), ...lines];
  });
}

/** The metrics of two reports side by side, with the second less the first. Those that neither has are left out. */
export function comparedMetrics(one: MetricResults, other: MetricResults, names: readonly [string, string]): string[] {
  return Object.entries(METRIC_FAMILIES).flatMap(([title, family]) => {
    const rows = Object.keys(family).flatMap((key) => {
      const [a, b] = [one[key], other[key]];
      if (a === undefined || b === undefined || (a.value === null && b.value === null)) return [];
      return [[a.name, shortValue(a), shortValue(b), difference(a, b)]];
    });
    return rows.length === 0 ? [] : [...section(title), ...aligned(['', ...names, 'difference'], rows, 1)];
  });
}

const shortValue = (result: MetricResult): string => (result.sample < result.least ? 'too few' : metricText(result));

function difference({ unit, value }: MetricResult, other: MetricResult): string {
  if (value === null || other.value === null) return '';
  const change = Number(other.value) - Number(value);
  const text = unitText(unit, Math.abs(change));
  if (change === 0) return '0';
  return `${change < 0 ? '−' : '+'}${text}`;
}
