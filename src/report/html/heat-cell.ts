/** A cell of a table that is coloured by the size of its value. */
import { html, type Markup } from './markup.ts';

/** `share` from −1 to 1 chooses one of four shades up or down; 0 has none. */
export function heatCell(value: number, share: number, text: string): Markup {
  const level = Math.ceil(Math.abs(share) * 4);
  const tone = level === 0 ? 'h0' : `${share > 0 ? 'u' : 'd'}${level}`;
  return html`<td class="${tone}" data-value="${value}">${text}</td>`;
}
