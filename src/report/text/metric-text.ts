/** Metrics as text: a value with its unit, or how much is missing from its sample. */
import { span } from '../../base/figures.ts';
import { METRIC_FAMILIES, type MetricKey } from '../metrics/metrics.ts';
import type { MetricResult, MetricResults, MetricUnit, SampleUnit } from '../metrics/results.ts';
import { aligned, entry, fixed, HARD, money, percent, section, whole } from './text-parts.ts';

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

const UNITS: Readonly<Record<MetricUnit, (value: number) => string>> = {
  money: (value) => fixed(value, 2),
  share: (value) => percent(value),
  ratio: (value) => fixed(value, Math.abs(value) < 10 ? 3 : 2),
  count: whole,
  ms: (value) => (value < 1000 ? `${fixed(value, 0)} ms` : span(value)).replaceAll(' ', HARD),
};

/** A value in a unit; "–" for none. */
export function unitText(unit: MetricUnit, value: number | null | undefined): string {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : UNITS[unit](value);
}

/** "30 trades", "1 day", "1 loss". */
export function samplesNeeded(least: number, of: SampleUnit): string {
  return least === 1 ? `1 ${of.replace(/(?<=ss)es$|s$/, '')}` : `${least} ${of}`;
}

/** "1.203", "12.30 %", "too few (7 of 30 trades)", or "–" if there is no such value. */
export function metricValue({ value, unit, sample, least, of }: MetricResult): string {
  if (sample < least) return `too few (${whole(sample)} of ${samplesNeeded(least, of)})`.replaceAll(' ', HARD);
  if (value === null) return '–';
  return typeof value === 'string' ? money(value) : UNITS[unit](value);
}

/** The value with its interval. */
function withInterval(result: MetricResult): string {
  const { interval, unit } = result;
  const text = metricValue(result);
  if (interval === null) return text;
  return `${text}   ${`(95 %: ${UNITS[unit](interval[0])} to ${UNITS[unit](interval[1])})`.replaceAll(' ', HARD)}`;
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

const shortValue = (result: MetricResult): string => (result.sample < result.least ? 'too few' : metricValue(result));

function difference({ unit, value }: MetricResult, other: MetricResult): string {
  if (value === null || other.value === null) return '';
  const change = Number(other.value) - Number(value);
  const text = UNITS[unit](Math.abs(change));
  if (change === 0) return '0';
  return `${change < 0 ? '−' : '+'}${text}`;
}
