/** Tables with a head. */
import { html, type Markup } from './markup.ts';

/** The title of a column; in a list of one for a column of numbers. */
export type Head = string | readonly [numbers: string];

/** A table that may be wider than the page. A key scrolls it, and its name for a reader of the screen is the titles of its columns. */
export function scrolling(heads: readonly Head[], table: Markup): Markup {
  const titles = heads.map(titleOf).filter((title) => title !== '');
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${titles.join(', ')}">${table}</div>`;
}

const titleOf = (head: Head): string => (typeof head === 'string' ? head : head[0]);

/** The same with a button in each title, by which the script of the page sorts the rows: by `data-value` of the cells, or by their text. */
export function sortableTableOf(heads: readonly Head[], rows: readonly Markup[]): Markup {
  const cells = heads.map((head) => {
    return html`<th class="${typeof head === 'string' ? '' : 'n'}"><button type="button">${titleOf(head)}</button></th>`;
  });
  return tableMarkup(cells, rows, 'sortable');
}

/** `rows` are the rows of the body; `kind` is a class. */
export function tableOf(heads: readonly Head[], rows: readonly Markup[], kind = ''): Markup {
  const cells = heads.map((head) => {
    if (titleOf(head) === '') return html`<td></td>`;
    return typeof head === 'string' ? html`<th>${head}</th>` : html`<th class="n">${head[0]}</th>`;
  });
  return tableMarkup(cells, rows, kind);
}

function tableMarkup(cells: readonly Markup[], rows: readonly Markup[], kind: string): Markup {
  return html`<table class="${kind}">
    <thead>
      <tr>
        ${cells}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
