/** Tables with a head. */
import { html, type Markup } from './markup.ts';

/** The title of a column; in a list of one for a column of numbers. */
export type Head = string | readonly [numbers: string];

/** The same with a button in each title, by which the script of the page sorts the rows: by `data-value` of the cells, or by their text. */
export function sortableTableOf(heads: readonly Head[], rows: readonly Markup[]): Markup {
  const cells = heads.map((head) => {
    const [title, look] = typeof head === 'string' ? [head, ''] : [head[0], 'n'];
    return html`<th class="${look}"><button type="button">${title}</button></th>`;
  });
  return tableMarkup(cells, rows, 'sortable');
}

/** `rows` are the rows of the body; `kind` is a class. */
export function tableOf(heads: readonly Head[], rows: readonly Markup[], kind = ''): Markup {
  const cells = heads.map((head) => (typeof head === 'string' ? html`<th>${head}</th>` : html`<th class="n">${head[0]}</th>`));
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
