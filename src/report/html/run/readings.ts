/** The result beside its pessimistic and its optimistic reading. */
import type { RunReport } from '../../run-report.ts';
import { metricText, money, percent, signedMoney, toneOf, whole } from '../../document/figures.ts';
import { html, type Markup } from '../markup.ts';
import { tableOf } from '../table.ts';

export function readingsOf({ bracket }: RunReport): Markup | null {
  if (bracket === null) return null;
  const lines = bracket.readings.map(({ name, terms, failed, net, fees, maxDrawdownShare, trades, wins, fills, sharpe }) => {
    const stopped = failed.length === 0 ? null : html`<small class="down">stopped: ${failed.join(', ')}</small>`;
    return html`<tr>
      <td>${name}<small>${terms}</small>${stopped}</td>
      <td class="n ${toneOf(net)}" data-value="${net}">${signedMoney(net)}</td>
      <td class="n">${money(fees)}</td>
      <td class="n">${percent(maxDrawdownShare)}</td>
      <td class="n">${sharpe === null ? '–' : metricText(sharpe)}</td>
      <td class="n">${whole(trades)}</td>
      <td class="n">${trades === 0 ? '–' : percent(wins / trades, 1)}</td>
      <td class="n">${whole(fills)}</td>
    </tr>`;
  });
  return html`<section id="bracket" class="card">
    <div class="head">
      <h2>Between worst and best</h2>
      <p>the same run with the guesses of the model turned against you, and for you</p>
    </div>
    <p class="sentence">${bracket.sentence}</p>
    <div class="scroll">
      ${tableOf(['', ['net'], ['fees'], ['drawdown'], ['Sharpe'], ['trades'], ['wins'], ['fills']], lines, 'readings')}
    </div>
  </section>`;
}
