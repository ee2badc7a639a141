/** The figures by which a search judges a run, as metrics of its report. */
import { unitText } from '../document/figures.ts';
import { METRICS, type MetricKey } from '../metrics/metrics.ts';
import type { MetricUnit } from '../metrics/results.ts';

/** The drawdown of a search is a share, so that its bound does not depend on the deposit. */
export const ALIASES: Readonly<Record<string, MetricKey>> = { maxDrawdown: 'maxDrawdownShare' };

/** The metric of a figure; `name` must be that of a metric. */
export function metricOf(name: string): MetricKey {
  return ALIASES[name] ?? (name as MetricKey);
}

/** The unit of a figure; that of a plain number for a name that no metric has. */
export function unitOf(name: string): MetricUnit {
  const key = metricOf(name);
  return Object.hasOwn(METRICS, key) ? METRICS[key].unit : 'ratio';
}

/** A figure of a search in its unit; "–" for none. */
export function figureText(name: string, value: number | null | undefined): string {
  return unitText(unitOf(name), value);
}
