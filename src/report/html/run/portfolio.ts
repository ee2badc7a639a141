/** The part of each strategy in the result of one wallet, and how their profits move together. */
import type { Portfolio, PortfolioPart } from '../../equity/portfolio.ts';
import { money, percent, signedMoney, toneOf, whole } from '../../document/figures.ts';
import { heatCell } from '../heat-cell.ts';
import { chart, html, type Markup } from '../markup.ts';
import { tableOf, type Head } from '../table.ts';

const REST: Readonly<Record<string, string>> = {
  netting: 'the venue has one average price where strategies share a leg: realised there, open here',
  external: 'fills without a strategy',
  insurance: 'losses beyond the margin, which the fund of the venue paid',
};

const HEADS: readonly Head[] = [
  '',
  ['fills'],
  ['realised'],
  ['open'],
  ['fees'],
  ['funding'],
  ['net'],
  ['volatility a year'],
  ['part of the risk'],
];

export function portfolioOf(portfolio: Portfolio | null): Markup | null {
  if (portfolio === null) return null;
  const { strategies, rest, total, correlation } = portfolio;
  const lines = strategies.map((part) => lineOf(part, '', [part.volatility, part.riskShare]));
  const others = [...rest, { ...total, name: 'wallet' }].map((part) => lineOf(part, REST[part.name] ?? 'the sum of all', [null, null]));
  return html`<section id="strategies" class="card">
    <div class="head">
      <h2>Strategies</h2>
      <p>the part of each in the result of one wallet; every column adds up to the last digit</p>
    </div>
    <div class="scroll">${tableOf(HEADS, [...lines, ...others], 'readings')}</div>
    <div class="two">
      <div>${chart('chart-strategies', 'Net profit by strategy', 'since the start, fees and funding included')}</div>
      <div>
        ${matrixOf(
          strategies.map(({ name }) => name),
          correlation,
        )}
      </div>
    </div>
  </section>`;
}

function lineOf(part: PortfolioPart, words: string, shares: readonly (number | null)[]): Markup {
  const { name, fills, realised, unrealised, fees, funding, net } = part;
  return html`<tr>
    <td>${name}${words === '' ? null : html`<small>${words}</small>`}</td>
    <td class="n">${whole(fills)}</td>
    <td class="n" data-value="${realised}">${signedMoney(realised)}</td>
    <td class="n" data-value="${unrealised}">${signedMoney(unrealised)}</td>
    <td class="n" data-value="${fees}">${money(fees)}</td>
    <td class="n" data-value="${funding}">${signedMoney(funding)}</td>
    <td class="n ${toneOf(net)}" data-value="${net}">${signedMoney(net)}</td>
    ${shares.map((share) => html`<td class="n">${share === null ? '' : percent(share)}</td>`)}
  </tr>`;
}

/** A square with a row and a column for each strategy, coloured by how strongly two of them move together. */
function matrixOf(names: readonly string[], rows: Portfolio['correlation']): Markup {
  const lines = rows.map((row, i) => {
    return html`<tr>
      <th>${i + 1} ${names[i]!}</th>
      ${row.map((one, k) => cellOf(one, i === k))}
    </tr> `;
  });
  return html`<figure>
    <figcaption>Correlation of their profits <span>per period: 1 together, 0 apart, −1 against each other</span></figcaption>
    <div class="scroll">${tableOf(['', ...names.map((_, k) => String(k + 1))], lines, 'heat matrix')}</div>
  </figure>`;
}

function cellOf(value: number | null, isSelf: boolean): Markup {
  if (value === null) return html`<td class="none">–</td>`;
  return heatCell(value, isSelf ? 0 : value, value.toFixed(2).replace('-', '−'));
}
