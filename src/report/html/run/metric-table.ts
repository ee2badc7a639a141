/** The table of all metrics: value, interval, sample and definition; with another run, its values too. */
import type { Metric } from '../../metrics/metric.ts';
import { METRIC_FAMILIES, METRICS, type MetricKey } from '../../metrics/metrics.ts';
import type { MetricResult } from '../../metrics/results.ts';
import type { RunReport } from '../../run-report.ts';
import { intervalText, metricText, whole } from '../../document/figures.ts';
import { html, type Markup } from '../markup.ts';
import { tableOf, type Head } from '../table.ts';

export function metricTableOf({ metrics }: RunReport, other: RunReport | undefined): Markup {
  const columns = other === undefined ? 5 : 6;
  const rows = Object.entries(metrics);
  const groups = Object.entries(METRIC_FAMILIES).flatMap(([title, family]) => {
    const own = rows.filter(([key]) => Object.hasOwn(family, key));
    if (own.length === 0) return [];
    return [
      html`<tr class="group">
        <th colspan="${columns}">${title}</th>
      </tr>`,
      ...own.map(([key, result]) => lineOf(key, result, other === undefined ? null : (other.metrics[key] ?? 'none'))),
    ];
  });
  return html`<section id="metrics" class="card">
    <div class="head">
      <h2>All ${rows.length} metrics</h2>
      <p>intervals: 95 %, stationary block bootstrap; “too few” where the sample is smaller than the least that says something</p>
    </div>
    ${tableOf(['metric', ['value'], ...(other === undefined ? [] : ([['other run']] as Head[])), ['95 % interval'], ['sample'], 'definition'], groups)}
  </section>`;
}

/** `beside` is the result of the other run; "none" if that run does not have the metric, null without another run. */
function lineOf(key: string, result: MetricResult, beside: MetricResult | 'none' | null): Markup {
  const definition: Metric | undefined = METRICS[key as MetricKey];
  const isFew = result.sample < result.least;
  const sample = `${whole(result.sample)} ${result.of}`;
  const source = definition === undefined || definition.source === '' ? null : html` <i>(${definition.source})</i>`;
  const compared = beside === null ? null : html`<td class="n">${beside === 'none' ? '–' : metricText(beside)}</td>`;
  return html`<tr>
    <td>${result.name}</td>
    <td class="n value ${isFew ? 'few' : ''}" data-key="metrics.${key}.value" data-value="${String(result.value)}">
      ${metricText(result)}
    </td>
    ${compared}
    <td class="n interval">${intervalText(result)}</td>
    <td class="n sample">${sample}</td>
    <td class="definition">${definition?.formula ?? ''}${source}</td>
  </tr> `;
}
