/** The table of all metrics: value, interval, sample and definition; with another run, its values too. */
import type { Metric } from '../metrics/metric.ts';
import { METRICS, type MetricKey } from '../metrics/metrics.ts';
import type { MetricResult, SampleUnit } from '../metrics/results.ts';
import type { RunReport } from '../run-report.ts';
import { intervalText, metricText, whole } from './figures.ts';
import { html, type Markup } from './markup.ts';

/** Titles of the groups, by what a sample consists of. */
const GROUPS: Readonly<Record<SampleUnit, string>> = {
  periods: 'Returns',
  days: 'Days',
  samples: 'Equity and exposure',
  drawdowns: 'Drawdowns',
  trades: 'Trades',
  wins: 'Trades with a profit',
  losses: 'Trades with a loss',
  longs: 'Long trades',
  shorts: 'Short trades',
  fills: 'Fills',
  orders: 'Orders',
};

export function metricTableOf({ metrics }: RunReport, other: RunReport | undefined): Markup {
  const rows = Object.entries(metrics);
  const groups = (Object.keys(GROUPS) as SampleUnit[]).flatMap((of) => {
    const own = rows.filter(([, result]) => result.of === of);
    const columns = other === undefined ? 5 : 6;
    return own.length === 0
      ? []
      : [
          html`<tr class="group">
            <th colspan="${columns}">${GROUPS[of]}</th>
          </tr> `,
          ...own.map(([key, result]) => lineOf(key, result, other === undefined ? null : (other.metrics[key] ?? 'none'))),
        ];
  });
  return html`<section id="metrics" class="card">
    <div class="head">
      <h2>All ${rows.length} metrics</h2>
      <p>intervals: 95 %, stationary block bootstrap; “too few” where the sample is smaller than the least that says something</p>
    </div>
    <table>
      <thead>
        <tr>
          <th>metric</th>
          <th class="n">value</th>
          ${other === undefined ? null : html`<th class="n">other run</th>`}
          <th class="n">95 % interval</th>
          <th class="n">sample</th>
          <th>definition</th>
        </tr>
      </thead>
      <tbody>
        ${groups}
      </tbody>
    </table>
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
