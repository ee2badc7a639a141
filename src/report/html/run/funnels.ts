/** What became of the orders, and what each strategy did, from bars to fills. */
import type { FunnelStep, RunReport, StrategyFunnel } from '../../run-report.ts';
import { percent, whole } from '../../document/figures.ts';
import { barOf } from '../bars.ts';
import { html, type Markup } from '../markup.ts';
import { scrolling } from '../table.ts';

export function funnelOf({ funnel, orders, strategyFunnels = [] }: RunReport): Markup {
  const most = Math.max(...funnel.map(({ count }) => count), 1);
  const countOf = (key: FunnelStep['of']): number => funnel.find((step) => step.key === key)?.count ?? 0;
  const lines = funnel.map(({ key, title, count, of }) => {
    const isLoss = key === 'refused' || key === 'unsent' || key === 'rejected';
    const total = countOf(of);
    const share = total === 0 ? '' : percent(count / total, 1);
    return html`<tr>
      <td class="${isLoss || key === 'cancelled' || key === 'left' ? 'part' : ''}">${title}</td>
      <td class="bars">${barOf(count / most, isLoss ? 'down' : 'accent')}</td>
      <td class="n" data-key="funnel.${key}" data-value="${count}">${whole(count)}</td>
      <td class="n soft">${share}</td>
    </tr> `;
  });
  const rules = Object.entries(orders.refused).map(([rule, n]) => `${rule} ${whole(n)}`);
  return html`<section id="orders" class="card">
    <div class="head">
      <h2>What became of the orders</h2>
      <p>${rules.length === 0 ? 'none was refused by a risk rule' : `refused by rule: ${rules.join(', ')}`}</p>
    </div>
    <table class="funnel">
      <tbody>
        ${lines}
      </tbody>
    </table>
    ${strategyFunnels.length === 0 ? '' : strategyFunnelOf(strategyFunnels)}
  </section>`;
}

const STAGES = [
  'bars',
  'calls',
  'signals',
  'intents',
  'allowed',
  'accepted',
  'filled',
] as const satisfies readonly (keyof StrategyFunnel)[];

/** What each strategy did, from bars to fills. */
function strategyFunnelOf(funnels: readonly StrategyFunnel[]): Markup {
  const heads = ['strategy', ...STAGES].map((title, k) => html`<th class="${k === 0 ? '' : 'n'}">${title}</th>`);
  const rows = funnels.map((one) => {
    const counts = STAGES.map((stage) => html`<td class="n" data-key="strategyFunnels.${one.strategy}.${stage}">${whole(one[stage])}</td>`);
    return html`<tr>
      <td>${one.strategy}</td>
      ${counts}
    </tr>`;
  });
  const table = html`<table id="strategy-funnels">
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
  return scrolling(['strategy', ...STAGES], table);
}
