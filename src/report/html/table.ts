/** Tables with a head. */
import { html, type Markup } from './markup.ts';

/** The title of a column; in a list of one for a column of numbers. */
export type Head = string | readonly [numbers: string];

/** `rows` are the rows of the body; `kind` is a class. */
export function tableOf(heads: readonly Head[], rows: readonly Markup[], kind = ''): Markup {
  const cells = heads.map((head) => (typeof head === 'string' ? html`<th>${head}</th>` : html`<th class="n">${head[0]}</th>`));
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
