/** Charts that the script of a page draws. */
import { html } from '../html/markup.ts';
import type { Chart } from './document.ts';

/** A chart that is drawn into a place of this id. */
export const scriptedChart = (id: string, title: string, words: string): Chart => ({
  kind: 'chart',
  title,
  words,
  draw: () => html`<div class="chart" id="${id}"></div>`,
});
