/** Builds markup from a template. Texts that are put in are escaped, so that no text of a run becomes markup. */

import { escapeHiddenInLines } from '../../base/hidden.ts';

/** Markup in which nothing is left to escape. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `null` puts in nothing. */
export type Insert = string | number | Markup | readonly Markup[] | null;

/** html`<p>${text}</p>`: every inserted text or number is escaped, markup and lists of markup are taken as they are. */
export function html(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  let text = parts[0] ?? '';
  for (const [k, insert] of inserts.entries()) text += textOf(insert) + (parts[k + 1] ?? '');
  return new Markup(text);
}

function textOf(insert: Insert): string {
  if (insert === null) return '';
  if (insert instanceof Markup) return insert.text;
  if (typeof insert === 'object') return insert.map((one) => one.text).join('');
  return escaped(String(insert));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return escapeHiddenInLines(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** JSON for a script element: no text in it can end the element or begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** `content` below its title, if it has one. */
export function captioned(title: string, small: string, content: Markup): Markup {
  if (title === '') return content;
  return html`<figure>
    <figcaption>${title} <span>${small}</span></figcaption>
    ${content}
  </figure>`;
}
