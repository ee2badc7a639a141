/** Every metric of a report. To add one, add a row to the table of its family, and its case to the test. */
import { formatMoney } from '../../domain/instrument.ts';
import type { MetricFacts } from './facts.ts';
import type { Metric } from './metric.ts';
import type { MetricResult, MetricResults } from './results.ts';
import { TRADE_METRICS } from './trade-metrics.ts';

export const METRICS: Readonly<Record<string, Metric>> = { ...TRADE_METRICS };

/** Every metric, in the order of the table. */
export function metricsOf(facts: MetricFacts): MetricResults {
  return Object.fromEntries(Object.entries(METRICS).map(([key, metric]) => [key, resultOf(metric, facts)]));
}

function resultOf(metric: Metric, facts: MetricFacts): MetricResult {
  const { name, unit, of, least } = metric;
  const sample = sampleOf(metric, facts);
  return { name, unit, value: sample < least ? null : valueOf(metric, facts), sample, least, of, interval: null };
}

function valueOf({ unit, value }: Metric, facts: MetricFacts): number | string | null {
  const found = value(facts);
  if (found === null || !Number.isFinite(found)) return null;
  return unit === 'money' ? formatMoney(Math.round(found)) : found;
}

function sampleOf(_metric: Metric, { trades }: MetricFacts): number {
  return trades.net.length;
}
