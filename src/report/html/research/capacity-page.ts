/** The result of `capacity` as a page: profit and profit per size against the size of positions. */
import type { CapacityResult, CapacityRow } from '../../research/capacity-result.ts';
import { documentOf, headingOf, notesMarkup, type HashOf, type PageFiles } from '../document.ts';
import { money, signedMoney, toneOf, whole } from '../../document/figures.ts';
import { html, type Markup } from '../markup.ts';
import { dot, line, plot, ruleAt, type Place } from '../plot/plot.ts';
import { axisOf, plainTick, scaleOf } from '../plot/scale.ts';
import { RESEARCH_FOOTER } from './search-page.ts';
import { tableOf } from '../table.ts';

export function capacityPage(result: CapacityResult, files: PageFiles, hashOf: HashOf): string {
  const { strategy, rows, sentence, impact } = result;
  const title = `Capacity of ${strategy}`;
  const body = html`${headingOf(title, `${rows.length} runs on the same tape, each with larger sizes, limits and deposits`)}
    ${notesMarkup([{ title: '', notes: impact === '' ? [] : [html`<li>${impact}</li>`] }], 'on the model')}
    <section class="card">
      <p class="sentence">${sentence}</p>
      <div class="two">
        ${chartOf(result, 'Net profit', ({ net }) => net)} ${chartOf(result, 'Net profit per size', ({ perSize }) => perSize)}
      </div>
      <div class="scroll">
        ${tableOf([['times'], 'sizes', ['net'], ['net per size'], ['slippage'], ['largest position'], ['turnover'], ['trades'], ['refused']], rows.map(rowOf))}
      </div>
    </section>
    ${RESEARCH_FOOTER}`;
  return documentOf({ title, body, files, hashOf });
}

/** A curve over the sizes, each twice the one before; the vertical lines are where the profit per size halves and where it peaks. */
function chartOf({ rows, halvesAt, peaksAt }: CapacityResult, name: string, valueOf: (row: CapacityRow) => number): Markup {
  const last = Math.log(rows.at(-1)!.multiple) || 1;
  const across = (multiple: number): number => Math.log(multiple) / last;
  const y = scaleOf([0, ...rows.map(valueOf)], plainTick);
  const places = rows.map((row): Place => [across(row.multiple), y.at(valueOf(row))]);
  const step = Math.ceil(rows.length / 6);
  const ticks = rows.filter((_, k) => k % step === 0).map(({ multiple }) => ({ at: across(multiple), text: `${multiple}×` }));
  const marks = [
    ruleAt('y', y.at(0), 'start'),
    ...(halvesAt === null ? [] : [ruleAt('x', across(halvesAt), 'start')]),
    ...(peaksAt === null ? [] : [ruleAt('x', across(peaksAt), 'start')]),
    line(places, ''),
    ...rows.map((row, k) => dot(places[k]!, '', `${row.multiple} times: ${signedMoney(valueOf(row))}`)),
  ];
  return html`<figure>
    <figcaption>${name} <span>vertical: half of the profit per size, and the peak</span></figcaption>
    ${plot({ x: { title: 'size', ticks }, y: axisOf(y, 'quote coin'), marks, label: `${name} against size` })}
  </figure>`;
}

function rowOf({ multiple, sizes, net, perSize, slippage, largest, turnover, trades, refused }: CapacityRow): Markup {
  const values = Object.entries(sizes).map(([name, value]) => `${name}=${value}`);
  return html`<tr>
    <td class="n">${multiple}</td>
    <td>${values.join(', ')}</td>
    <td class="n ${toneOf(net)}" data-value="${net}">${signedMoney(net)}</td>
    <td class="n ${toneOf(perSize)}" data-value="${perSize}">${signedMoney(perSize)}</td>
    <td class="n">${money(slippage)}</td>
    <td class="n">${money(largest)}</td>
    <td class="n">${money(turnover)}</td>
    <td class="n">${whole(trades)}</td>
    <td class="n">${whole(refused)}</td>
  </tr> `;
}
